import { decimal, type Month, type Order, type Payment, sum } from './facts';
import type { Message } from './messages';
import { momentsOf } from './moments';

type Unsent = Omit<Message, 'id'>;

/** What a shop of Standard Webhooks sends of an order: it whole at each of its moments, and its disputes. */
export function orderMessages(order: Order): Unsent[] {
  const moments = momentsOf(order).map((moment) =>
    message(`order.${moment.what}`, moment.at, dataOf(moment.order)),
  );
  const disputes = order.disputes.flatMap(({ id, gateway, cents, openedAt, closedAt, isWon }) => {
    const opened = { id: `d-${id}`, orderId: String(order.id), gateway, value: decimal(cents), openedAt };
    const closed = { ...opened, state: isWon ? 'won' : 'lost', closedAt };
    return [
      message('payment.disputed', openedAt, { ...opened, state: 'open' }),
      message('payment.disputed', closedAt, closed),
    ];
  });
  return [...moments, ...disputes];
}

/** Payouts of all gateways, and suppliers' bills: the ERP sends them. */
export function otherMessages({ payouts, bills }: Month): Unsent[] {
  return [
    ...payouts.map(({ id, gateway, cents, at, lines }) =>
      message('payout.paid', at, {
        ...{ id, gateway, value: decimal(cents), paidAt: at },
        lines: lines.map((line) => ({ kind: line.kind, value: decimal(line.cents) })),
      }),
    ),
    ...bills.map(({ id, supplier, cents, at }) =>
      message('bill.paid', at, { id, supplier: { name: supplier }, value: decimal(cents), paidAt: at }),
    ),
  ];
}

/** What the acquirer paid of an order's cards within the month. */
export function settlementMessages(order: Order): Unsent[] {
  return order.payments.flatMap(({ id, gateway, plan = [] }) =>
    plan
      .filter(({ on }) => on.startsWith('2026-03'))
      .map(({ number, cents, fee, on }) =>
        message('payment.settled', `${on}T07:00:00-03:00`, {
          ...{ id: `st-${id}-${number}`, orderId: String(order.id), paymentId: id, gateway, number },
          ...{ of: plan.length, value: decimal(cents), settledAt: `${on}T07:00:00-03:00` },
          ...(fee > 0n && { fee: decimal(fee) }),
        }),
      ),
  );
}

function dataOf(order: Order): object {
  const { buyer, charge, commission } = order;
  return {
    ...{ id: String(order.id), number: String(order.number), createdAt: order.placedAt },
    total: decimal(order.cents + sum(order.edits.map(({ cents }) => cents))),
    instalments: order.instalments,
    customer: { id: String(buyer.id), name: buyer.name, document: buyer.document, email: buyer.email },
    ...(charge && {
      charge: { id: charge.id, gateway: charge.gateway, method: charge.method, dueDate: charge.dueOn },
    }),
    payments: order.payments.map(paymentOf),
    edits: order.edits.map(({ id, cents, at }) => ({ id, value: decimal(cents), editedAt: at })),
    refunds: order.refunds.map(({ id, gateway, cents, at }) => ({
      ...{ id, gateway, value: decimal(cents), refundedAt: at, paymentId: order.payments[0]?.id },
    })),
    ...(order.cancelledAt !== undefined && { cancelledAt: order.cancelledAt }),
    ...(commission !== undefined && { commission: decimal(commission), marketplace: 'Mercado Livre' }),
  };
}

function paymentOf({ id, gateway, method, cents, fee, at, isCredit, plan }: Payment): object {
  return {
    ...{ id, gateway, method, value: decimal(cents), paidAt: at },
    ...(fee > 0n && { fee: decimal(fee) }),
    ...(isCredit && { storeCredit: true }),
    ...(plan && {
      settlements: plan.map((part) => ({
        ...{ number: part.number, value: decimal(part.cents), fee: decimal(part.fee), on: part.on },
      })),
    }),
  };
}

function message(type: string, timestamp: string, data: object): Unsent {
  return { source: 'standard', topic: type, body: Buffer.from(JSON.stringify({ type, timestamp, data })) };
}
