import type { EffectResult } from '../finance/api/effects/effect';
import type { Plan } from '../rules/plan';
import { Run } from './run';

const organization = {
  id: 'org',
  slug: 'main',
  name: 'Main',
  timeZone: 'America/Sao_Paulo',
  currency: 'BRL',
};

const plan: Plan = {
  rule: 'order-paid',
  version: 1,
  steps: [
    {
      id: 'customer',
      action: 'customer.ensure',
      effects: [{ key: 'c', operation: 'customer.ensure', input: { name: 'Ana' } }],
    },
    {
      id: 'receipt',
      action: 'receipt.register',
      effects: [
        {
          key: 'r',
          operation: 'receipt.allocate',
          input: {
            schedules: { $ref: 'schedule.all' },
            value: '1.00',
            date: '2026-01-01',
            account: 'main',
            identifier: 'p',
          },
        },
      ],
    },
  ],
};

const applied = (output: { id?: string; all?: string[] }): EffectResult => ({
  state: 'applied',
  output,
  attention: [],
});

function run(steps: Plan['steps']): Run {
  return new Run('run', organization, 'delivery', 0, 'order.paid', 'shop/order/1', { ...plan, steps });
}

const schedule: Plan['steps'][number] = {
  id: 'schedule',
  action: 'creditSchedule.ensure',
  effects: [
    {
      key: 's',
      operation: 'credit-schedule.create',
      input: {
        customer: { $ref: 'customer.id' },
        value: '1.00',
        dueDate: '2026-01-01',
        description: 'd',
        reference: 'r',
      },
    },
  ],
};

