import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../database/transaction';
import { Clock } from '../../../kernel/clock';
import { newId } from '../../../kernel/identifier';
import { announce, type CausedChange } from '../changes/announce';
import { Posting } from '../ledger/posting';
import { isRefused, type Outcome } from '../../api/ports/outcome';
import {
  type BookedCustomer,
  customerDiffers,
  fillInDocument,
  findBookedCustomers,
} from '../../effects/booked-customers.repository';
import type { CustomerInput } from '../../api/effects/customer-ensure';
import {
  EFFECT_UNKNOWN,
  type EffectOutput,
  type EffectRequest,
  type EffectResult,
} from '../../api/effects/effect';
import { type BooksOperation, isOutside } from '../../api/effects/registry';
import type { Applied, EffectHandler, ReservedEffect } from './effect-handler';
import { attempt } from '../../api/effects/effect-input';
import { EffectApplier, type EffectBatch } from '../../api/effects/effects.port';
import {
  correctEffects,
  findEffects,
  keyOf,
  reserveEffects,
  type EffectCorrection,
  type EffectKey,
  type EffectRecord,
} from '../../effects/effects.repository';
import { readCustomer } from '../../api/effects/customer-ensure';
import { isFollowing } from '../../effects/customer-followers';
import { followShop } from './follow-shop';
import { EMBEDDED_HANDLERS } from './handlers';
import { contentDiffers, mayDiffer } from '../../effects/content-differences';
import { findPlannedBefore, type PlannedBefore } from '../../effects/planned-before.repository';
import { foundEffect, isFinding, wantedRecords } from '../../effects/found-effect';
import {
  existing,
  mayBeWrittenOff,
  notBooked,
  readAmount,
  refusal,
  wroteOff,
} from '../../effects/existing-effect';

/** A request that may be applied: readable, and the first with its key in the batch. */
interface Candidate {
  request: EffectRequest;
  /** See {@link keyOf}. */
  name: string;
  amountMinor: bigint | undefined;
  ids: readonly string[];
  output: EffectOutput;
}

/**
 * Applies effects to Ponte's own tables. Effect, idempotency record and ledger entries belong to the caller's
 * transaction. The number of statements does not depend on the size of the batch.
 */
@Injectable()
export class EffectsEmbedded extends EffectApplier {
  constructor(private readonly clock: Clock) {
    super();
  }

  override begin(tx: Transaction): EffectBatch {
    return new EmbeddedBatch(tx, this.clock);
  }
}

/** See {@link EffectsEmbedded}. */
class EmbeddedBatch implements EffectBatch {
  private readonly posting: Posting;
  private readonly changes: CausedChange[] = [];

  constructor(
    private readonly tx: Transaction,
    private readonly clock: Clock,
  ) {
    this.posting = new Posting(tx);
  }

  /** What finds sees what is changed in the same call. */
  async apply(requests: readonly EffectRequest[]): Promise<EffectResult[]> {
    const finding = requests.filter(isFinding);
    if (finding.length === 0) return this.change(requests);
    const changed = (await this.change(requests.filter((request) => !isFinding(request)))).values();
    const found = (await this.find(finding)).values();
    return requests.map((request) => next(isFinding(request) ? found : changed));
  }

  private async find(requests: readonly EffectRequest[]): Promise<EffectResult[]> {
    const names = new Map(requests.flatMap(wantedRecords).map((name) => [keyOf(name), name]));
    const records = await findEffects(this.tx, [...names.values()]);
    return requests.map((request) => foundEffect(request, records));
  }

  private async change(requests: readonly EffectRequest[]): Promise<EffectResult[]> {
    if (requests.length === 0) return [];
    const booked = await findBookedCustomers(this.tx, requests.flatMap(bookingKeys));
    const customers = requests.map(
      (request) => bookingKeys(request).flatMap((key) => booked.get(keyOf(key)) ?? [])[0],
    );
    const open = requests.filter(
      ({ onlyIfBooked }, index) => !customers[index] && onlyIfBooked === undefined,
    );
    const applied = (await this.applyOpen(open)).values();
    const results: EffectResult[] = [];
    for (const [index, request] of requests.entries()) {
      const customer = customers[index];
      if (customer) results.push(await this.takeBooked(request, customer));
      else if (request.onlyIfBooked !== undefined) results.push(notBooked(request.onlyIfBooked));
      else results.push(next(applied));
    }
    return requests.some(isFollowing) ? this.follow(requests, results) : results;
  }

