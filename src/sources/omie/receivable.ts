import type { OrderFacts, PaymentFacts } from '../../events/event';
import { defined, definedOnly } from '../mapping/defined';
import { fullPaymentKey, orderKey, paymentKey } from '../mapping/keys';
import { lineOfPrice } from '../mapping/lines';
import { type AwaitedCharge, byTime } from '../mapping/order-events';
import { termsOf } from '../mapping/terms';
import type { SourceContext, StoredWebhook } from '../source';
import { personAnswered } from './answers';
import { gatewayOf, type Moved } from './moved';
import { customerOf } from './person';
import type { Title } from './title';

const ONE = 1_000_000n;
/** Ways to pay, as the tables of rules have them, where Omie calls them otherwise. */
const METHODS: Readonly<Record<string, string>> = { BOL: 'boleto', PIX: 'pix' };

/** The business key of the order that a receivable is, where it belongs to no sales order. */
export function ownOrderKey(source: string, id: string): string {
  return orderKey(source, ownId(id));
}

/** What a receivable that belongs to no sales order is called as an order. */
export function ownId(id: string): string {
  return `titulo-${id}`;
}

/** The order that a receivable is which belongs to no sales order: of services, a contract, or entered by hand. */
export function ownOrderOf(title: Title, webhook: StoredWebhook, context: SourceContext): OrderFacts {
  const { source } = context;
  const { id, number, value, dueDate, issuedAt, person, isCancelled } = title;
  const key = ownOrderKey(source, id);
  const facts: OrderFacts = defined({
    ...{ key, source, id: ownId(id), number, total: value, createdAt: issuedAt },
    cancelledAt: isCancelled ? webhook.receivedAt : undefined,
    terms: termsOf(value, [{ value, dueDate }]),
    ...{ instalments: 1, test: false },
    customer: customerOf(personAnswered(webhook, person), source, person),
    payments: [],
    refunds: [],
    lines: [lineOfPrice(number, undefined, ONE, value)],
    differences: [],
  });
  return withPayments(facts, title);
}

/** An order with what its receivable says: its payments, each known by the receivable and its entry, and what disagrees. */
export function withPayments(order: OrderFacts, title: Title): OrderFacts {
  const payments = byTime(
    title.moved
      .filter(({ principal }) => principal.isPositive)
      .map((moved) => paymentOf(order.key, title, moved)),
    ({ paidAt }) => paidAt,
  );
  return {
    ...order,
    payments,
    ...definedOnly({ paidAt: payments[0]?.paidAt }),
    differences: [...order.differences, ...valueDifference(order, title), ...title.differences],
  };
}

/** A sentence where a receivable is of another amount than the order that it is. */
function valueDifference({ total }: OrderFacts, { id, value }: Title): string[] {
  if (total.equals(value)) return [];
  return [
    `Receivable ${id} is of ${value.toString()} ${value.currency}, but its sales order says ${total.toString()} ${total.currency}.`,
  ];
}

/** What was received is there: it is one instalment, whatever the order was to be paid in. */
function paymentOf(
  order: string,
  { id, head }: Title,
  { id: entry, principal, at, account }: Moved,
): PaymentFacts {
  const kind = head.text('cTipo') ?? '';
  return {
    key: paymentKey(order, `${id}.${entry}`),
    gateway: gatewayOf(account),
    method: METHODS[kind] ?? kind,
    value: principal,
    instalments: 1,
    paidAt: at,
  };
}

/** What a receivable of no sales order waits for; undefined where money came, or it was cancelled. */
export function awaitedOf(title: Title, order: OrderFacts): AwaitedCharge | undefined {
  const { head, value, dueDate, issuedAt, moved, isCancelled } = title;
  if (isCancelled || moved.length > 0) return undefined;
  const kind = head.text('cTipo') ?? '';
  return {
    charge: defined({
      ...{ key: fullPaymentKey(order.key), gateway: gatewayOf(), method: METHODS[kind] ?? kind, value },
      dueDate,
    }),
    at: issuedAt,
    expired: false,
  };
}
