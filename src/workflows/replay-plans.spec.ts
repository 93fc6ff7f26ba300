import type { PlannedEffect } from '../finance/api/effects/effect';
import type { RecordedEffect } from '../finance/api/effects/effect-records.port';
import type { PlannedStep } from '../rules/plan';
import type { StoredDeferral } from './deferred/deferred-effects.repository';
import { compareRun, type KnownEffects, madeBy, type ReplayPlan } from './replay-plans';

const SCHEDULE = 'credit-schedule/shop/order/1';

function payment(key: string, customer = 'whoever'): PlannedEffect {
  const input = { account: 'main', value: '5.00', date: '2026-03-01', description: 'd', reference: key };
  return { key, operation: 'payment.register', amount: '5.00', input: { ...input, stakeholder: customer } };
}

function find(more: Partial<PlannedStep> = {}): PlannedStep {
  const effect: PlannedEffect = {
    ...{ key: SCHEDULE, operation: 'credit-schedule.find' },
    input: { reference: 'shop/order/1' },
  };
  return { id: 'owed', action: 'creditSchedule.find', effects: [effect], ...more };
}

/** A step that uses what another gives. */
function using(id: string, of: string): PlannedStep {
  const effect = payment(`payment/${id}`);
  const input = { ...effect.input, stakeholder: { $ref: `${of}.id` } };
  return { id, action: 'payment.register', effects: [{ ...effect, input } as PlannedEffect] };
}

function step(id: string, more: Partial<PlannedStep> = {}): PlannedStep {
  return { id, action: 'payment.register', effects: [payment(`payment/${id}`)], ...more };
}

function record(state: RecordedEffect['state'], operation = 'payment.register'): RecordedEffect {
  return { operation, state, amountMinor: null, runId: 'r' };
}

function compared(steps: PlannedStep[], known: Partial<KnownEffects> = {}) {
  const plan: ReplayPlan = { applied: [], missing: [], deferred: [], refused: [] };
  const nothing = { records: new Map(), deferred: new Map(), heldBack: new Map(), made: new Set<string>() };
  const organization = { id: 'o', slug: 'main', name: 'Main', timeZone: 'UTC', currency: 'BRL' };
  compareRun(plan, { plan: { rule: 'r', version: 1, steps }, organization }, { ...nothing, ...known });
  return {
    applied: plan.applied.map(({ key }) => key),
    missing: plan.missing.map(({ key }) => key),
    deferred: plan.deferred.map(({ key, state }) => `${key} ${state}`),
    refused: plan.refused.map(({ reason }) => reason),
  };
}

const NONE = { applied: [], missing: [], deferred: [], refused: [] };

describe('what working on a run again would do', () => {
  it('is what was not applied', () => {
    const records = new Map([['payment/a', record('applied')]]);
    expect(compared([step('a'), step('b')], { records })).toEqual({
      ...NONE,
      applied: ['payment/a'],
      missing: ['payment/b'],
    });
  });

  it('leaves a step out that uses a record which is not there, where its rule skips it, and what uses that', () => {
    const steps = [find({ ifMissing: 'skip' }), using('a', 'owed'), using('b', 'a'), step('c')];
    expect(compared(steps)).toEqual({ ...NONE, missing: ['payment/c'] });
  });

  it.each([undefined, 'wait'] as const)(
    'ends at a record that is not there with ifMissing %s',
    (ifMissing) => {
      const steps = [step('a'), find(ifMissing && { ifMissing }), step('b')];
      expect(compared(steps)).toEqual({
        ...NONE,
        missing: ['payment/a'],
        refused: [`there is no receivable under the key ${SCHEDULE}`],
      });
    },
  );

  it('goes on where the record is there, or is going to be made', () => {
    const steps = [find({ ifMissing: 'skip' }), using('a', 'owed')];
    const records = new Map([[SCHEDULE, record('applied', 'credit-schedule.create')]]);
    expect(compared(steps, { records })).toEqual({ ...NONE, missing: ['payment/a'] });
    expect(compared(steps, { made: new Set([SCHEDULE]) })).toEqual({ ...NONE, missing: ['payment/a'] });
  });

  it('names what an operator has to approve or declined, and leaves out what uses it', () => {
    const steps = [step('a', { approval: 'required' }), using('b', 'a'), step('c', { approval: 'required' })];
    const heldBack = new Map([
      ['payment/a', 'waiting'],
      ['payment/c', 'declined'],
    ] as const);
    expect(compared(steps, { heldBack })).toEqual({
      ...NONE,
      deferred: ['payment/a waiting', 'payment/c declined'],
    });
    const records = new Map([['payment/a', record('applied')]]);
    expect(compared(steps.slice(0, 1), { heldBack, records })).toEqual({ ...NONE, applied: ['payment/a'] });
  });

  it('names what is deferred or was given up', () => {
    const stored = (state: StoredDeferral['state']) => ({ state }) as StoredDeferral;
    const deferred = new Map([
      ['payment/a', stored('waiting')],
      ['payment/b', stored('cancelled')],
    ]);
    expect(compared([step('a'), step('b')], { deferred })).toEqual({
      ...NONE,
      deferred: ['payment/a deferred', 'payment/b cancelled'],
    });
  });

  it('takes for made what makes something, and not what looks for it', () => {
    const run = { plan: { rule: 'r', version: 1, steps: [find(), step('a')] } };
    expect(madeBy([run])).toEqual(new Set(['payment/a']));
  });
});
