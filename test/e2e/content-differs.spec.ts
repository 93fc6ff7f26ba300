import { type DemoOrder, wooOrder } from '../../scripts/demo/shop-orders';
import type { TableView } from '../../src/admin/rules/tables.dto';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { type ProfileName, putProfile } from '../support/profiles';
import { CHARGED_BACK_ORDER, connectPagarme, sendChargedBack } from '../support/pagarme-source';
import { ProviderApiServer } from '../support/provider-api-server';

interface PlannedReceipt {
  input: { date: string; account: string };
}

const PAID_ON_20 = '2026-11-20T09:14:00-03:00';
const PAID_ON_22 = '2026-11-22T09:14:00-03:00';

describe.each([
  ['embedded', () => OrderHarness.embedded()],
  ['remote', () => OrderHarness.remote({ uniqueDocuments: true })],
])('an order that comes again with other content, %s', (_backend, start) => {
  let harness: OrderHarness;
  let orders = 0;

  beforeAll(async () => {
    harness = await start();
  });
  afterAll(() => harness.stop());

  function newOrder(): DemoOrder {
    orders += 1;
    return {
      ...{ id: 8_600_000_000_000 + orders, number: orders, total: '100.00', name: `Lia ${orders}` },
      ...{ document: cpfNumber(86_000 + orders), email: `lia${orders}@example.com`, instalments: 3 },
    };
  }

  const paidAt = (processed_at: string) => ({
    transactions: [{ kind: 'sale', status: 'success', amount: '100.00', processed_at, gateway: 'pix' }],
  });

  it('is silent where nothing differs', async () => {
    const order = newOrder();
    await harness.shopify(order, paidAt(PAID_ON_20));
    await harness.shopify(order, { ...paidAt(PAID_ON_20), note: 'packed' }, 'orders/updated');
    expect((await harness.lastDelivery()).outcome).toBe('applied');
    expect(await harness.attention(order)).toEqual([]);
  });

  it('is silent where an inferred date got better, in either order', async () => {
    const order = newOrder();
    await harness.shopify(order, { processed_at: PAID_ON_22 }, 'orders/updated');
    await harness.shopify(order, paidAt(PAID_ON_20), 'orders/updated');
    expect(await harness.attention(order)).toEqual([]);
    const other = newOrder();
    await harness.shopify(other, paidAt(PAID_ON_20), 'orders/updated');
    await harness.shopify(other, { processed_at: PAID_ON_22 }, 'orders/updated');
    expect(await harness.attention(other)).toEqual([]);
  });

  it('names dates that are facts, and not the number of instalments of what is paid', async () => {
    const order = newOrder();
    await harness.shopify(order, paidAt(PAID_ON_20));
    await harness.shopify({ ...order, instalments: 2 }, paidAt(PAID_ON_22), 'orders/updated');
    expect((await harness.lastDelivery()).outcome).toBe('applied; needs a person: content-differs');
    const left = await harness.attention(order);
    expect(left).toMatchObject([{ code: 'content-differs', value: '100.00', currency: 'BRL' }]);
    expect(left[0]?.detail).toContain('date 2026-11-20, now 2026-11-22');
    await harness.shopify({ ...order, instalments: 2 }, paidAt(PAID_ON_22), 'orders/updated');
    expect(await harness.attention(order)).toHaveLength(1);
  });

  it.each<[ProfileName, RegExp[], string[]]>([
    ['cash', [/: date 2026-11-20, now 2026-11-22$/], []],
    // Three instalments wait for their days, which move.
    ['accrual', [], ['2026-12-06', '2027-01-06', '2027-02-06']],
  ])(
    'is silent about what a table says otherwise since then, and not about what the shop does: %s',
    async (profile, asked, days) => {
      await putProfile(harness.service, profile);
      const order = newOrder();
      await harness.shopify(order, paidAt(PAID_ON_20), 'orders/create');
      await harness.shopify(order, paidAt(PAID_ON_20));
      const before = await tables();
      const [other] = await harness.books.prisma.category.findMany({ where: { referenceCode: '1.2.99' } });
      const account = await harness.openAccount(`Banco ${profile}`);
      await harness.table('category', { ...before['category'], 'online-sales': other?.id ?? '' });
      await harness.table('gatewayAccount', { default: account });
      await harness.table('sales', { ...before['sales'], 'first-due-days': '7', 'card-days': '14' });
      await harness.shopify(order, { ...paidAt(PAID_ON_20), note: 'packed' }, 'orders/updated');
      expect(await harness.attention(order)).toEqual([]);
      const updated = { ...paidAt(PAID_ON_22), updated_at: '2026-12-01T09:00:00-03:00' };
      await harness.shopify(order, updated, 'orders/updated');
      const details = (await harness.attention(order)).map(({ detail }) => detail);
      expect(details).toEqual(asked.map((detail): unknown => expect.stringMatching(detail)));
      // What waits takes the account of today with its new day.
      const waiting = await harness.service.database.prisma.deferredEffect.findMany({
        where: { state: 'waiting', businessKey: `shopify/order/${order.id}` },
        orderBy: { notBefore: 'asc' },
      });
      expect(waiting.map(({ effect }) => (effect as unknown as PlannedReceipt).input)).toMatchObject(
        days.map((date) => ({ date, account })),
      );
      for (const [name, entries] of Object.entries(before)) await harness.table(name, entries);
    },
  );

  it('is silent where a table says another due date of what is not paid', async () => {
    await putProfile(harness.service, 'accrual');
    const { sales = {} } = await tables();
    orders += 1;
    const customer = { id: `c-${orders}`, name: 'Lia Campos', document: cpfNumber(86_000 + orders) };
    const order = { id: `due-${orders}`, total: '100.00', createdAt: PAID_ON_20, customer };
    await harness.standard('order.created', order);
    await harness.table('sales', { ...sales, 'first-due-days': '7' });
    await harness.standard('order.created', order);
    expect((await harness.lastDelivery()).outcome).toBe('applied');
    await harness.table('sales', sales);
  });

  async function tables(): Promise<Record<string, Record<string, string>>> {
    const { items } = (await harness.service.admin('tables')) as { items: TableView[] };
    return Object.fromEntries(items.map(({ name, entries }) => [name, entries]));
  }
});

