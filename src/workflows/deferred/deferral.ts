import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import type { Attention } from '../../finance/api/effects/attention';
import {
  changed,
  datesCount,
  type DatesSaid,
  type EffectDeclaration,
} from '../../finance/api/effects/declaration';
import type { EffectRequest, PlannedEffect } from '../../finance/api/effects/effect';
import { EffectRecords, type RecordedEffect } from '../../finance/api/effects/effect-records.port';
import { EFFECTS, isOutside } from '../../finance/api/effects/registry';
import { CalendarDate } from '../../kernel/calendar-date';
import { SharedClock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import { midnightOf } from '../../kernel/time-zone';
import { keysOfEffects, minorOf, otherKeyOf } from '../../rules/plan';
import type { Run, StepResult } from '../run';
import { DeferredEffects, type NewDeferredEffect, type StoredDeferral } from './deferred-effects.repository';

/** The effect that a run comes to. */
export interface Asked {
  readonly run: Run;
  readonly request: EffectRequest;
}

/**
 * Decides which effects are put off: their day has not come, or they leave the process. Once an effect is stored, its
 * worker alone applies it: whoever asks for its key again, on whatever day, is told that it is deferred.
 */
@Injectable()
export class Deferral {
  constructor(
    private readonly stored: DeferredEffects,
    private readonly records: EffectRecords,
    private readonly clock: SharedClock,
  ) {}

  /** Whether an effect may be one to put off or to leave out; most are not, and nothing needs to be asked of the database. */
  concerns({ effect }: EffectRequest): boolean {
    return mayWait(effect) || otherKeyOf(effect) !== undefined;
  }

  /**
   * Stores what is to be put off, each key once.
   * @returns what came of those that are put off, or left out because their money is posted otherwise; the others are to be
   * applied now
   */
  async putOff(tx: Transaction, asked: readonly Asked[]): Promise<Map<Run, StepResult>> {
    const candidates = asked.filter(({ request }) => this.concerns(request));
    if (candidates.length === 0) return new Map();
    const leftOut = await this.postedOtherwise(tx, candidates);
    // What is asked for without a day is to be now, also where a part with its key waits for its day.
    const concerned = candidates.filter((one) => !leftOut.has(one) && mayWait(one.request.effect));
    const result: StepResult = { state: 'existing', output: {}, attention: [] };
    const left = [...leftOut].map(({ run }) => [run, result] as const);
    if (concerned.length === 0) return new Map(left);
    const now = this.clock.now();
    const early = concerned.filter(({ request }) => isEarly(request, now));
    await this.stored.store(
      tx,
      early.map((item) => toStore(item, now)),
      now,
    );
    const found = await this.stored.find(
      tx,
      concerned.map(({ request: { organization, effect } }) => ({
        organizationId: organization.id,
        key: effect.key,
      })),
    );
    const byKey = new Map(found.map((row) => [`${row.organizationId}/${row.key}`, row]));
    const replaced = await this.replaceOlder(tx, concerned, byKey, now);
    const stored = concerned.flatMap(({ run, request }) => {
      const key = placeOf(request);
      const row = byKey.get(key);
      const came = replaced.has(key) ? deferredUntil(request.effect) : row && resultOf(request, row);
      return came ? [[run, came] as const] : [];
    });
    return new Map([...left, ...stored]);
  }

  /** What waits has the day of what was said last, as when an acquirer pays on another day than it announced. */
  private async replaceOlder(
    tx: Transaction,
    asked: readonly Asked[],
    stored: ReadonlyMap<string, StoredDeferral>,
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const later = new Map<string, Asked>();
    for (const one of asked) {
      const row = stored.get(placeOf(one.request));
      if (row && isSaidLater(one.request, row)) later.set(placeOf(one.request), one);
    }
    return this.stored.replace(
      tx,
      [...later.values()].map((one) => toStore(one, now)),
    );
  }

  /** Those whose money is posted under another key, or waits for its day there. */
  private async postedOtherwise(tx: Transaction, asked: readonly Asked[]): Promise<Set<Asked>> {
    const found = new Set<Asked>();
    const concerned = asked.filter(({ request }) => otherKeyOf(request.effect) !== undefined);
    const idOf = ({ request }: Asked): string => request.organization.id;
    for (const organizationId of new Set(concerned.map(idOf))) {
      const own = concerned.filter((one) => idOf(one) === organizationId);
      const keys = keysOfEffects(own.flatMap(effectsOfStep));
      const [records, deferred] = await Promise.all([
        this.records.find(tx, organizationId, keys),
        this.stored.byKey(tx, organizationId, keys),
      ]);
      for (const one of own) {
        const { effect, organization } = one.request;
        const known = { records, deferred, currency: organization.currency };
        if (isPostedOtherwise(effect, effectsOfStep(one), known)) found.add(one);
      }
    }
    return found;
  }
}

/** What is known of effects by their business keys. */
interface KnownEffects {
  readonly records: ReadonlyMap<string, Pick<RecordedEffect, 'state' | 'amountMinor'>>;
  readonly deferred: ReadonlyMap<string, Pick<StoredDeferral, 'state' | 'effect'>>;
  readonly currency: string;
}

/**
 * Whether the money of an effect is posted otherwise, or will be: under another key and not under its own, or all of its step's money
 * in fewer parts than the step has.
 * @param step all effects of its step
 */
export function isPostedOtherwise(
  effect: PlannedEffect,
  step: readonly PlannedEffect[],
  { records, deferred, currency }: KnownEffects,
): boolean {
  const other = otherKeyOf(effect);
  if (other === undefined) return false;
  const isThere = (key: string): boolean => stands(records.get(key), deferred.get(key));
  if (isThere(other) && !isThere(effect.key)) return true;
  const standing = step.filter(({ key }) => isThere(key));
  if (standing.length === 0 || standing.length === step.length) return false;
  const planned = sumOf(step.map((one) => minorOf(one, currency)));
  const posted = sumOf(
    standing.map(({ key }) => {
      const record = records.get(key);
      const stored = deferred.get(key)?.effect;
      return isMade(record) ? record.amountMinor : stored && minorOf(stored, currency);
    }),
  );
  // One that stands is compared with what is asked for, unless nothing but the parts is another.
  return isThere(effect.key) ? posted === planned : posted >= planned;
}

function effectsOfStep({ run, request }: Asked): readonly PlannedEffect[] {
  return run.plan.steps.find(({ id }) => id === request.step)?.effects ?? [];
}

function sumOf(amounts: readonly (bigint | null | undefined)[]): bigint {
  return amounts.reduce<bigint>((sum, minor) => sum + (minor ?? 0n), 0n);
}

/** Whether an effect is one of a day, or leaves the process. */
function mayWait({ notBefore, operation }: PlannedEffect): boolean {
  return notBefore !== undefined || isOutside(operation);
}

/** Whether an effect is made, may be, or will be on its day. */
function stands(
  record: Pick<RecordedEffect, 'state'> | undefined,
  stored: Pick<StoredDeferral, 'state'> | undefined,
): boolean {
  return isMade(record) || stored?.state === 'waiting' || stored?.state === 'applied';
}

function isMade<R extends Pick<RecordedEffect, 'state'>>(record: R | undefined): record is R {
  return record !== undefined && record.state !== 'refused' && record.state !== 'abandoned';
}

/** Whether its day is later than today in the organization's zone, or it leaves the process. */
function isEarly({ organization: { timeZone }, effect }: EffectRequest, now: Date): boolean {
  if (isOutside(effect.operation)) return true;
  const today = CalendarDate.fromInstant(now, timeZone).toString();
  return effect.notBefore !== undefined && effect.notBefore > today;
}

function toStore({ run, request }: Asked, now: Date): NewDeferredEffect {
  const { organization, effect, runId, step, rule, datesKnown = false, saidAt } = request;
  if (!rule) throw new Error('an effect is put off for the rule that asks for it');
  const dueAt =
    effect.notBefore === undefined ? now : new Date(midnightOf(effect.notBefore, organization.timeZone));
  return {
    ...{ id: newId(), organization, rule, datesKnown, runId, step, dueAt },
    effect: { ...effect, ...(saidAt !== undefined && effect.notBefore !== undefined && { saidAt }) },
    ...{ deliveryId: run.deliveryId, businessKey: run.businessKey },
  };
}

/** @returns undefined: it was applied to the books, where a request under its key is compared with it */
function resultOf(request: EffectRequest, row: StoredDeferral): StepResult | undefined {
  const { effect } = request;
  if (row.effect.operation !== effect.operation) {
    const reason = `the key ${effect.key} stands for another effect: ${row.effect.operation}`;
    return { state: 'refused', code: 'conflict', reason };
  }
  if (row.state === 'applied') {
    return isOutside(effect.operation)
      ? { state: 'existing', output: {}, attention: differences(request, row) }
      : undefined;
  }
  return { ...deferredUntil(row.effect), attention: differences(request, row) };
}

function deferredUntil({ notBefore: day }: PlannedEffect): StepResult & { state: 'deferred' } {
  return { state: 'deferred', ...(day !== undefined && { day }), attention: [] };
}

/** What it is known by. */
function placeOf({ organization, effect }: EffectRequest): string {
  return `${organization.id}/${effect.key}`;
}

function saidOf({ datesKnown, effect: { saidAt } }: StoredDeferral): DatesSaid {
  return { datesKnown, saidAt };
}

/** Whether one that waits is asked for with nothing else than a day that was said later, or said at all. */
function isSaidLater(request: EffectRequest, row: StoredDeferral): boolean {
  const { effect, saidAt } = request;
  const { currency } = request.organization;
  const { effect: before } = row;
  if (row.state !== 'waiting' || before.notBefore === undefined || effect.notBefore === undefined)
    return false;
  if (before.operation !== effect.operation || before.amount !== effect.amount) return false;
  if (before.removedAt !== undefined || (effect.dayInferred && !before.dayInferred)) return false;
  const isFirstSaid = before.dayInferred && !effect.dayInferred && request.datesKnown === true;
  if (!isFirstSaid) {
    if (!datesCount(request, saidOf(row))) return false;
    if (saidAt === undefined || before.saidAt === undefined || saidAt === before.saidAt) return false;
  }
  const declaration: EffectDeclaration<object> = EFFECTS[effect.operation];
  const others =
    declaration.differences?.(before.input, effect.input, { dates: false, names: !row.rulesPut, currency }) ??
    [];
  return others.length === 0;
}

/** What is now asked for otherwise than it was stored: it stays as it was stored, and a person has to see it. */
function differences(request: EffectRequest, row: StoredDeferral) {
  const { organization, effect, rule } = request;
  const found: Attention[] = [];
  const { currency } = organization;
  const amount = effect.amount ?? '0';
  if (effect.amount !== row.effect.amount) {
    const detail = `${effect.key} is deferred with ${row.effect.amount ?? 'no amount'} and is now asked for with ${effect.amount ?? 'no amount'} (${currency}); nothing was changed`;
    found.push({ code: 'amount-differs', detail, amount });
  }
  if (row.effect.removedAt !== undefined) return found;
  // A rule that was changed in between asks for something else on purpose.
  if (row.rule === rule?.name && row.ruleVersion !== rule.version) return found;
  const names = !row.rulesPut;
  const dates = !effect.dayInferred && datesCount(request, saidOf(row));
  const declaration: EffectDeclaration<object> = EFFECTS[effect.operation];
  const said = declaration.differences?.(row.effect.input, effect.input, { dates, names, currency }) ?? [];
  if (dates) said.push(...dayDiffers(row.effect, effect, said));
  if (said.length === 0) return found;
  const detail = `${effect.key} is deferred with other content than it is now asked for with, and nothing was changed: ${said.join('; ')}`;
  return [...found, { code: 'content-differs' as const, detail, amount }];
}

/** @param said what differs besides: a record whose date is its day says there that it is another */
function dayDiffers(before: PlannedEffect, now: PlannedEffect, said: readonly string[]): string[] {
  const [asDate] = changed('date', before.notBefore, now.notBefore);
  if (asDate === undefined || said.includes(asDate)) return [];
  return changed('day', before.notBefore, now.notBefore);
}
