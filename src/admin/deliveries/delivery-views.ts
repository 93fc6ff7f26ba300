import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { DeliveriesRepository } from '../../deliveries/deliveries.repository';
import { DeliveryBodies, type StoredBody } from '../../deliveries/delivery-bodies.repository';
import { decodeAnswers } from '../../deliveries/fetch-back/fetched-answers';
import { redact } from '../../deliveries/redaction';
import { eventAsJson, redactedEvent } from '../../deliveries/shown-event';
import { bodyPurged, EventsOfDeliveries } from '../../deliveries/stored-events';
import type { NormalizedDelivery } from '../../deliveries/normalize-delivery';
import type { Actor } from '../../http/caller';
import { JsonError, type LosslessJson, parseJsonBytes, writeJson } from '../../kernel/lossless-json';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import type { DeliveryBodyView, DeliveryDetailView } from './deliveries.dto';
import { utf8Text } from '../../kernel/text';

/** Shows a delivery whole: without what may be about a person, unless an operator insists, which is written down. */
@Injectable()
export class DeliveryViews {
  private readonly logger = new Logger(DeliveryViews.name);

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly bodies: DeliveryBodies,
    private readonly events: EventsOfDeliveries,
    private readonly audit: AuditRepository,
  ) {}

  /** @throws Problem not-found */
  show(organization: Organization, id: string): Promise<DeliveryDetailView> {
    return this.database.transaction(async (tx) =>
      this.view(tx, organization, id, { body: redactedBody, text: redactedText, event: redactedEvent }),
    );
  }

  /**
   * As {@link show}, with the body, what was fetched and the events as they are. Who looked stands in the audit log, or nothing is shown.
   * @throws Problem not-found; body-purged
   */
  reveal(actor: Actor, id: string, reason?: string): Promise<DeliveryDetailView> {
    return this.database.transaction(async (tx) => {
      const shown = await this.view(tx, actor.organization, id, {
        ...{ body: wholeBody, text: wholeText, event: eventAsJson },
      });
      await this.audit.record(tx, actor, { action: 'delivery.reveal', subject: id, reason });
      return shown;
    });
  }

  private async view(
    tx: Transaction,
    organization: Organization,
    id: string,
    shownAs: ShownAs,
  ): Promise<DeliveryDetailView> {
    const delivery = await this.deliveries.get(tx, organization, id);
    const stored = await this.bodies.find(tx, organization, id);
    if (!delivery || !stored) throw new Problem('not-found', 'There is no such delivery');
    const body = shownAs.body(stored);
    const answers = stored.fetched ? decodeAnswers(stored.fetched) : [];
    const { work, ignored, unreadable } = this.normalized(stored);
    return {
      ...delivery,
      eventTypes: delivery.events,
      body,
      fetched: answers.map(({ name, status, body: bytes }) => ({ name, status, ...shownAs.text(bytes) })),
      events: work.map(({ event, eventIndex: index }) => {
        const { type, key } = event;
        return { index, type, key, event: shownAs.event(event) };
      }),
      note: unreadable ?? ignored ?? null,
    };
  }

  /** What nobody understands is the first that an operator wants to look at: it never keeps a delivery from being shown. */
  private normalized(stored: StoredBody): Pick<NormalizedDelivery, 'work' | 'ignored' | 'unreadable'> {
    if (stored.bodyPurgedAt) return { work: [] };
    try {
      return this.events.normalizeDelivery(stored);
    } catch (error) {
      this.logger.error({
        msg: 'deliveries API: a delivery could not be read; it is shown without its events',
        delivery: stored.id,
        err: error,
      });
      return {
        work: [],
        unreadable: "reading it fails inside Ponte; the log has it under this delivery's id",
      };
    }
  }
}

type Shown = Omit<DeliveryBodyView, 'purgedAt'>;

/** How much is shown of a delivery. */
interface ShownAs {
  readonly body: (stored: StoredBody) => DeliveryBodyView;
  readonly text: (bytes: Uint8Array) => Shown;
  readonly event: typeof eventAsJson;
}

const HIDDEN: Shown = { contentType: null, redacted: true, text: null, base64: null };

function redactedBody({ body, bodyPurgedAt }: StoredBody): DeliveryBodyView {
  if (bodyPurgedAt) return { ...HIDDEN, purgedAt: bodyPurgedAt.toISOString() };
  return { ...redactedText(body), purgedAt: null };
}

function redactedText(bytes: Uint8Array): Shown {
  const json = jsonOf(bytes);
  if (json === undefined) return HIDDEN;
  return { ...HIDDEN, contentType: 'application/json', text: writeJson(redact(json)) };
}

/** @throws Problem body-purged */
function wholeBody({ body, bodyPurgedAt }: StoredBody): DeliveryBodyView {
  if (bodyPurgedAt) throw bodyPurged(bodyPurgedAt);
  return { ...wholeText(body), purgedAt: null };
}

function wholeText(bytes: Uint8Array): Shown {
  const text = utf8Text(bytes) ?? null;
  return {
    contentType: jsonOf(bytes) === undefined ? null : 'application/json',
    redacted: false,
    text,
    base64: text === null ? Buffer.from(bytes).toString('base64') : null,
  };
}

function jsonOf(bytes: Uint8Array): LosslessJson | undefined {
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
