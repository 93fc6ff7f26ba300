import type { ChargeFacts, OrderEvent, OrderFacts, PaymentFacts } from '../../events/event';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import type { Payload } from '../payload';
import { defined, definedOnly } from './defined';
import { fullPaymentKey, paymentKey } from './keys';
import { sumDifference } from './lines';
import { orderEvent, orderEvents } from './order-events';
import { termsOf } from './terms';

/** One instalment (parcela) that a sales order is to be paid in. */
export interface SalesInstalment {
  readonly value: Money;
  /** Undefined: the ERP does not say. */
  readonly dueDate: CalendarDate | undefined;
  /** As the ERP spells them; empty when unknown. */
  readonly gateway: string;
  readonly method: string;
}

/** What an ERP's sales order has apart from its state. `differences` are those that the ERP alone has. */
export type SalesOrderContents = Omit<
  OrderFacts,
  | 'updatedAt'
  | 'cancelledAt'
  | 'paidAt'
  | 'instalments'
  | 'terms'
  | 'test'
  | 'payment'
  | 'payments'
  | 'charge'
  | 'refunds'
>;

/** How a sales order stands. */
export interface SalesOrderState {
  /** The message says that the order was made. */
  readonly created: boolean;
  readonly isCancelled: boolean;
  /** The company says that an order in its situation is paid: all of its money is there. The ERP itself never says it. */
  readonly isPaid: boolean;
  /** The company says so of any situation. */
  readonly tellsPaid: boolean;
  /** When the ERP told of it, and by what evidence: a sales order does not say since when it is as it is. */
  readonly at: Date;
  readonly datedBy: string;
  /** None: the ERP does not say how it is to be paid. */
  readonly instalments: readonly SalesInstalment[];
}

/**
 * The events of an ERP's sales order. It says what is owed and when, and not that money came: so it waits for each of its
 * instalments (`order.pending`), until it is cancelled or the company says of its situation that it is paid. Then it has one
 * payment, whatever instalments it was planned in. None: there is nothing in it to be owed.
 */
export function salesOrderEvents(
  contents: SalesOrderContents,
  state: SalesOrderState,
  payload: Pick<Payload, 'raw'>,
): OrderEvent[] {
  const { instalments, isCancelled, created, at } = state;
  const { total, createdAt } = contents;
  const isPaid = state.isPaid && total.isPositive;
  const order: OrderFacts = {
    ...contents,
    ...definedOnly({ cancelledAt: isCancelled ? at : undefined, paidAt: isPaid ? at : undefined }),
    instalments: Math.max(1, instalments.length),
    ...definedOnly({ terms: termsOf(total, instalments) }),
    test: false,
    payments: isPaid ? [paymentOf(contents, state)] : [],
    refunds: [],
    differences: [...contents.differences, ...differencesOf(total, state)],
  };
  const charges = isPaid || isCancelled ? [] : chargesOf(order, instalments);
  return [
    ...orderEvents(order, { created, datedBy: { 'order.cancelled': state.datedBy } }, payload),
    ...charges.map((charge) => orderEvent('order.pending', createdAt, { ...order, charge }, payload)),
  ];
}

/** Whether a total is one of nothing, however it is written: of such an order there is nothing to be owed. */
export function isNothing(total: string | undefined): boolean {
  return /^0+(?:\.0+)?$/.test(total ?? '');
}

/** Known by the order alone: instalments are planned anew whenever somebody edits it. */
function paymentOf({ key, total }: SalesOrderContents, state: SalesOrderState): PaymentFacts {
  const { at: paidAt, datedBy, instalments } = state;
  return {
    ...{ key: fullPaymentKey(key), value: total, instalments: 1, paidAt, datedBy },
    gateway: common(instalments.map(({ gateway }) => gateway)),
    method: common(instalments.map(({ method }) => method)),
  };
}

/** The one text that there is; empty where there are several, or none. */
function common(texts: readonly string[]): string {
  const [first = '', ...others] = new Set(texts);
  return others.length === 0 ? first : '';
}

function chargesOf({ key, total }: OrderFacts, instalments: readonly SalesInstalment[]): ChargeFacts[] {
  const planned: readonly SalesInstalment[] =
    instalments.length > 0 ? instalments : [{ value: total, dueDate: undefined, gateway: '', method: '' }];
  const isOne = planned.length === 1;
  return planned.flatMap(({ value, dueDate, gateway, method }, index): ChargeFacts[] => {
    if (!value.isPositive) return [];
    const charge = { key: paymentKey(key, isOne ? undefined : String(index + 1)), gateway, method, value };
    return [defined({ ...charge, dueDate })];
  });
}

function differencesOf(total: Money, { instalments, isCancelled, tellsPaid }: SalesOrderState): string[] {
  const values = instalments.map(({ value }) => value.minor);
  return [
    ...sumDifference('The instalments come to', values, total),
    ...(isCancelled && tellsPaid
      ? [
          'The order is cancelled, and does not say whether it was paid before: see whether money has to go back.',
        ]
      : []),
  ];
}
