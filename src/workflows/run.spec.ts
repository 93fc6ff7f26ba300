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
});
