import type { CompletenessView } from '../../src/admin/completeness/completeness.dto';
import type { TimelineView } from '../../src/admin/orders/timeline.dto';
import { OrderHarness } from '../support/order-harness';
import { putProfile } from '../support/profiles';

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('a card that the acquirer pays in more instalments than the shop spoke of, %s', (_where, open) => {
  let harness: OrderHarness;
  const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  const [paidAt, settledAt] = [ago(10), ago(8)];

  beforeAll(async () => {
    harness = await open();
    await putProfile(harness.service, 'accrual');
    await harness.standard('order.paid', {
      ...{ id: 'card', total: '99.00', createdAt: paidAt, customer: { id: 'c', name: 'Lia Campos' } },
      payments: [{ id: 'p1', gateway: 'pagarme', method: 'credit_card', value: '99.00', paidAt }],
    });
    // All at once, before the day on which the first was due: the shop had them paid in advance.
    for (const number of [1, 2, 3])
      await harness.standard('payment.settled', {
        ...{ id: `s${number}`, orderId: 'card', paymentId: 'p1', gateway: 'pagarme', number, of: 3 },
        ...{ value: '33.00', fee: '1.00', settledAt },
      });
  });
  afterAll(() => harness.stop());

  it('is complete: all of it is in the books', async () => {
    const asked = `completeness?source=standard&from=${ago(11).slice(0, 10)}&to=${ago(9).slice(0, 10)}`;
    const { items, totals, differences } = (await harness.service.admin(asked)) as CompletenessView;
    expect([items, differences]).toEqual([[], 0]);
    const [, receipts, , fees] = totals;
    expect([receipts, fees]).toMatchObject([
      {
        aspect: 'receipt',
        shop: { value: '99.00' },
        booked: { count: 3, value: '99.00' },
        difference: '0.00',
      },
      { aspect: 'fee', booked: { count: 3, value: '3.00' } },
    ]);
  });

  it('is received in the life of its order', async () => {
    const { summary, complete } = (await harness.service.admin(
      'timeline?key=standard/order/card',
    )) as TimelineView;
    expect([summary.received, complete]).toEqual(['99.00', true]);
  });
});
