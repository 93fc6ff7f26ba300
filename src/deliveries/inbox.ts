import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { type NewDelivery, storeDeliveries } from '../database/statements/store-deliveries';
import { newId } from '../kernel/identifier';
import { traceparentOf } from '../kernel/tracing';
import type { WebhookIdentity } from '../sources/source';
import { BODY_UNSIGNED, type DeliveryOrigin, ORIGIN, UNTIL_FETCHED } from './reserved-attributes';
import { AdmissionLimit, MIN_IN_FLIGHT } from './admission-limit';
import { replaceUnprintable } from '../kernel/text';

/** A verified webhook, or one that somebody else answers for, on its way into the inbox. */
export interface Arrival {
  organizationId: string;
  sourceId: string;
  identity: WebhookIdentity;
  /** No signature covers the body. */
  bodyUnsigned?: boolean;
  /** Absent: it is a webhook. */
  origin?: DeliveryOrigin;
  body: Buffer;
  receivedAt: Date;
}

/** The commit that a sender is waiting for. */
export interface Receipt {
  /** Identifier of the delivery; a duplicate's is that of the first. */
  id: string;
  duplicate: boolean;
}

interface Waiting {
  delivery: NewDelivery;
  resolve: (receipt: Receipt) => void;
  reject: (error: unknown) => void;
}

const MAX_BATCH = 256;
/** The database cuts each body out of the batch's bytes: the more there are, the longer every cut takes. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;
const MAX_BATCHES_IN_FLIGHT = 2;
const MAX_BYTES_IN_FLIGHT = 32 * 1024 * 1024;
const MAX_TEXT = 200;
/** Texts from outside that any column stores as they are. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * The durable inbox: a webhook is acknowledged only after {@link accept} resolved, which is after the commit.
 * Whatever arrives while a batch is being written goes into the next one.
 */
@Injectable()
export class Inbox {
  private waiting: Waiting[] = [];
  private bytesInFlight = 0;
  private batchesInFlight = 0;
  private flushing = false;
  private readonly limit = new AdmissionLimit();
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly database: Database) {}

  /** Called after each commit that stored something new. */
  onStored(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** How many arrivals are accepted and not stored yet. */
  get inFlight(): number {
    return this.limit.inFlight;
  }

  /** Whether more are in flight than ordinary senders have at once. */
  get crowded(): boolean {
    return this.limit.inFlight >= MIN_IN_FLIGHT;
  }

  /** Whether one more would wait too long, or what is in flight takes too much memory. */
  get full(): boolean {
    return (
      this.bytesInFlight >= MAX_BYTES_IN_FLIGHT || (this.crowded && this.limit.isFull(performance.now()))
    );
  }

  /** Stores the arrival, or finds the delivery it repeats. The caller checks {@link full} first. */
  accept(arrival: Arrival): Promise<Receipt> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ delivery: toDelivery(arrival), resolve, reject });
      this.bytesInFlight += arrival.body.length;
      this.limit.taken(performance.now());
      this.flushSoon();
    });
  }

  /** After whatever else has arrived by now, so that one statement stores it all. */
  private flushSoon(): void {
    if (this.flushing) return;
    this.flushing = true;
    setImmediate(() => {
      this.flushing = false;
      this.flush();
    });
  }

  private flush(): void {
    while (this.batchesInFlight < MAX_BATCHES_IN_FLIGHT && this.waiting.length > 0) {
      const batch = this.takeBatch();
      this.batchesInFlight += 1;
      void this.write(batch).finally(() => {
        this.batchesInFlight -= 1;
        this.flushSoon();
      });
    }
  }

  /** The longest waiting, at least one of them, as many as one statement should store. */
  private takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { delivery } of this.waiting.slice(0, MAX_BATCH)) {
      if (count > 0 && bytes + delivery.body.length > MAX_BATCH_BYTES) break;
      bytes += delivery.body.length;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async write(batch: Waiting[]): Promise<void> {
    try {
      const receipts = await storeDeliveries(
        this.database,
        batch.map(({ delivery }) => delivery),
      );
      this.limit.stored(batch.length, performance.now());
      this.release(batch);
      batch.forEach(({ resolve }, index) => resolve(receipts[index] as Receipt));
      if (receipts.some(({ duplicate }) => !duplicate)) this.listeners.forEach((listener) => listener());
    } catch (error) {
      await this.writeApart(batch, error);
    }
  }

  /** One delivery that the database will not take must not take its neighbours with it. */
  private async writeApart(batch: Waiting[], error: unknown): Promise<void> {
    if (batch.length === 1 || !isDataError(error)) {
      this.limit.failed(batch.length);
      this.release(batch);
      batch.forEach(({ reject }) => reject(error));
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.write(batch.slice(0, middle));
    await this.write(batch.slice(middle));
  }

  private release(batch: readonly Waiting[]): void {
    for (const { delivery } of batch) this.bytesInFlight -= delivery.body.length;
  }
}

/** SQLSTATE classes 22 and 23: something about the values, not about the connection. */
function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
}

function toDelivery(arrival: Arrival): NewDelivery {
  const { organizationId, sourceId, identity, body, receivedAt } = arrival;
  return {
    id: newId(),
    organizationId,
    sourceId,
    topic: storable(identity.topic),
    dedupeKey: storable(identity.dedupeKey),
    lane: `${sourceId}/${storable(identity.orderingKey)}`,
    attributes: {
      ...storableAll(identity.attributes),
      ...(identity.untilFetched && { [UNTIL_FETCHED]: 'yes' }),
      ...(arrival.bodyUnsigned && { [BODY_UNSIGNED]: 'yes' }),
      ...(arrival.origin && { [ORIGIN]: arrival.origin }),
    },
    body,
    receivedAt,
    traceparent: traceparentOf() ?? null,
    isSent: (arrival.origin ?? 'webhook') === 'webhook',
  };
}

function storableAll(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(attributes).map(
    ([name, value]) => [storable(name), storable(value)] as const,
  );
  return Object.fromEntries(entries);
}

/** Text from outside as a column can store it: well-formed, no control characters, bounded without colliding. */
function storable(text: string): string {
  if (text.length <= MAX_TEXT && PLAIN.test(text)) return text;
  const clean = replaceUnprintable(text, (run) => '\ufffd'.repeat(run.length));
  if (clean.length <= MAX_TEXT) return clean;
  return `${clean.slice(0, MAX_TEXT - 65)}~${createHash('sha256').update(clean).digest('hex')}`;
}
