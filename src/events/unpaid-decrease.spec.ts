import { brl, paidOrder } from '../rules/fixtures';
import type { EditFacts } from './event';
import { unpaidDecrease } from './unpaid-decrease';

const day = (number: number): Date => new Date(`2026-03-0${number}T12:00:00Z`);

function edit(value: string, on: number): EditFacts {
  return { key: `shop/order/1001/edit/${on}`, value: brl(value), editedAt: day(on) };
}

/** An order of 100.00 with edits on the days that they say, and payments: amount and day. */
function decreases(edits: EditFacts[], payments: [string, number][]): string[] {
  const { order } = paidOrder();
  const [payment] = order.payments;
  const paid = payments.map(([value, on]) => ({ ...payment!, value: brl(value), paidAt: day(on) }));
  const facts = { ...order, total: brl('100.00'), payments: paid, edits };
  return edits.map((one) => unpaidDecrease(facts, one).toString());
}

describe('by how much less a buyer owes because of an edit', () => {
  it.each<[string, EditFacts[], [string, number][], string[]]>([
    ['all of a decrease before anything was paid', [edit('-30.00', 2)], [], ['30.00']],
    ['all of it, also where it is paid afterwards', [edit('-30.00', 2)], [['70.00', 3]], ['30.00']],
    ['none of it once all was paid', [edit('-30.00', 2)], [['100.00', 1]], ['0.00']],
    ['what was not paid by then', [edit('-30.00', 2)], [['80.00', 1]], ['20.00']],
    ['none at the moment of the payment', [edit('-30.00', 2)], [['100.00', 2]], ['0.00']],
    ['none of an increase', [edit('30.00', 2)], [], ['0.00']],
    [
      'of what increases before it had left',
      [edit('30.00', 2), edit('-50.00', 3)],
      [['100.00', 1]],
      ['0.00', '30.00'],
    ],
    ['of what decreases before it had left', [edit('-80.00', 2), edit('-50.00', 3)], [], ['80.00', '20.00']],
    ['none where more was paid than the order cost', [edit('-30.00', 2)], [['120.00', 1]], ['0.00']],
  ])('is %s', (_, edits, payments, expected) => {
    expect(decreases(edits, payments)).toEqual(expected);
  });
});
