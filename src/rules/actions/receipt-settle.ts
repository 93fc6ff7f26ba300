import type { PlannedEffect } from '../../finance/api/effects/effect';
import type { Organization } from '../../kernel/organization';
import { MAX_INSTALMENTS } from '../cel/limits';
import { defineAction } from './action';
import { amountProblem } from './amounts';
import { afterWriteOff, incomeContradiction, incomeInputs } from './income-after-write-off';
import {
  account,
  flag,
  INFERRED,
  optional,
  output,
  required,
  settlementPlan,
  text,
  type SettledPart,
} from './input-types';

export const receiptSettle = defineAction({
  name: 'receipt.settle',
  description:
    'Registers receipts for a payment that an acquirer pays in parts, each on its day: what is due later is deferred until then. What is left over needs a person, unless they were written off.',
  undo: 'give up the parts that are deferred (ponte deferred cancel), and pay the others out of the account with payment.register',
  asks: ['schedules.listOfCustomer', 'receipts.registerForSchedule', 'receipts.register'],
  input: {
    schedules: required(
      output('ScheduleRefs', 'ScheduleRef'),
      'what is being paid, for example ${steps.schedule.all}',
    ),
    account: required(account, 'code or UUID of the account that receives it'),
    plan: required(
      settlementPlan,
      'the parts: ${order.payment.value.instalments(3, firstDay)}, the settlements of an event, or written out',
    ),
    ...incomeInputs,
    inferred: optional(flag, INFERRED),
    unless: optional(
      text,
      "key of the same money's receipt in one, such as ${order.payment.key}: where one stands under it, or other parts that come to all of the plan, a part is left out",
    ),
  },
  output: {},
  key: {
    required: true,
    description:
      "business key; each part's is this one with its number, for example ${order.payment.key}/settlement",
  },
  contradiction: incomeContradiction,
  plan({ schedules, account: receiving, plan, unless, inferred, ...after }, { organization, key }) {
    const parts = plan.map((part, index) => ({ ...part, number: part.number ?? index + 1 }));
    const { refused = partsProblem(parts, organization), income } = afterWriteOff(after);
    if (refused !== undefined) return { refused };
    const otherwise = unless !== undefined && { unless: `receipt/${unless}` };
    const effects = parts.map(({ value, on, number }): PlannedEffect => {
      const [amount, day, identifier] = [value.toString(), on.toString(), `${key}/${number}`];
      return {
        ...{
          key: `receipt/${identifier}`,
          operation: 'receipt.allocate',
          amount,
          notBefore: day,
          ...(inferred && { dayInferred: true }),
        },
        input: {
          schedules,
          value: amount,
          date: day,
          account: receiving,
          identifier,
          ...income,
          ...otherwise,
        },
      };
    });
    return { effects };
  },
});

function partsProblem(
  parts: readonly (SettledPart & { number: number })[],
  organization: Organization,
): string | undefined {
  if (parts.length > MAX_INSTALMENTS)
    return `the plan has ${parts.length} parts; there may be ${MAX_INSTALMENTS}`;
  const numbers = new Set<number>();
  for (const { number, value } of parts) {
    if (numbers.has(number)) return `the plan has two parts with the number ${number}`;
    numbers.add(number);
    const problem = amountProblem(`part ${number} of the plan`, value, organization);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
