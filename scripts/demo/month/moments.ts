import type { Order } from './facts';

/** What happened to an order at one moment, and the order as the shop knew it then. */
export interface Moment {
  readonly what: 'created' | 'pending' | 'expired' | 'paid' | 'edited' | 'refunded' | 'cancelled';
  readonly at: string;
  /** With what had happened until then, and nothing of what was to come. */
  readonly order: Order;
}

/** An order's moments, the earliest first. Each is a message of its shop. */
export function momentsOf(order: Order): Moment[] {
  const moments: [Moment['what'], string | undefined][] = [
    ['created', order.placedAt],
    ['pending', order.charge && order.placedAt],
    ['expired', order.expiredAt],
    ...order.payments.map(({ at }): [Moment['what'], string] => ['paid', at]),
    ...order.edits.map(({ at }): [Moment['what'], string] => ['edited', at]),
    ...order.refunds.map(({ at }): [Moment['what'], string] => ['refunded', at]),
    ['cancelled', order.cancelledAt],
  ];
  return moments
    .flatMap(([what, at]) => (at === undefined ? [] : [{ what, at, order: asOf(order, at) }]))
    .sort((left, right) => left.at.localeCompare(right.at));
}

function asOf(order: Order, at: string): Order {
  const { expiredAt, cancelledAt, ...rest } = order;
  const isPast = (one: { at: string }): boolean => one.at <= at;
  return {
    ...rest,
    payments: order.payments.filter(isPast),
    edits: order.edits.filter(isPast),
    refunds: order.refunds.filter(isPast),
    ...(expiredAt !== undefined && expiredAt <= at ? { expiredAt } : {}),
    ...(cancelledAt !== undefined && cancelledAt <= at ? { cancelledAt } : {}),
  };
}