it('is silent where a refund has the day of the last change, and that is another now', async () => {
  const harness = await OrderHarness.embedded();
  const order = {
    ...{ id: 8_700_001, number: 1, total: '100.00', name: 'Lia Campos', document: cpfNumber(87_001) },
    ...{ email: 'lia@example.com', instalments: 1 },
  };
  const own = JSON.parse(wooOrder(order, 'processing').toString()) as object;
  const refunds = [{ id: 9, reason: 'broken', total: '-30.00' }];
  const outcomes: (string | null | undefined)[] = [];
  for (const day of ['2026-11-23', '2026-11-24']) {
    const changed = { date_modified: `${day}T10:00:00`, date_modified_gmt: `${day}T13:00:00` };
    const body = JSON.stringify({ ...own, ...changed, refunds });
    await harness.service.hook({ source: 'woocommerce', topic: 'order.updated', body });
    await harness.settled();
    outcomes.push((await harness.lastDelivery()).outcome);
  }
  await harness.stop();
  expect(outcomes).toEqual(['applied', 'applied']);
});

it('is silent where a chargeback has the day of the last change, and that is another now', async () => {
  const harness = await OrderHarness.embedded({ PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
  let answer = CHARGED_BACK_ORDER;
  const api = await ProviderApiServer.start((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await connectPagarme(harness, api.url);
  const outcomes: (string | null | undefined)[] = [];
  for (const id of ['hook_1', 'hook_2']) {
    await sendChargedBack(harness, id);
    outcomes.push((await harness.lastDelivery()).outcome);
    answer = answer.replaceAll('2026-08-02T09:30:00Z', '2026-09-02T09:30:00Z');
  }
  await harness.stop();
  await api.stop();
  expect(outcomes).toEqual(['applied', 'applied']);
});
