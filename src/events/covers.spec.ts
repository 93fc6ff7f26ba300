import { CalendarDate } from '../kernel/calendar-date';
import { brl, paidOrder } from '../rules/fixtures';
import { covers } from './covers';
import type { CanonicalEvent, DisputeEvent, OrderEvent, OrderFacts, SettlementEvent } from './event';

const AT = new Date('2026-03-05T12:00:00Z');
const LATER = new Date('2026-03-06T12:00:00Z');
const BASE = paidOrder().order;
const [PAYMENT] = BASE.payments;

function order(facts: Partial<OrderFacts> = {}, type: OrderEvent['type'] = 'order.paid'): OrderEvent {
  return { ...paidOrder(facts), type };
}

function settlement(fee?: string, occurredAt = AT): SettlementEvent {
  const key = 'shop/order/1001/payment/p1/settlement/1';
  return {
    ...{ type: 'payment.settled', key, occurredAt, raw: {} },
    settlement: {
      ...{ key, source: 'shop', id: '1', gateway: 'g', number: 1, of: 2, value: brl('50.00') },
      ...{ settledAt: occurredAt, test: false, ...(fee !== undefined && { fee: brl(fee) }) },
    },
  };
}

function dispute(fee?: string): DisputeEvent {
  const key = 'shop/dispute/9';
  return {
    ...{ type: 'payment.disputed', key, occurredAt: AT, raw: {} },
    dispute: {
      ...{ key, source: 'shop', id: '9', gateway: 'g', value: brl('100.00'), state: 'open', openedAt: AT },
      ...{ test: false, ...(fee !== undefined && { fee: brl(fee) }) },
    },
  };
}

/** Whether the first message does what was to be done for the second. */
const does = (later: CanonicalEvent, earlier: CanonicalEvent): boolean => covers([later], [earlier]);

describe('a later message', () => {
  it('says all of an earlier one that it repeats, and more', () => {
    const refund = { key: 'shop/order/1001/refund/1', value: brl('10.00'), refundedAt: LATER };
    expect(does(order(), order())).toBe(true);
    expect(does(order({ refunds: [refund] }), order())).toBe(true);
    expect(covers([order(), order({}, 'order.cancelled')], [order()])).toBe(true);
    expect(covers([order()], [])).toBe(true);
  });

  it('has to be about the same: event, entity and payment', () => {
    expect(does(order({}, 'order.cancelled'), order())).toBe(false);
    expect(does({ ...order(), key: 'shop/order/1002' }, order())).toBe(false);
    const other = { ...BASE.payment!, key: 'shop/order/1001/payment/p2' };
    expect(does(order({ payment: other }), order())).toBe(false);
    expect(covers([order()], [order(), order({}, 'order.cancelled')])).toBe(false);
  });

  it('may be no older state of the order', () => {
    expect(does(order({ updatedAt: AT }), order({ updatedAt: LATER }))).toBe(false);
    expect(does(order({ updatedAt: LATER }), order({ updatedAt: AT }))).toBe(true);
    expect(does(order({ updatedAt: AT }), order({ updatedAt: AT }))).toBe(true);
    expect(does(settlement(undefined, AT), settlement(undefined, LATER))).toBe(false);
  });

  it.each<[string, Partial<OrderFacts>]>([
    ['payment', { payments: [...BASE.payments, { ...PAYMENT!, key: 'shop/order/1001/payment/p2' }] }],
    ['refund', { refunds: [{ key: 'shop/order/1001/refund/1', value: brl('10.00'), refundedAt: AT }] }],
    ['edit', { edits: [{ key: 'shop/order/1001/edit/1', value: brl('10.00'), editedAt: AT }] }],
    ['fee of a payment', { payments: [{ ...PAYMENT!, fee: brl('4.39') }] }],
    ['commission', { commission: brl('12.00') }],
  ])('has to say each %s', (_what, facts) => {
    expect(does(order(), order(facts))).toBe(false);
    expect(does(order(facts), order(facts))).toBe(true);
  });

  it('has to say each settlement that is planned, with its fee', () => {
    const plan = (fee?: string): Partial<OrderFacts> => {
      const key = `${PAYMENT!.key}/settlement/1`;
      const part = { key, number: 1, value: brl('100.00'), on: CalendarDate.parse('2026-04-03') };
      return { payments: [{ ...PAYMENT!, settlements: [{ ...part, ...(fee && { fee: brl(fee) }) }] }] };
    };
    expect(does(order(), order(plan()))).toBe(false);
    expect(does(order(plan()), order(plan('2.20')))).toBe(false);
    expect(does(order(plan('2.20')), order(plan()))).toBe(true);
  });

  it('has to say that something was kept of a settlement or for a dispute', () => {
    for (const reported of [settlement, dispute]) {
      expect(does(reported(), reported('2.20'))).toBe(false);
      expect(does(reported('2.20'), reported())).toBe(true);
      expect(does(reported('2.20'), reported('2.20'))).toBe(true);
      expect(does(reported(), reported('0.00'))).toBe(true);
    }
  });
});
