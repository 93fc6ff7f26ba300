import { defineAction } from './action';
import { amountProblem } from './amounts';
import { date, money, optional, output, required, text } from './input-types';

export const paymentRegister = defineAction({
  name: 'payment.register',
  description: 'Books money that leaves an account, such as a refund or a fee, once for its key.',
  input: {
    account: required(text, 'code or UUID of the account that the money leaves'),
    value: required(money, "how much, in the organization's currency, above zero"),
    date: required(date, 'when it left'),
    description: required(text, 'what it was for'),
    customer: optional(output('CustomerRef'), 'whom it was paid to'),
    category: optional(text, 'reference code or UUID of a category of type out'),
    costCenter: optional(text, 'external code or UUID of a cost center'),
  },
  output: { id: { type: 'PaymentRef', description: 'the payment' } },
  key: {
    required: true,
    description: 'business key, for example ${refund.key}; the payment carries it as its reference',
  },
  plan({ account, value, date: day, description, customer, category, costCenter }, { organization, key }) {
    const refused = amountProblem('the value', value, organization);
    if (refused !== undefined) return { refused };
    const amount = value.toString();
    return {
      effects: [
        {
          key: `payment/${key}`,
          operation: 'payment.register',
          amount,
          input: {
            ...{ account, value: amount, date: day.toString(), description, reference: key },
            ...(customer !== undefined && { stakeholder: customer }),
            ...(category !== undefined && { category }),
            ...(costCenter !== undefined && { costCenter }),
          },
        },
      ],
    };
  },
});
