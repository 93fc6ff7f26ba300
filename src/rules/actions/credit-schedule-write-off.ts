import { defineAction } from './action';
import { amountProblem } from './amounts';
import { account, date, money, optional, output, required, text } from './input-types';

export const creditScheduleWriteOff = defineAction({
  name: 'creditSchedule.writeOff',
  description:
    'Gives up what is still open of receivables, once for its key: receipts on a write-off account settle it, and a payment takes the same sum off that account.',
  undo: 'money that comes all the same is booked with receipt.registerDirectly',
  asks: ['schedules.listOfCustomer', 'receipts.registerForSchedule', 'payments.register'],
  input: {
    schedules: required(
      output('ScheduleRefs', 'ScheduleRef'),
      'what is given up, for example ${steps.schedule.all}',
    ),
    account: required(account, 'code or UUID of the write-off account; it is where it was afterwards'),
    category: required(text, 'reference code or UUID of a category of type out, such as cancelled sales'),
    date: required(date, 'when it is given up'),
    description: required(text, 'what it was for'),
    value: optional(money, 'at most so much, those due last first; absent: all that is open'),
    costCenter: optional(text, 'external code or UUID of a cost center'),
  },
  output: {},
  key: {
    required: true,
    description:
      'business key, for example ${order.key}/cancelled; the receipts carry it as their identifier and the payment as its reference',
  },
  plan(input, { organization, key }) {
    const { schedules, account: through, category, date: day, description, value, costCenter } = input;
    const refused = value && amountProblem('the value', value, organization);
    if (refused !== undefined) return { refused };
    const most = value && { value: value.toString() };
    return {
      effects: [
        {
          key: `write-off/${key}`,
          operation: 'credit-schedule.write-off',
          ...(most && { amount: most.value }),
          input: {
            ...{ schedules, account: through, category, date: day.toString(), description, reference: key },
            ...most,
            ...(costCenter !== undefined && { costCenter }),
          },
        },
      ],
    };
  },
});
