import { defineAction } from './action';
import { listOf, optional, text } from './input-types';

export const creditScheduleFind = defineAction({
  name: 'creditSchedule.find',
  description: 'Finds the receivable that creditSchedule.ensure made under the same key. Changes nothing.',
  undo: 'it changes nothing',
  asks: ['schedules.listOfCustomer'],
  input: {
    keys: optional(
      listOf(text),
      "keys of more receivables, for example those of an order's edits: those that are there are found as well",
    ),
  },
  output: {
    id: { type: 'ScheduleRef', description: 'the receivable, or its first instalment' },
    all: { type: 'ScheduleRefs', description: 'every instalment, of all keys' },
  },
  key: {
    required: true,
    description: 'the key that creditSchedule.ensure was given, for example ${order.key}',
  },
  finds: { canWait: true },
  plan({ keys = [] }, { key }) {
    const others = keys.map((other) => `credit-schedule/${other}`);
    const input = { reference: key, ...(others.length > 0 && { others }) };
    return { effects: [{ key: `credit-schedule/${key}`, operation: 'credit-schedule.find', input }] };
  },
});
