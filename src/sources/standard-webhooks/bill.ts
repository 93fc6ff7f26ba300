import type { BillFacts } from '../../events/bill';
import type { BillEvent } from '../../events/event';
import { defined } from '../mapping/defined';
import { billKey } from '../mapping/keys';
import { withRaw } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { positiveOf } from './amounts';

/**
 * A supplier's bill that was paid, as the message tells it.
 * @param sentAt the message's own timestamp, where the bill has no time
 * @throws UnreadablePayload
 */
export function readBill(message: Payload, sentAt: Date, context: SourceContext): BillEvent {
  const bill = message.at('data');
  const id = bill.identifier('id') ?? bill.missing('id');
  const key = billKey(context.source, id);
  const supplier = bill.at('supplier');
  const paidAt = bill.instant('paidAt', context.timeZone) ?? sentAt;
  const facts: BillFacts = defined({
    ...{ key, source: context.source, id, paidAt },
    supplier: defined({
      name: supplier.text('name') ?? supplier.missing('name'),
      document: supplier.text('document'),
    }),
    value: positiveOf(bill, 'value', bill.currency('currency') ?? context.currency),
    description: bill.text('description'),
    category: bill.text('category'),
    test: bill.flag('test') && !flagSetting(context.settings, 'bookTestOrders'),
  });
  return withRaw({ type: 'bill.paid', key, occurredAt: paidAt, bill: facts }, message);
}
