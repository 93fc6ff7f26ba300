import type { CanonicalEvent, OrderEvent, OrderFacts } from '../../events/event';
import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { brl, compiled, CONTEXT, paidOrder, problemsOf, ruleNaming } from '../fixtures';
import { planRule } from '../plan-rule';

/** What a template makes of an event, or why there is nothing. */
function textOf(template: string, event: CanonicalEvent): string {
  // Events without a customer need a key for one.
  const document = ruleNaming(template, event.type).replace('    with:', '    key: probe\n    with:');
  const outcome = planRule(compiled(document), event, CONTEXT);
  if (!outcome.matched) throw new Error('the probe has no conditions');
  if ('refused' in outcome) return outcome.refused.reason;
  const [effect] = outcome.plan.steps[0]?.effects ?? [];
  if (effect?.operation !== 'customer.ensure') throw new Error('the probe plans a customer');
  return effect.input.name;
}

const at = new Date('2026-03-06T02:00:00Z');
const day = (text: string): CalendarDate => CalendarDate.parse(text);
const [only] = paidOrder().order.payments;
const settlement = (number: number) => ({
  ...{ key: `p/settlement/${number}`, number, value: brl('50.00'), on: day(`2026-0${number + 3}-06`) },
});
const card = { ...only!, brand: 'visa', net: brl('97.10'), instalments: 2 };
const inParts = { ...card, settlements: [settlement(1), { ...settlement(2), fee: brl('1.45') }] };

function order(type: OrderEvent['type'], facts: Partial<OrderFacts>): OrderEvent {
  return { ...paidOrder(facts), type };
}

describe('what rules read of events', () => {
  it.each<[string, CanonicalEvent, string]>([
    [
      '${order.payments.map(p, p.brand).join(",")} ${order.payment.net} ${order.payment.instalments}',
      order('order.paid', { payment: inParts, payments: [inParts] }),
      'visa 97.10 2',
    ],
    [
      '${order.payment.settlements.map(s, string(s.number) + " " + string(s.on)).join(",")}',
      order('order.paid', { payment: inParts, payments: [inParts] }),
      '1 2026-04-06,2 2026-05-06',
    ],
    [
      '${order.payment.settlements.filter(s, has(s.fee))[0].fee} ${has(order.payment.settlements[0].fee)}',
      order('order.paid', { payment: inParts, payments: [inParts] }),
      '1.45 false',
    ],
    [
      '${has(order.payment.settlements)} ${has(order.payment.instalments)} ${has(order.edits)} ${has(order.tip)} [${order.marketplace}]',
      order('order.paid', {}),
      'false false false false []',
    ],
    ['${order.payment.instalments + 1} x', order('order.paid', {}), 'order.payment.instalments is absent'],
    ['${order.tip} x', order('order.paid', {}), 'order.tip is absent'],
    [
      '${order.charge.dueDate.addDays(3)} ${order.charge.line} ${has(order.charge.expiresAt)}',
      order('order.pending', {
        charge: {
          key: 'k',
          gateway: 'g',
          method: 'boleto',
          value: brl('1.00'),
          dueDate: day('2026-03-30'),
          line: '341',
        },
      }),
      '2026-04-02 341 false',
    ],
    [
      '${order.edits.map(e, string(e.value)).join(",")} ${order.edits[0].value < money("0.00")}',
      order('order.edited', { edits: [{ key: 'e', value: brl('-7.50'), editedAt: at }] }),
      '-7.50 true',
    ],
    [
      '${order.edits.map(e, string(e.unpaidDecrease)).join(",")}',
      order('order.edited', {
        edits: [
          { key: 'before', value: brl('-7.50'), editedAt: new Date('2026-01-01T00:00:00Z') },
          { key: 'after', value: brl('-7.50'), editedAt: new Date('2027-01-01T00:00:00Z') },
        ],
      }),
      '7.50,0.00',
    ],
    [
      '${order.edits[0].unpaidDecrease} less',
      order('order.edited', {
        edits: [{ key: 'e', value: brl('-7.50'), editedAt: at }],
        payments: [{ ...only!, value: Money.parse('1.00', 'USD'), paidAt: new Date('2026-01-01T00:00:00Z') }],
      }),
      'an amount is in USD, but the books are kept in BRL',
    ],
    [
      '${order.refunds[0].paymentKey} ${order.refunds[0].returned.map(r, r.title).join(",")} ${has(order.refunds[1].returned)}',
      order('order.refunded', {
        refunds: [
          {
            ...{ key: 'r', value: brl('1.00'), paymentKey: 'p', refundedAt: at },
            returned: [{ title: 'Mug', quantity: 1 }],
          },
          { key: 's', value: brl('1.00'), refundedAt: at },
        ],
      }),
      'p Mug false',
    ],
    [
      '${order.lines.filter(l, l.giftCard).map(l, l.title).join(",")} ${order.lines[0].discount} ${order.commission}',
      order('order.paid', {
        commission: brl('12.00'),
        lines: [{ title: 'Card', quantity: 1, price: brl('9.00'), discount: brl('2.00'), giftCard: true }],
      }),
      'Card 2.00 12.00',
    ],
    [
      '${order.refunds.map(refund, tables.strict[refund.gateway])[0]} x',
      order('order.refunded', {
        refunds: [{ key: 'r', value: brl('1.00'), gateway: 'stone', refundedAt: at }],
      }),
      'table strict has no entry for "stone" and no default',
    ],
    [
      '${tables.strict[settlement.gateway]} x',
      {
        ...{ type: 'payment.settled', key: 'k', occurredAt: at, raw: {} },
        settlement: {
          ...{ key: 'k', source: 's', id: '1', gateway: 'stone', number: 1, of: 1, settledAt: at },
          ...{ value: brl('50.00'), test: false },
        },
      },
      'table strict has no entry for "stone" and no default',
    ],
    [
      '${settlement.key} ${settlement.number}/${settlement.of} ${settlement.value - settlement.fee} ${settlement.settledAt.dateIn(org.timeZone)}',
      {
        ...{ type: 'payment.settled', key: 'k', occurredAt: at, raw: {} },
        settlement: {
          ...{ key: 'k', source: 's', id: '1', gateway: 'g', number: 2, of: 3, settledAt: at, test: false },
          ...{ value: brl('50.00'), fee: brl('1.45') },
        },
      },
      'k 2/3 48.55 2026-03-05',
    ],
    [
      '${payout.lines.filter(l, l.kind == "fee").map(l, string(l.value)).join(",")} ${payout.fee}',
      {
        ...{ type: 'payout.paid', key: 'k', occurredAt: at, raw: {} },
        payout: {
          ...{ key: 'k', source: 's', id: '1', gateway: 'g', value: brl('9.00'), paidAt: at, test: false },
          ...{ fee: brl('1.00'), lines: [{ kind: 'fee', value: brl('-1.00') }] },
        },
      },
      '-1.00 1.00',
    ],
    [
      '${bill.supplier.name} ${has(bill.supplier.document)} ${bill.value}',
      {
        ...{ type: 'bill.paid', key: 'k', occurredAt: at, raw: {} },
        bill: {
          ...{ key: 'k', source: 's', id: '1', supplier: { name: 'Serra' }, value: brl('9.00') },
          ...{ paidAt: at, test: false },
        },
      },
      'Serra false 9.00',
    ],
  ])('%s', (template, event, text) => {
    expect(textOf(template, event)).toContain(text);
  });

  it('is refused where the event has no such thing', () => {
    const messages = problemsOf(ruleNaming('${order.key}', 'bill.paid')).map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining('a bill.paid event has no order')]);
  });
});
