import type { Organization } from '../../kernel/organization';
import { amountText } from '../../kernel/money';
import type { EffectDifference, OrderDifferences } from '../../workflows/backtest/differences';
import {
  type BacktestView,
  type EffectDifferenceView,
  type OrderDifferencesView,
  DEFAULT_LISTED,
} from './backtest.dto';
import type { Backtest } from './backtests';
import type { Period } from './period';
import type { EffectOperation } from '../../finance/api/effects/registry';

/** What was asked, to be repeated in the answer. */
export interface BacktestRequest {
  organization: Organization;
  period: Period;
  source: string | undefined;
  rule: string | undefined;
  version: number | null;
  limit: number | undefined;
}

/** A backtest as the operators' API answers it. */
export function backtestView(
  { organization, period, source, rule, version, limit = DEFAULT_LISTED }: BacktestRequest,
  { compared, deliveries }: Backtest,
): BacktestView {
  const { currency } = organization;
  const { waiting, dead, bodiesGone, read, discarded } = deliveries;
  const items = compared.orders.slice(0, limit).map((order) => orderView(order, currency));
  return {
    ...period,
    source: source ?? null,
    rule: rule ?? null,
    version,
    currency,
    deliveries: {
      ...{ read, compared: deliveries.compared, waiting: waiting.count, dead: dead.count },
      ...{ discarded, bodiesGone: bodiesGone.count },
    },
    orders: { compared: compared.ordersCompared, differing: compared.orders.length },
    effects: compared.effectsPlanned,
    totals: compared.totals.map(({ kind, operation, count, valueMinor }) => ({
      ...{ kind, operation, count },
      value: amountText(valueMinor, currency),
    })),
    refusals: compared.refusals,
    items,
    notListed: compared.orders.length - items.length,
    ...{ waiting: waiting.named, dead: dead.named, bodiesGone: bodiesGone.named },
  };
}

function orderView(
  { businessKey, effects, refused }: OrderDifferences,
  currency: string,
): OrderDifferencesView {
  return { businessKey, effects: effects.map((effect) => effectView(effect, currency)), refused };
}

function effectView(difference: EffectDifference, currency: string): EffectDifferenceView {
  const { kind, rule, step, key, operation, state, valueMinor, appliedMinor, date, content } = difference;
  return {
    ...{ kind, rule, step, key, operation, state },
    value: valueMinor === undefined ? null : amountText(valueMinor, currency),
    applied: appliedMinor === undefined ? null : amountText(appliedMinor, currency),
    date: date ?? null,
    content: [...content],
    delivery: difference.deliveryId,
    advice: adviceOn(difference),
  };
}

const OPPOSITES: Readonly<Partial<Record<EffectOperation, string>>> = {
  'credit-schedule.create':
    'settle what is open of the receivable with a discount, or ask the customer for it',
  'receipt.allocate': 'enter a payment of the same value from the account that the receipts went to',
  'payment.register': 'enter a receipt of the same value on the account that it left, or reverse the payment',
  'receipt.register': 'enter a payment of the same value from the account that it reached',
  'transfer.make': 'make a transfer of the same value back',
};

/** What a person does about a difference that a repair leaves; null: a repair does it. */
function adviceOn({ kind, operation, appliedMinor }: EffectDifference): string | null {
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
