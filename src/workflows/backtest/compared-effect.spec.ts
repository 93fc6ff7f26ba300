import type { PlannedEffect } from '../../finance/api/effects/effect';
import type { Plan } from '../../rules/plan';
import { contentOf } from './compared-effect';

function planOf(description: string): Plan {
  const effect: PlannedEffect = {
    key: 'credit-schedule/shop/order/1',
    operation: 'credit-schedule.create',
    amount: '10.00',
    input: {
      ...{ customer: { $ref: 'customer.id' }, value: '10.00', dueDate: '2026-11-20' },
      ...{ description, reference: 'shop/order/1', category: '1.1.01' },
    },
  };
  return {
    ...{ rule: 'order-paid', version: 1, datesKnown: true },
    steps: [{ id: 'schedule', action: 'creditSchedule.ensure', effects: [effect] }],
  };
}

/** The plan with the contents of its effects removed, as it is stored then. */
function withoutContents(plan: Plan): Plan {
  const steps = plan.steps.map((step) => ({
    ...step,
    effects: step.effects.map((effect) => ({ ...effect, input: {} }) as unknown as PlannedEffect),
  }));
  return { ...plan, steps, removedAt: '2027-11-20T12:00:00.000Z' };
}

describe('the contents of two plans for one effect', () => {
  const [before, now] = [planOf('Order 1'), { ...planOf('Order 1, twice'), version: 2 }];
  const compared = (was: Plan) => contentOf(was, now, 'credit-schedule/shop/order/1', 'BRL');

  it('are told apart', () => {
    expect(compared({ ...before, steps: planOf('Order 1').steps })).not.toEqual([]);
    expect(compared(planOf('Order 1, twice'))).toEqual([]);
  });

  it('are not compared where those of the earlier one are no longer kept', () => {
    expect(compared(withoutContents(before))).toEqual([]);
  });
});
