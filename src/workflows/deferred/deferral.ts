import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import type { Attention } from '../../finance/api/effects/attention';
import type { EffectDeclaration } from '../../finance/api/effects/declaration';
import type { EffectRequest, PlannedEffect } from '../../finance/api/effects/effect';
import { EFFECTS, isOutside } from '../../finance/api/effects/registry';
import { CalendarDate } from '../../kernel/calendar-date';
import { SharedClock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import { midnightOf } from '../../kernel/time-zone';
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
    private readonly clock: SharedClock,
  ) {}

  /** Whether an effect may be one to put off; most are not, and nothing needs to be asked of the database. */
  concerns({ effect }: EffectRequest): boolean {
    return effect.notBefore !== undefined || isOutside(effect.operation);
  }

  /**
   * Stores what is to be put off, each key once.
   * @returns what came of those that are put off; the others are to be applied now
   */
  async putOff(tx: Transaction, asked: readonly Asked[]): Promise<Map<Run, StepResult>> {
    const concerned = asked.filter(({ request }) => this.concerns(request));
    if (concerned.length === 0) return new Map();
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
    return new Map(
      concerned.flatMap(({ run, request }) => {
        const row = byKey.get(`${request.organization.id}/${request.effect.key}`);
        const result = row && resultOf(request, row);
        return result ? [[run, result] as const] : [];
      }),
    );
  }
}

/** Whether its day is later than today in the organization's zone, or it leaves the process. */
function isEarly({ organization: { timeZone }, effect }: EffectRequest, now: Date): boolean {
  if (isOutside(effect.operation)) return true;
  const today = CalendarDate.fromInstant(now, timeZone).toString();
  return effect.notBefore !== undefined && effect.notBefore > today;
}

function toStore({ run, request }: Asked, now: Date): NewDeferredEffect {
  const { organization, effect, runId, step, rule, datesKnown = false } = request;
  if (!rule) throw new Error('an effect is put off for the rule that asks for it');
  const dueAt =
    effect.notBefore === undefined ? now : new Date(midnightOf(effect.notBefore, organization.timeZone));
  return {
    ...{ id: newId(), organization, effect, rule, datesKnown, runId, step, dueAt },
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
  const { notBefore: day } = row.effect;
  return { state: 'deferred', ...(day !== undefined && { day }), attention: differences(request, row) };
}

/** What is now asked for otherwise than it was stored: it stays as it was stored, and a person has to see it. */
function differences({ organization, effect, rule, datesKnown = false }: EffectRequest, row: StoredDeferral) {
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
  const dates = datesKnown && row.datesKnown;
  const declaration: EffectDeclaration<object> = EFFECTS[effect.operation];
  const said = declaration.differences?.(row.effect.input, effect.input, { dates, currency }) ?? [];
  if (dates) said.push(...dayDiffers(row.effect, effect));
  if (said.length === 0) return found;
  const detail = `${effect.key} is deferred with other content than it is now asked for with, and nothing was changed: ${said.join('; ')}`;
  return [...found, { code: 'content-differs' as const, detail, amount }];
}

function dayDiffers(before: PlannedEffect, now: PlannedEffect): string[] {
  if (before.notBefore === now.notBefore) return [];
  return [`day ${before.notBefore ?? 'none'}, now ${now.notBefore ?? 'none'}`];
}