  private async follow(
    requests: readonly EffectRequest[],
    results: readonly EffectResult[],
  ): Promise<EffectResult[]> {
    const followed = await followShop(this.tx, requests, results);
    this.changes.push(...followed.changes);
    return followed.results;
  }

  /** Takes the customer whom the order is booked for, and gives them the document that they lacked. */
  private async takeBooked(
    { organization, effect, onlyIfBooked, deliveryId }: EffectRequest,
    { id }: BookedCustomer,
  ): Promise<EffectResult> {
    const taken: EffectResult = { state: 'existing', output: { id }, attention: [] };
    if (onlyIfBooked !== undefined) return { ...taken, attention: customerDiffers(onlyIfBooked) };
    const read = attempt(() => readCustomer(effect.input as CustomerInput));
    if (isRefused(read)) return { ...taken, attention: customerDiffers(read.detail) };
    if (!read.document) return taken;
    switch (await fillInDocument(this.tx, organization.id, id, read.document)) {
      case 'same':
        return taken;
      case 'filled-in':
        this.changes.push({
          ...{ type: 'customer.updated', id, organization },
          ...{ businessKey: effect.key, deliveryId },
        });
        return { ...taken, state: 'applied' };
      case 'taken':
        return {
          ...taken,
          attention: customerDiffers('a later event names a document that another customer has'),
        };
      case 'other':
        return { ...taken, attention: customerDiffers('a later event names another document') };
    }
  }

  private async applyOpen(requests: readonly EffectRequest[]): Promise<EffectResult[]> {
    const readings = requests.map((request) => attempt(() => this.read(request)));
    const first = new Map<string, Candidate>();
    for (const reading of readings) {
      if (!isRefused(reading) && !first.has(reading.name)) first.set(reading.name, reading);
    }
    const candidates = [...first.values()];
    const reserved = await reserveEffects(this.tx, candidates.map(toRecord), this.clock.now());
    const fresh = candidates.filter(({ name }) => reserved.has(name));
    const taken = candidates.filter(({ name }) => !reserved.has(name));
    const records = await findEffects(this.tx, taken.map(toRecord));
    const compared = taken.filter(({ request }) => mayDiffer(request.effect));
    const before = await findPlannedBefore(this.tx, compared.map(toRecord));
    const outcomes = await this.applyFresh(fresh);
    const results = readings.map((reading) => {
      if (isRefused(reading)) return refusal(reading);
      const record = records.get(reading.name);
      if (record) return withDifferences(resultOfExisting(reading, record), reading, before);
      const outcome = outcomes.get(reading.name);
      if (outcome === undefined) throw new Error('an effect was neither applied nor found');
      return first.get(reading.name) === reading
        ? resultOfFresh(outcome)
        : resultOfRepeated(reading, first.get(reading.name), outcome);
    });
    return this.withoutWrittenOff(requests, results);
  }

  /** Asks nothing about receivables that were written off. */
  private async withoutWrittenOff(
    requests: readonly EffectRequest[],
    results: readonly EffectResult[],
  ): Promise<EffectResult[]> {
    const writeOffs = requests.map((request, index) => {
      const result = results[index];
      return result && mayBeWrittenOff(request, result);
    });
    const records = await findEffects(
      this.tx,
      writeOffs.flatMap((key) => key ?? []),
    );
    return results.map((result, index) => {
      const key = writeOffs[index];
      return key && wroteOff(records.get(keyOf(key))) ? { ...result, attention: [] } : result;
    });
  }

  async finish(): Promise<void> {
    // The records are read as they are written, in one go: the database does one after the other.
    await Promise.all([this.posting.write(), announce(this.tx, this.changes, this.clock.now())]);
  }

  private read(request: EffectRequest): Candidate {
    const { organization, effect } = request;
    const amountMinor = readAmount(request);
    if (isOutside(effect.operation)) throw new Error('what leaves the process is applied by no backend');
    const handler = EMBEDDED_HANDLERS[effect.operation as BooksOperation] as EffectHandler<unknown>;
    const ids = Array.from({ length: handler.recordsOf(effect.input) }, newId);
    return {
      request,
      name: keyOf({ organizationId: organization.id, key: effect.key }),
      amountMinor,
      ids,
      output: handler.outputOf(ids),
    };
  }

