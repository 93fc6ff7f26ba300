import { isUuid } from '../../kernel/identifier';
import { defineAction } from './action';
import { required, textOf } from './input-types';

const uuid = textOf('a UUID', isUuid);

export const paymentDelete = defineAction({
  name: 'payment.delete',
  description: 'Takes a payment of a payable back, which opens the payable again, once for the payment.',
  undo: 'pay the payable again in the finance system',
  asks: ['payments.remove'],
  input: {
    schedule: required(uuid, 'UUID of the payable'),
    payment: required(uuid, 'UUID of its payment'),
  },
  output: {},
  key: { required: false, description: "business key; absent: the payment's UUID" },
  plan({ schedule, payment }, { key }) {
    return {
      effects: [
        {
          key: `payment-deletion/${key === '' ? payment.toLowerCase() : key}`,
          operation: 'payment.delete',
          input: { schedule, payment },
        },
      ],
    };
  },
});
