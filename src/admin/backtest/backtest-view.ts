import type { Organization } from '../../kernel/organization';
import { amountText } from '../../kernel/money';
import type { EffectDifference, OrderDifferences } from '../../workflows/backtest/differences';
import { adviceOn } from './advice';
import type { BacktestView, EffectDifferenceView, OrderDifferencesView } from './backtest.dto';
import { DEFAULT_LISTED } from './backtest.dto';
import type { Backtest } from './backtests';
import type { Period } from './period';

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