  /** @returns outcomes by name */
  private async applyFresh(fresh: readonly Candidate[]): Promise<Map<string, Outcome<Applied>>> {
    const outcomes = new Map<string, Outcome<Applied>>();
    for (const operation of Object.keys(EMBEDDED_HANDLERS) as BooksOperation[]) {
      const group = fresh.filter(({ request }) => request.effect.operation === operation);
      if (group.length === 0) continue;
      const handler = EMBEDDED_HANDLERS[operation] as EffectHandler<unknown>;
      const results = await handler.applyMany(this.posting, group.map(toReserved), this.clock.now());
      group.forEach(({ name }, index) => {
        const result = results[index];
        if (result) outcomes.set(name, result);
      });
    }
    await correctEffects(
      this.tx,
      fresh.flatMap((candidate) => correctionOf(candidate, outcomes.get(candidate.name))),
    );
    for (const candidate of fresh) this.changes.push(...changesOf(candidate, outcomes.get(candidate.name)));
    return outcomes;
  }
}

function next(results: Iterator<EffectResult>): EffectResult {
  const { value, done } = results.next() as IteratorResult<EffectResult, undefined>;
  if (done) throw new Error('an effect was left without a result');
  return value;
}

function bookingKeys({ organization, bookedAs = [] }: EffectRequest): EffectKey[] {
  return bookedAs.map((key) => ({ organizationId: organization.id, key }));
}

function toRecord({ request, amountMinor, output }: Candidate) {
  const { organization, effect, runId, step } = request;
  const { key, operation } = effect;
  return { organizationId: organization.id, key, operation, amountMinor, output, runId, step };
}

function toReserved({ request, ids }: Candidate): ReservedEffect<unknown> {
  const { organization, effect } = request;
  return { organization, key: effect.key, input: effect.input, ids };
}

/** Nothing where what was written with the reservation is what came of it. */
function correctionOf(candidate: Candidate, outcome: Outcome<Applied> | undefined): EffectCorrection[] {
  if (!outcome) throw new Error('an effect was left without an outcome');
  const organizationId = candidate.request.organization.id;
  const { key } = candidate.request.effect;
  if (isRefused(outcome)) {
    return [{ organizationId, key, state: 'refused', output: {}, reason: outcome.detail }];
  }
  const { output } = outcome;
  return isSame(output, candidate.output) ? [] : [{ organizationId, key, state: 'applied', output }];
}

function isSame({ id, all = [] }: EffectOutput, other: EffectOutput): boolean {
  const others = other.all ?? [];
  return id === other.id && all.length === others.length && all.every((one, index) => one === others[index]);
}

function changesOf({ request }: Candidate, outcome: Outcome<Applied> | undefined): CausedChange[] {
  if (!outcome || isRefused(outcome)) return [];
  const { organization, effect, deliveryId } = request;
  return outcome.changes.map(({ type, id, shownAs, besides }) => {
    return { type, id, shownAs, besides, organization, businessKey: effect.key, deliveryId };
  });
}

function resultOfFresh(outcome: Outcome<Applied>): EffectResult {
  if (isRefused(outcome)) return refusal(outcome);
  const { output, attention, found = false } = outcome;
  return { state: found ? 'existing' : 'applied', output, attention };
}

/** The same key a second time in one batch: as if the first had been applied long ago. */
function resultOfRepeated(
  candidate: Candidate,
  first: Candidate | undefined,
  outcome: Outcome<Applied>,
): EffectResult {
  if (!first) throw new Error('a repeated effect has a first one');
  if (isRefused(outcome)) return refusal(outcome);
  const { operation } = first.request.effect;
  const amountMinor = first.amountMinor ?? null;
  return resultOfExisting(candidate, { state: 'applied', operation, amountMinor, output: outcome.output });
}

/** Names what the effect was applied with otherwise. */
function withDifferences(
  result: EffectResult,
  { request, name }: Candidate,
  before: ReadonlyMap<string, PlannedBefore>,
): EffectResult {
  if (!('attention' in result)) return result;
  return { ...result, attention: [...result.attention, ...contentDiffers(request, before.get(name))] };
}

function resultOfExisting(
  candidate: Candidate,
  record: Pick<EffectRecord, 'state' | 'operation' | 'amountMinor' | 'output'>,
): EffectResult {
  if (record.state !== 'applied') {
    const reason = 'what came of an earlier attempt is not known; a person must adopt or repeat it';
    return { state: 'refused', code: EFFECT_UNKNOWN, reason };
  }
  return existing(candidate.request, candidate.amountMinor, record);
}
