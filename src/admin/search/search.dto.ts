import { ObjectOf, reply, request } from '../fields';

export const FOUND_KINDS = ['order', 'customer', 'delivery', 'schedule'] as const;

export class SearchBody extends ObjectOf({
  /** Trimmed; 1 to 200 characters. */
  text: request.text({ max: 200 }),
}) {}

export class FoundView extends ObjectOf({
  kind: reply.oneOf(
    FOUND_KINDS,
    '`order`: what deliveries or receivables say of one order. `schedule`: a receivable or payable',
  ),
  title: reply.text(
    'For a person to read: the number of an order, the name of a customer, what a schedule is for',
  ),
  businessKey: reply.text('`standard/order/1001`; null: it has none').nullable(),
  delivery: reply
    .uuid('The delivery, or the newest about the order that was understood; null: none is known')
    .nullable(),
  customer: reply
    .uuid(
      "The customer, or whose schedule it is; the finance service's identifier, where that is a remote one",
    )
    .nullable(),
  schedule: reply.uuid('The schedule; null: it is something else').nullable(),
  source: reply.text("A source's slug; null: none is known").nullable(),
  at: reply.instant('When it came in or was made; null: it is not known').nullable(),
}) {}

export class SearchView extends ObjectOf({
  items: reply.listOf(FoundView, 'At most 20'),
  complete: reply.flag(
    'false: there are more than 20, or more records than are gone through for an e-mail address or an order number',
  ),
}) {}
