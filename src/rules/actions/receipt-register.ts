import { defineAction } from './action';
import { amountProblem } from './amounts';
import { afterWriteOff, incomeContradiction, incomeInputs } from './income-after-write-off';
import { account, choice, date, money, optional, output, required, text } from './input-types';

export const receiptRegister = defineAction({
  name: 'receipt.register',
  description:
    'Spreads one payment over schedules as receipts, once for its key. What is left over needs a person, unless they were written off.',
  undo: 'the finance interface takes no receipt back: pay the same value out of the account with payment.register',
  asks: ['schedules.listOfCustomer', 'receipts.registerForSchedule', 'receipts.register'],
  input: {
    schedules: required(
      output('ScheduleRefs', 'ScheduleRef'),
      'what is being paid, for example ${steps.schedule.all}',
    ),
    allocate: required(choice(['oldest-first']), 'which schedules are paid first: those due first'),
    value: required(money, "how much was paid, in the organization's currency, above zero"),
    date: required(date, 'when it was paid'),
    account: required(account, 'code or UUID of the account that received it'),
    ...incomeInputs,
    unless: optional(
      text,
      "key of the same money's receipt, posted otherwise, such as ${order.payment.key}/settlement/1: where one stands under it, this one is left out",
    ),
  },
  output: { all: { type: 'ReceiptRefs', description: 'one receipt for each schedule that was reached' } },
  key: { required: true, description: "the payment's business key, for example ${order.payment.key}" },
  contradiction: incomeContradiction,
  plan({ schedules, value, date: day, account: received, unless, ...after }, { organization, key }) {
    const { refused = amountProblem('the value', value, organization), income } = afterWriteOff(after);
    if (refused !== undefined) return { refused };
    const amount = value.toString();
    return {
      effects: [
        {
          key: `receipt/${key}`,
          operation: 'receipt.allocate',
          amount,
          input: {
            schedules,
            value: amount,
            date: day.toString(),
            account: received,
            identifier: key,
            ...income,
            ...(unless !== undefined && { unless: `receipt/${unless}` }),
          },
        },
      ],
    };
  },
});
