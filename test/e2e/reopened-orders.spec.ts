import type { AttentionPage } from '../../src/admin/deliveries/deliveries.dto';
import type { TimelineView } from '../../src/admin/orders/timeline.dto';
import { OrderHarness } from '../support/order-harness';
import { putProfile } from '../support/profiles';

const AT = (day: string): string => `2026-03-${day}T12:00:00-03:00`;
const CHARGE = { id: 'p1', gateway: 'pagarme', method: 'boleto' };

/** WooCommerce says no longer that an order was cancelled once it goes on, and its staff may change it before the buyer pays. */
describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('an order that goes on at another total, %s', (_where, open) => {
  let harness: OrderHarness;
  let orders = 0;
  let order: { id: string; createdAt: string; customer: object };

  beforeAll(async () => {
    harness = await open();
    await putProfile(harness.service, 'accrual');
  });
  afterAll(() => harness.stop());

  beforeEach(async () => {
    orders += 1;
    order = { id: `o${orders}`, createdAt: AT('02'), customer: { id: 'c', name: 'Lia Campos' } };
    await harness.standard('order.created', { ...order, total: '100.00' });
  });

  const key = (): string => `standard/order/${order.id}`;

  async function asked(): Promise<string[]> {
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    return items.flatMap(({ businessKey, code }) => (businessKey === key() ? [code] : []));
  }

  it.each(['120.00', '70.00'])(
    'after it was cancelled asks nobody: all that is paid, %s, is income',
    async (total) => {
      await harness.standard('order.cancelled', { ...order, total: '100.00', cancelledAt: AT('05') });
      const again = { ...order, total, instalments: 2 };
      await harness.standard('order.pending', { ...again, charge: { ...CHARGE, value: total } });
      await harness.standard('order.paid', {
        ...again,
        payments: [{ ...CHARGE, method: 'pix', value: total, paidAt: AT('10') }],
      });
      expect((await harness.lastDelivery()).outcome).toBe('applied');
      expect(await asked()).toEqual([]);
      const { summary } = (await harness.service.admin(`timeline?key=${key()}`)) as TimelineView;
      expect(summary.received).toBe(total);
    },
  );

  it('without having been cancelled asks a person, as its receivable is of the first total', async () => {
    await harness.standard('order.pending', {
      ...order,
      total: '120.00',
      charge: { ...CHARGE, value: '120.00' },
    });
    expect(await asked()).toEqual(['amount-differs']);
  });

  it('after a cancellation that found nothing open asks a person', async () => {
    const paid = [{ ...CHARGE, value: '100.00', paidAt: AT('08') }];
    await harness.standard('order.paid', { ...order, total: '100.00', payments: paid });
    await harness.standard('order.cancelled', { ...order, total: '100.00', cancelledAt: AT('05') });
    await harness.standard('order.pending', {
      ...order,
      total: '120.00',
      charge: { ...CHARGE, value: '120.00' },
    });
    expect(await asked()).toEqual(['amount-differs']);
  });
});
