import type { BillEvent } from '../../events/event';
import { definedOnly } from '../mapping/defined';
import { billKey } from '../mapping/keys';
import { withRaw } from '../mapping/order-events';
import type { SourceContext, StoredWebhook } from '../source';
import { personAnswered } from './answers';
import { supplierOf } from './person';
import type { Title } from './title';

/** One event for each payment of a bill: what left the account, interest and fines included. @throws UnreadablePayload */
export function billEvents(title: Title, webhook: StoredWebhook, { source }: SourceContext): BillEvent[] {
  const { answer, head, id: titleId, number, person, moved } = title;
  const supplier = supplierOf(personAnswered(webhook, person), person);
  return moved
    .filter(({ cash }) => cash.isPositive)
    .map(({ id: entry, cash, at }): BillEvent => {
      const id = `${titleId}.${entry}`;
      const key = billKey(source, id);
      const bill = {
        ...{ key, source, id, supplier, value: cash, paidAt: at, description: number },
        ...definedOnly({ category: head.text('cCodCateg') }),
        test: false,
      };
      return withRaw({ type: 'bill.paid', key, occurredAt: at, bill }, answer);
    });
}
