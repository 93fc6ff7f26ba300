import type { AttentionPage } from '../../src/admin/deliveries/deliveries.dto';
import { OrderHarness } from '../support/order-harness';

const AT = (day: string): string => `2026-03-${day}T12:00:00-03:00`;

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('an order that was refunded and charged back, %s', (_where, open) => {
  let harness: OrderHarness;
  let orders = 0;
  let id: string;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());
  beforeEach(() => {
    orders += 1;
    id = `o${orders}`;
  });

  const order = () => ({
    ...{ id, total: '100.00', createdAt: AT('02'), customer: { id: 'c', name: 'Lia Campos' } },
    payments: [{ id: 'p1', gateway: 'pagarme', method: 'credit_card', value: '100.00', paidAt: AT('02') }],
  });
  const paid = () => harness.standard('order.paid', { ...order(), updatedAt: AT('02') });
  const refunded = (value = '100.00') =>
    harness.standard('order.refunded', {
      ...{ ...order(), updatedAt: AT('10') },
      refunds: [{ id: 'r1', value, refundedAt: AT('10'), gateway: 'pagarme' }],
    });
  const disputed = (fields: object = {}) =>
    harness.standard('payment.disputed', {
      ...{ id: `d-${id}`, orderId: id, gateway: 'pagarme', value: '100.00', openedAt: AT('12') },
      ...fields,
    });
  const won = () => disputed({ state: 'won', closedAt: AT('20') });

  async function asked(): Promise<string[]> {
    const { items } = (await harness.service.admin('attention')) as AttentionPage;
    return items
      .filter(({ businessKey, code }) => businessKey === `standard/order/${id}` && code === 'returned-twice')
      .map(({ value }) => value);
  }

  const steps = { paid, refunded, disputed };
  it.each([
    ['paid', 'refunded', 'disputed'],
    ['paid', 'disputed', 'refunded'],
    ['refunded', 'paid', 'disputed'],
    ['refunded', 'disputed', 'paid'],
    ['disputed', 'paid', 'refunded'],
    ['disputed', 'refunded', 'paid'],
  ] as const)('is put before a person once, when it is %s, %s and %s', async (...names) => {
    for (const name of names) await steps[name]();
    expect(await asked()).toEqual(['100.00']);
    for (const name of names) await steps[name]();
    expect(await asked()).toEqual(['100.00']);
  });

  it('is off the list once the dispute is won, and not on it where that came first', async () => {
    await paid();
    await refunded();
    await disputed();
    await won();
    expect(await asked()).toEqual([]);
    id = `${id}-late`;
    await won();
    await paid();
    await refunded();
    expect(await asked()).toEqual([]);
  });

  it('is no question where refund and chargeback come to what was paid, nor where it is a test', async () => {
    await paid();
    await refunded('30.00');
    await disputed({ value: '70.00' });
    expect(await asked()).toEqual([]);
    id = `${id}-test`;
    await paid();
    await refunded();
    await disputed({ test: true });
    expect(await asked()).toEqual([]);
  });
});
