import type { OrderFacts, OrderLine } from '../../events/event';
import { defined } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import { lineOfSum, moneyOf, partOf, quantityOf, readLines, sumDifference } from '../mapping/lines';
import type { PaymentDate } from '../mapping/order-events';
import { moneyOr } from '../mapping/sums';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { customerOf } from './customer';
import { paidOf } from './payments';
import { saleOf } from './sale';

/** What sold the order, as iFood's own name is spelled. */
const MARKETPLACE = 'iFood';

/**
 * An order as iFood's API has it, of which the restaurant's part was paid. It does not say of itself whether it is concluded:
 * the event does.
 * @param date when its money was sure
 * @throws UnreadablePayload
 */
export function readOrder(order: Payload, id: string, context: SourceContext, date: PaymentDate): OrderFacts {
  const { source, timeZone, settings } = context;
  const key = orderKey(source, id);
  const currency = currencyOf(order) ?? context.currency;
  const sale = saleOf(order, currency);
  const paid = paidOf(order, sale, key, date);
  const goods = readLines(order.items('items'), (item) => lineOf(item, currency));
  return defined({
    ...{ key, source, id, number: order.text('displayId') ?? id },
    total: moneyOr(sale.value + paid.owedToIfood, currency, () => order.fail('total', 'is out of range')),
    discount: moneyOf([sale.discount], currency),
    shipping: moneyOf([sale.delivery], currency),
    commission: moneyOf([paid.owedToIfood], currency),
    marketplace: MARKETPLACE,
    createdAt: order.instant('createdAt', timeZone) ?? order.missing('createdAt'),
    paidAt: date.paidAt,
    instalments: 1,
    test: order.flag('isTest') && !flagSetting(settings, 'bookTestOrders'),
    customer: customerOf(order, source, key),
    payments: paid.payments,
    refunds: [],
    lines: goods.lines,
    differences: [
      ...goods.differences,
      ...goodsDifference(order, currency),
      ...sale.differences,
      ...paid.differences,
    ],
  });
}

/** The currency of the first payment; undefined where there is none. */
function currencyOf(order: Payload): string | undefined {
  const [first] = order.at('payments').firstItems('methods', 1);
  return first?.currency('currency');
}

function lineOf(item: Payload, currency: string): OrderLine {
  const title = item.text('name') ?? item.missing('name');
  const sum = item.amount('totalPrice', currency) ?? item.missing('totalPrice');
  return lineOfSum(title, item.text('externalCode'), quantityOf(item, 'quantity'), sum);
}

function goodsDifference(order: Payload, currency: string): string[] {
  const parts = order.items('items').map((item) => partOf(item, 'totalPrice', currency));
  return sumDifference('The items come to', parts, order.at('total').amount('subTotal', currency));
}
