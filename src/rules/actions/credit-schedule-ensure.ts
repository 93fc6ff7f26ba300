import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { MAX_INSTALMENTS } from '../cel/limits';
import { defineAction } from './action';
import { amountProblem, canBePosted } from './amounts';
import {
  date,
  flag,
  instalments,
  money,
  optional,
  output,
  required,
  text,
  type ValuesOf,
} from './input-types';

const INPUT = {
  customer: required(output('CustomerRef'), 'who owes'),
  value: required(money, "how much, in the organization's currency, above zero"),
  dueDate: required(date, 'when it is due; with instalments each has its own'),
  description: required(text, 'what it is for'),
  category: optional(text, 'reference code or UUID of a category of type in'),
  costCenter: optional(text, 'external code or UUID of a cost center'),
  instalments: optional(instalments, 'parts that add up to the value; a single one means none'),
  settled: optional(
    flag,
    'true where all of it is paid: of a receivable that is there already, due dates and instalments are not compared',
  ),
  writeOff: optional(
    text,
    'key of the creditSchedule.writeOff of this receivable, for example ${order.key}/cancelled: once that gave up something of it, nothing is compared any more',
  ),
};

export const creditScheduleEnsure = defineAction({
  name: 'creditSchedule.ensure',
  description: 'Creates a receivable, or one for each instalment, once for its key.',
  undo: 'what is open of it is given up with creditSchedule.writeOff',
  asks: ['schedules.createCredit', 'schedules.listOfCustomer'],
  input: INPUT,
  output: {
    id: { type: 'ScheduleRef', description: 'the schedule, or the first instalment' },
    all: { type: 'ScheduleRefs', description: 'every instalment, the schedule alone when there are none' },
  },
  key: {
    required: true,
    description: 'business key, for example ${order.key}; the schedule carries it as its reference',
  },
  plan(input, { organization, key }) {
    const refused =
      amountProblem('the value', input.value, organization) ?? instalmentsProblem(input, organization);
    if (refused !== undefined) return { refused };
    const { customer, value, dueDate, description, category, costCenter, settled = false, writeOff } = input;
    return {
      effects: [
        {
          key: `credit-schedule/${key}`,
          operation: 'credit-schedule.create',
          amount: value.toString(),
          input: {
            customer,
            value: value.toString(),
            dueDate: dueDate.toString(),
            description,
            reference: key,
            ...(category === undefined ? {} : { category }),
            ...(costCenter === undefined ? {} : { costCenter }),
            ...plannedInstalments(input),
            ...(settled && { settled }),
            ...(writeOff !== undefined && { writeOff: `write-off/${writeOff}` }),
          },
        },
      ],
    };
  },
});

type Input = ValuesOf<typeof INPUT>;

function instalmentsProblem(
  { value, instalments: parts }: Input,
  organization: Organization,
): string | undefined {
  if (parts === undefined) return undefined;
  if (parts.length > MAX_INSTALMENTS)
    return `there are ${parts.length} instalments; at most ${MAX_INSTALMENTS} are taken`;
  const wrong = parts.findIndex((part) => !canBePosted(part.value, organization));
  const amount = parts[wrong]?.value;
  if (amount) return amountProblem(`instalment ${wrong + 1} of ${parts.length}`, amount, organization);
  const sum = parts.reduce((total, part) => total.plus(part.value), Money.zero(organization.currency));
  if (sum.equals(value)) return undefined;
  const difference = value.minus(sum);
  return `the instalments add up to ${sum.toString()}, not to ${value.toString()}: the difference is ${difference.toString()}`;
}

function plannedInstalments({ instalments: parts }: Input) {
  if (parts === undefined || parts.length < 2) return {};
  return {
    instalments: parts.map(({ value, dueDate, description }) => ({
      value: value.toString(),
      dueDate: dueDate.toString(),
      ...(description === undefined ? {} : { description }),
    })),
  };
}
