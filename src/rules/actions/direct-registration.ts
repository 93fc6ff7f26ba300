import { type Action, defineAction } from './action';
import { amountProblem } from './amounts';
import { account, date, flag, INFERRED, money, optional, output, required, text } from './input-types';

export const paymentRegister = registering({
  name: 'payment.register',
  description: 'Books money that leaves an account, such as a refund or a fee, once for its key.',
  undo: 'book the same value as it comes back with receipt.registerDirectly',
  asks: ['payments.register'],
  operation: 'payment.register',
  words: { does: 'leaves', did: 'left', party: 'whom it was paid to', type: 'out' },
});

export const receiptRegisterDirectly = registering({
  name: 'receipt.registerDirectly',
  description:
    'Books money that reaches an account and settles no receivable, such as a chargeback that was won, once for its key.',
  undo: 'pay the same value out of the account with payment.register',
  asks: ['receipts.register'],
  operation: 'receipt.register',
  words: { does: 'reaches', did: 'came', party: 'whom it came from', type: 'in' },
});

interface Direct extends Pick<Action, 'name' | 'description' | 'undo' | 'asks'> {
  readonly operation: 'payment.register' | 'receipt.register';
  readonly words: { does: string; did: string; party: string; type: 'in' | 'out' };
}

/** Money that moves on an account without a schedule. */
function registering({ operation, words, ...about }: Direct): Action {
  const [kind = ''] = operation.split('.');
  // Receipts that settle receivables have keys of their own.
  const keyPrefix = kind === 'payment' ? kind : 'direct-receipt';
  return defineAction({
    ...about,
    input: {
      account: required(account, `code or UUID of the account that the money ${words.does}`),
      value: required(money, "how much, in the organization's currency, above zero"),
      date: required(date, `when it ${words.did}`),
      description: required(text, 'what it was for'),
      customer: optional(output('CustomerRef', 'SupplierRef'), words.party),
      category: optional(text, `reference code or UUID of a category of type ${words.type}`),
      costCenter: optional(text, 'external code or UUID of a cost center'),
      inferred: optional(flag, INFERRED),
      unless: optional(
        text,
        `key of a ${kind} that is the same money, posted otherwise: where one stands under it, this one is left out`,
      ),
    },
    output: { id: { type: kind === 'payment' ? 'PaymentRef' : 'ReceiptRef', description: `the ${kind}` } },
    key: {
      required: true,
      description: `business key, for example \${refund.key}; the ${kind} carries it as its reference`,
    },
    plan(input, { organization, key }) {
      const { account: moved, value, date: day, description: what, customer, category, costCenter } = input;
      const { unless, inferred } = input;
      const refused = amountProblem('the value', value, organization);
      if (refused !== undefined) return { refused };
      const amount = value.toString();
      return {
        effects: [
          {
            key: `${keyPrefix}/${key}`,
            operation,
            amount,
            ...(inferred && { dayInferred: true }),
            input: {
              ...{ account: moved, value: amount, date: day.toString(), description: what, reference: key },
              ...(customer !== undefined && { stakeholder: customer }),
              ...(category !== undefined && { category }),
              ...(costCenter !== undefined && { costCenter }),
              ...(unless !== undefined && { unless: `${keyPrefix}/${unless}` }),
            },
          },
        ],
      };
    },
  });
}
