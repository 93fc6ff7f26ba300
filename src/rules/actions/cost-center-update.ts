import { hash } from 'node:crypto';
import { defineAction } from './action';
import { instant, required, text } from './input-types';

export const costCenterUpdate = defineAction({
  name: 'costCenter.update',
  description: 'Gives a cost center the description that the newest event has of it.',
  undo: 'a later event with the description of before',
  asks: ['costCenters.list', 'costCenters.update'],
  input: {
    costCenter: required(text, 'external code or UUID of the cost center'),
    description: required(text, 'its description'),
    asOf: required(instant, 'when it was so, for example ${event.occurredAt}: what a later event said stays'),
  },
  output: {},
  key: { required: false, description: 'business key; absent: the cost center' },
  plan({ costCenter, description, asOf }, { key }) {
    // Each thing that is said at some instant is an effect of its own.
    const said = `${asOf.toISOString()}/${hash('sha256', description, 'hex').slice(0, 16)}`;
    return {
      effects: [
        {
          key: `cost-center/${key === '' ? costCenter : key}/${said}`,
          operation: 'cost-center.update',
          input: { costCenter, description, asOf: asOf.toISOString() },
        },
      ],
    };
  },
});
