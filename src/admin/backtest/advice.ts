import type { EffectOperation } from '../../finance/api/effects/registry';
import type { EffectDifference } from '../../workflows/backtest/differences';

const OPPOSITES: Readonly<Partial<Record<EffectOperation, string>>> = {
  'credit-schedule.create':
    'settle what is open of the receivable with a discount, or ask the customer for it',
  'receipt.allocate': 'enter a payment of the same value from the account that the receipts went to',
  'payment.register': 'enter a receipt of the same value on the account that it left, or reverse the payment',
  'receipt.register': 'enter a payment of the same value from the account that it reached',
  'transfer.make': 'make a transfer of the same value back',
};

/** What a person does about a difference that a repair leaves; null: a repair does it. */
export function adviceOn({ kind, operation, appliedMinor }: EffectDifference): string | null {
  switch (kind) {
    case 'missing':
      return null;
    case 'changed':
      return appliedMinor === undefined
        ? 'Ponte does not change what was applied. Where the new content is right, correct the record in the finance system'
        : 'Ponte does not change what was applied. Where the new amount is right, enter the difference in the finance system by hand';
    case 'unplanned': {
      const opposite = OPPOSITES[operation];
      return opposite === undefined
        ? 'Ponte cannot take it back, and no money is part of it: leave it'
        : `Ponte cannot take it back by itself. Where it is wrong, ${opposite}`;
    }
    case 'undecided':
      return 'A repair leaves it. What came of it is being found out, or a person decides: see the effects that are unknown';
  }
}
