import fc from 'fast-check';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { BacktestClient, totalsIn } from '../support/backtests';
import { cpfNumber } from '../support/documents';
import { slowPropertyRuns } from '../support/property-runs';
import { TestService } from '../support/service';
import { settledTables, storedTables } from '../support/stored-tables';

const RULES = ['order-paid', 'order-refunded', 'payment-disputed'];

function refund(id: number, amount: string) {
  const processed_at = '2026-11-21T23:30:00-03:00';
  const transactions = [{ kind: 'refund', status: 'success', gateway: 'mercado_pago', amount, processed_at }];
  return { id, created_at: processed_at, transactions };
}

const [FIRST, SECOND] = [refund(1, '30.00'), refund(2, '10.50')];
const DISPUTE = {
  type: 'chargeback',
  amount: '20.00',
  currency: 'BRL',
  initiated_at: '2026-11-23T23:30:00-03:00',
};

/** What a shop may say of an order, each a topic and what differs from the order as it was paid. */
const MESSAGES: readonly (readonly [topic: string, fields: object])[] = [
  ['orders/create', { financial_status: 'pending' }],
  ['orders/paid', {}],
  ['orders/updated', { financial_status: 'partially_refunded', refunds: [FIRST] }],
  ['orders/updated', { financial_status: 'partially_refunded', refunds: [FIRST, SECOND] }],
  ['disputes/create', { ...DISPUTE, status: 'needs_response', finalized_on: null }],
  ['disputes/update', { ...DISPUTE, status: 'won', finalized_on: '2026-12-02T10:00:00-03:00' }],
];

describe('a repair', () => {
  let service: TestService;
  let orders = 0;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  async function enableOnly(names: readonly string[]): Promise<void> {
    for (const name of RULES) {
      const verb = names.includes(name) ? 'enable' : 'disable';
      expect((await service.operate('post', `rules/${name}/${verb}`)).status).toBe(200);
    }
  }

  /** Sends messages about a new order. @returns it */
  async function send(messages: readonly number[]): Promise<DemoOrder> {
    orders += 1;
    const order: DemoOrder = {
      ...{ id: 8_500_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(85_000 + orders), email: `lia${orders}@example.com`, instalments: 3 },
    };
    const own = JSON.parse(shopifyOrder(order, true).toString()) as object;
    for (const [place, index] of messages.entries()) {
      const [topic, fields] = MESSAGES[index]!;
      const isDispute = topic.startsWith('disputes/');
      const body = isDispute ? { id: order.id + 500, order_id: order.id, ...fields } : { ...own, ...fields };
      const reply = await service.hook({
        source: 'shopify',
        topic,
        body: JSON.stringify({ ...body, note: place }),
      });
      expect(reply.status).toBe(200);
    }
    await service.settle();
    return order;
  }

  /** What was applied for an order, without what names it: each effect with its amount. */
  async function appliedTo({ id }: DemoOrder): Promise<string[]> {
    const effects = await service.database.prisma.effect.findMany({
      where: {
        state: 'applied',
        OR: [{ key: { contains: String(id) } }, { key: { contains: String(id + 500) } }],
      },
    });
    return effects.map(({ key, amountMinor }) => `${key.replace(/\d{13}/, 'N')} ${amountMinor}`).sort();
  }

  it('leaves nothing missing, whichever rules were in force when, and comes to what they come to at once', async () => {
    const messages = fc.array(fc.nat({ max: MESSAGES.length - 1 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(messages, fc.subarray(RULES), fc.subarray(RULES), async (sent, early, more) => {
        await enableOnly(early);
        const client = new BacktestClient(service);
        const repaired = await send(sent);
        const late = RULES.filter((name) => early.includes(name) || more.includes(name));
        await enableOnly(late);

        const before = await settledTables(service.database);
        const found = await client.backtest();
        expect((await client.plan()).backtest).toEqual(found);
        expect(await storedTables(service.database)).toEqual(before);

        await client.repair();
        await service.settle();
        expect(totalsIn(await client.backtest())).toEqual([]);
        const books = await appliedTo(repaired);
        expect(await client.repair()).toMatchObject({ deliveries: 0, queued: 0, repair: null });
        expect(await appliedTo(repaired)).toEqual(books);
        expect(await appliedTo(await send(sent))).toEqual(books);
        expect((await verifyLedger(service.database.prisma)).difference).toBeUndefined();
      }),
      { numRuns: slowPropertyRuns(8) },
    );
  });
});
