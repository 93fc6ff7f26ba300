import { isUuid } from '../../kernel/identifier';
import { defineAction } from './action';
import { required, text } from './input-types';

export const paymentDelete = defineAction({
  name: 'payment.delete',
  description: 'Takes a payment of a payable back, which opens the payable again, once for the payment.',
  undo: 'pay the payable again in the finance system',
  asks: ['payments.remove'],
  input: {
    schedule: required(text, 'UUID of the payable'),
    payment: required(text, 'UUID of its payment'),
  },
  output: {},
  key: { required: false, description: "business key; absent: the payment's UUID" },
  plan({ schedule, payment }, { key }) {
    const given = Object.entries({ schedule, payment });
    const [wrong] = given.find(([, id]) => !isUuid(id)) ?? [];
    if (wrong !== undefined) return { refused: `the ${wrong} is not named by a UUID` };
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