describe('Run', () => {
  it('fills references with what earlier steps gave', () => {
    const [customer, receipt] = plan.steps;
    const walked = run([customer!, schedule, receipt!]);
    walked.record(applied({ id: 'C' }));
    expect(walked.next().effect.input).toMatchObject({ customer: 'C' });
    walked.record(applied({ id: 'S1', all: ['S1', 'S2'] }));
    expect(walked.next().effect.input).toMatchObject({ schedules: ['S1', 'S2'] });
    walked.record(applied({ all: ['R1'] }));
    expect(walked.finished).toBe(true);
    expect(walked.steps.map((step) => step.state)).toEqual(['applied', 'applied', 'applied']);
  });

  it('stops at a refused step, keeps what stands and leaves the rest pending', () => {
    const [customer, receipt] = plan.steps;
    const walked = run([customer!, schedule, receipt!]);
    walked.record({ state: 'existing', output: { id: 'C' }, attention: [] });
    walked.record({ state: 'refused', code: 'x', reason: 'the category is unknown' });
    expect(walked.finished).toBe(true);
    expect(walked.refusal).toBe('step schedule: the category is unknown');
    expect(walked.steps.map((step) => step.state)).toEqual(['existing', 'refused', 'pending']);
  });

  it('passes over steps without effects', () => {
    const [customer] = plan.steps;
    const walked = run([{ id: 'nothing', action: 'none', effects: [] }, customer!]);
    expect(walked.next().step).toBe('customer');
  });

  it('refuses a reference that nothing gave', () => {
    expect(() => run([schedule]).next()).toThrow('customer.id');
  });

  it('joins the outputs of a step with several effects', () => {
    const [customer] = plan.steps;
    const walked = run([
      { ...customer!, effects: [customer!.effects[0]!, { ...customer!.effects[0]!, key: 'c2' }] },
    ]);
    walked.record(applied({ id: 'A', all: ['A'] }));
    expect(walked.finished).toBe(false);
    walked.record(applied({ id: 'B', all: ['B'] }));
    expect(walked.steps[0]?.output).toEqual({ id: 'A', all: ['A', 'B'] });
  });

  const find: Plan['steps'][number] = {
    id: 'schedule',
    action: 'creditSchedule.find',
    effects: [{ key: 's', operation: 'credit-schedule.find', input: { reference: 'r' } }],
  };
  const missing: EffectResult = { state: 'refused', code: 'record-missing', reason: 'none', waitsFor: 's' };
  const refused: EffectResult = { state: 'refused', code: 'x', reason: 'no' };
  const states = (walked: Run) => walked.steps.map(({ state }) => state);

  it('waits for a record with `ifMissing: wait`, skips what uses it with `skip`, and else is refused', () => {
    const [customer, receipt] = plan.steps;
    const came = (ifMissing?: 'wait' | 'skip') => {
      const walked = run([{ ...find, ...(ifMissing && { ifMissing }) }, receipt!, customer!]);
      walked.record(missing);
      return walked;
    };
    expect(came('wait')).toMatchObject({ finished: true, waitsFor: 's', refusal: 'step schedule: none' });
    expect(came()).toMatchObject({ finished: true, refusal: 'step schedule: none' });
    expect(came().waitsFor).toBeUndefined();
    const skipped = came('skip');
    expect(skipped.next().step).toBe('customer');
    expect(states(skipped)).toEqual(['skipped', 'skipped', 'pending']);
  });

  it('goes on after a refused step with `onRefused: continue`, without what uses it', () => {
    const [customer, receipt] = plan.steps;
    const own = run([
      { ...customer!, onRefused: 'continue' },
      schedule,
      receipt!,
      { ...customer!, id: 'other' },
    ]);
    own.record(refused);
    expect(own.next().step).toBe('other');
    own.record(applied({ id: 'C' }));
    expect(own.refusal).toBeUndefined();
    expect(states(own)).toEqual(['refused', 'skipped', 'skipped', 'applied']);
    expect(own.attention).toEqual([
      { code: 'step-refused', detail: 'rule order-paid, step customer, key c: no', amount: '0' },
    ]);
  });

  it('never takes an unknown outcome for a refusal that it can go on after', () => {
    const [customer] = plan.steps;
    const walked = run([
      { ...customer!, onRefused: 'continue' },
      { ...customer!, id: 'other' },
    ]);
    walked.record({ state: 'refused', code: 'effect-unknown', reason: 'nobody knows' });
    expect(walked).toMatchObject({ finished: true, attention: [], refusal: 'step customer: nobody knows' });
  });

  it('goes on with the next element, and leaves out what is left of the refused one', () => {
    const [customer] = plan.steps;
    const effects = ['a1', 'a2', 'b1', 'b2'].map((key) => ({ ...customer!.effects[0]!, key }));
    const walked = run([{ ...customer!, effects, elements: [2, 2], onRefused: 'continue' }]);
    walked.record(refused);
    expect(walked.next().effect.key).toBe('b1');
    walked.record(applied({ id: 'B' }));
    walked.record(applied({ id: 'B' }));
    expect(walked.finished).toBe(true);
    expect(states(walked)).toEqual(['refused']);
  });

  it('holds back what is to be approved with what uses it, and what was declined', () => {
    const [customer, receipt] = plan.steps;
    const walked = run([customer!, schedule, receipt!, { ...customer!, id: 'other', effects: [] }]);
    walked.holdBack(new Map([['s', { state: 'waiting', approval: 'A' }]]));
    walked.record(applied({ id: 'C' }));
    expect(walked.finished).toBe(true);
    expect(states(walked)).toEqual(['applied', 'waiting', 'waiting', 'pending']);
    expect(walked.attention).toEqual([
      {
        code: 'approval-required',
        detail:
          'rule order-paid, step schedule: credit-schedule.create under the key s waits for the approval A',
        amount: '1.00',
      },
    ]);
    const declined = run([customer!, schedule, receipt!]);
    declined.holdBack(new Map([['s', { state: 'skipped', reason: 'declined' }]]));
    declined.record(applied({ id: 'C' }));
    expect(states(declined)).toEqual(['applied', 'skipped', 'skipped']);
    expect(declined.attention).toEqual([]);
  });

  it('says once why elements of a step cannot be planned', () => {
    const [customer] = plan.steps;
    const walked = run([{ ...customer!, unplanned: ['input "name": it is empty'], onRefused: 'continue' }]);
    walked.holdBack(new Map());
    walked.record(applied({ id: 'C' }));
    expect(states(walked)).toEqual(['refused']);
    expect(walked.attention).toEqual([
      {
        code: 'step-refused',
        detail: 'rule order-paid, step customer: input "name": it is empty',
        amount: '0',
      },
    ]);
  });
});
