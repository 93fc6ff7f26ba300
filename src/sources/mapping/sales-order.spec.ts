import fc from 'fast-check';
import type { OrderEvent } from '../../events/event';
import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import {
  type SalesInstalment,
  type SalesOrderContents,
  salesOrderEvents,
  type SalesOrderState,
} from './sales-order';

const AT = new Date('2026-07-20T12:00:00Z');
const CREATED_AT = new Date('2026-07-06T03:00:00Z');

function contents(total: Money): SalesOrderContents {
  return {
    ...{ key: 'loja/order/7', source: 'loja', id: '7', number: '7', total, createdAt: CREATED_AT },
    ...{ customer: { key: 'loja/customer/1', name: 'Iara' }, lines: [], differences: ['Already odd.'] },
  };
}

function instalment(minor: bigint, method = 'boleto', day?: string): SalesInstalment {
  const value = Money.ofMinor(minor, 'BRL');
  return { value, dueDate: day === undefined ? undefined : CalendarDate.parse(day), gateway: '', method };
}

function events(minor: bigint, state: Partial<SalesOrderState> = {}): OrderEvent[] {
  const usual = { created: false, isCancelled: false, isPaid: false, tellsPaid: false };
  return salesOrderEvents(
    contents(Money.ofMinor(minor, 'BRL')),
    { ...usual, at: AT, datedBy: 'date', instalments: [], ...state },
    { raw: () => 'the answer' },
  );
}

const charges = (of: readonly OrderEvent[]) =>
  of.flatMap(({ order: { charge } }) =>
    charge ? [`${charge.key} ${charge.value.toString()} ${charge.dueDate?.toString() ?? 'some day'}`] : [],
  );

describe('the sales order of an ERP', () => {
  it('waits for each of its instalments on its day', () => {
    const instalments = [
      instalment(6_000n, 'boleto', '2026-08-05'),
      instalment(4_000n, 'boleto', '2026-09-04'),
    ];
    const reported = events(10_000n, { created: true, instalments });
    expect(reported.map(({ type }) => type)).toEqual(['order.created', 'order.pending', 'order.pending']);
    expect(charges(reported)).toEqual([
      'loja/order/7/payment/1 60.00 2026-08-05',
      'loja/order/7/payment/2 40.00 2026-09-04',
    ]);
    expect(reported[0]?.order).toMatchObject({ instalments: 2, payments: [], differences: ['Already odd.'] });
    const terms = reported.map(({ order }) =>
      order.terms?.map((term) => `${term.value.toString()} ${term.dueDate.toString()}`),
    );
    expect(terms).toEqual(reported.map(() => ['60.00 2026-08-05', '40.00 2026-09-04']));
    expect(reported.map(({ raw }) => raw)).toEqual(['the answer', 'the answer', 'the answer']);
  });

  it('waits for the payment that will pay it where there is one instalment, or none', () => {
    expect(charges(events(500n, { instalments: [instalment(500n)] }))).toEqual([
      'loja/order/7/payment/paid 5.00 some day',
    ]);
    expect(charges(events(500n))).toEqual(['loja/order/7/payment/paid 5.00 some day']);
  });

  it('does not wait for an instalment of nothing, and counts it', () => {
    const instalments = [instalment(0n), instalment(500n)];
    expect(charges(events(500n, { instalments }))).toEqual(['loja/order/7/payment/2 5.00 some day']);
  });

  it('is paid once and as a whole, however often somebody plans its instalments anew', () => {
    const plans = [[], [instalment(900n)], [instalment(300n), instalment(300n), instalment(300n)]];
    const payments = plans.map((instalments) => {
      const reported = events(900n, { isPaid: true, tellsPaid: true, instalments });
      expect(reported.map(({ type }) => type)).toEqual(['order.paid']);
      return reported[0]?.order.payment;
    });
    for (const payment of payments)
      expect(payment).toMatchObject({
        key: 'loja/order/7/payment/paid',
        instalments: 1,
        paidAt: AT,
        datedBy: 'date',
      });
    expect(payments.map((payment) => payment?.value.toString())).toEqual(['9.00', '9.00', '9.00']);
  });

  it('is paid in the one way that all instalments name, else nobody knows how', () => {
    const method = (...methods: string[]) =>
      events(900n, { isPaid: true, instalments: methods.map((name) => instalment(300n, name)) })[0]?.order
        .payment?.method;
    expect([method('pix', 'pix', 'pix'), method('pix', 'boleto', 'pix')]).toEqual(['pix', '']);
  });

  it('that is cancelled waits for nothing, and asks whether money has to go back where it may have come', () => {
    const cancelled = { isCancelled: true, instalments: [instalment(900n)] };
    const [event, ...others] = events(900n, cancelled);
    expect([event?.type, others]).toEqual(['order.cancelled', []]);
    expect(event?.order).toMatchObject({ cancelledAt: AT, differences: ['Already odd.'] });
    const [asking] = events(900n, { ...cancelled, tellsPaid: true });
    expect(asking?.order.differences.at(-1)).toContain('see whether money has to go back');
  });

  it('of nothing is neither waited for nor paid', () => {
    expect(events(0n)).toEqual([]);
    expect(events(0n, { isPaid: true })).toEqual([]);
    expect(events(0n, { created: true }).map(({ type }) => type)).toEqual(['order.created']);
  });

  it('waits for what its instalments come to, and says so where that is not the total', () => {
    const minor = fc.bigInt({ min: 1n, max: 1_000_000n });
    fc.assert(
      fc.property(minor, fc.array(minor, { minLength: 1, maxLength: 12 }), (total, values) => {
        const reported = events(total, { instalments: values.map((value) => instalment(value)) });
        const sum = values.reduce((all, value) => all + value, 0n);
        expect(reported.reduce((all, { order }) => all + (order.charge?.value.minor ?? 0n), 0n)).toBe(sum);
        expect(reported[0]?.order.differences).toHaveLength(sum === total ? 1 : 2);
        for (const { order } of reported) expect(order.total.minor).toBe(total);
      }),
    );
  });
});
