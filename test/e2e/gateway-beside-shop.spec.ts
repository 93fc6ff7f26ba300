import { ComparisonWorker } from '../../src/deliveries/comparison/comparison-worker';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { DeferredWorker } from '../../src/workflows/deferred/deferred-worker';
import { signedHeaders } from '../../src/sources/registry';
import {
  MERCADO_PAGO_ACCOUNT,
  MERCADO_PAGO_CHARGEBACKS,
  MERCADO_PAGO_PAYMENTS,
  MERCADO_PAGO_SALES,
  MERCADO_PAGO_STATEMENT,
} from '../support/mercado-pago-months';
import { OrderHarness } from '../support/order-harness';
import { PROFILE_NAMES, putProfile } from '../support/profiles';
import { ProviderApiServer } from '../support/provider-api-server';
import { PAGARME_CHARGES, PAGARME_ORDERS, PAGARME_SALES, PAGARME_STATEMENT } from '../support/pagarme-months';
import { nuvemshopOrder, wooOrder } from '../support/two-months-of-shops';

const SECRET = 'a-long-random-text-of-the-address';
const STORE = '2264107';
const NETWORKS = { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' };

interface Left {
  readonly code: string;
  readonly businessKey: string;
  readonly value: string;
}

describe.each(
  PROFILE_NAMES.flatMap((profile) => [
    [profile, "on Ponte's own books", () => OrderHarness.embedded(NETWORKS)] as const,
    [profile, 'in a remote service', () => OrderHarness.remote({ uniqueDocuments: true }, NETWORKS)] as const,
  ]),
)('two months of a shop and its gateway, in the profile %s, %s', (profile, _where, open) => {
  let harness: OrderHarness;
  let api: ProviderApiServer;
  let gateway: string;

  beforeEach(async () => {
    harness = await open();
    await putProfile(harness.service, profile);
    gateway = await harness.openAccount('Gateway');
    api = await ProviderApiServer.start((_request, response) => response.writeHead(404).end());
  });
  afterEach(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
    await harness.stop();
    await api.stop();
  });

  /** The API of a provider, by its paths without their queries. */
  function serve(
    answers: Readonly<Record<string, unknown>>,
    firstPages: Readonly<Record<string, unknown>>,
  ): void {
    api.behave(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://api');
      const isFirst = searchParams.get('page') === '1' || searchParams.get('offset') === '0';
      const answer =
        answers[pathname] ??
        (isFirst ? firstPages[pathname] : firstPages[pathname] && { data: [], results: [] });
      response.setHeader('content-type', 'application/json');
      return answer === undefined ? response.writeHead(404).end() : response.end(JSON.stringify(answer));
    });
  }

  async function addSource(slug: string, settings: object, credentials: object): Promise<void> {
    const made = await harness.service.operate('post', 'sources', {
      ...{ slug, provider: slug, secrets: [SECRET], settings: { ...settings, apiUrl: api.url } },
    });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const put = await harness.service.operate('put', `sources/${slug}/credentials`, { credentials });
    expect(put.status).toBe(200);
    // What was before a source was made is not compared.
    const createdAt = new Date(Date.now() - 48 * 3_600_000);
    await harness.service.database.prisma.source.updateMany({ where: { slug }, data: { createdAt } });
  }

  /** As an hour later. @returns how many webhooks the source missed */
  async function compare(slug: string): Promise<number> {
    await harness.service.database.prisma.sourceComparison.updateMany({ data: { dueAt: new Date(0) } });
    await harness.service.part(ComparisonWorker).run();
    const { status } = (await harness.service.admin(`sources/${slug}`)) as {
      status: { missed: number; comparisonFailure: string | null };
    };
    expect(status.comparisonFailure).toBeNull();
    await settled();
    return status.missed;
  }

  /** Waits until nothing waits; no letter is dead. */
  async function settled(): Promise<void> {
    await harness.settled();
    const { prisma } = harness.service.database;
    while (
      (await prisma.deferredEffect.count({ where: { state: 'waiting', dueAt: { lte: new Date() } } })) > 0
    )
      await harness.service.part(DeferredWorker).run();
    const dead = await prisma.delivery.findMany({ where: { state: 'dead' } });
    expect(dead.map(({ topic, reason }) => [topic, reason])).toEqual([]);
  }

  async function balance(): Promise<bigint> {
    return (await readBalances(harness.books.prisma, [gateway])).get(gateway) ?? 0n;
  }

  async function left(): Promise<Left[]> {
    const { items } = (await harness.service.admin('attention?limit=500')) as { items: Left[] };
    return items;
  }

  /** Minor units of all that was sold, and of what of it is open. */
  async function sold(): Promise<(bigint | null)[]> {
    const sum = { valueMinor: true, openMinor: true } as const;
    const { _sum } = await harness.books.prisma.schedule.aggregate({ _sum: sum, where: { kind: 'credit' } });
    return [_sum.valueMinor, _sum.openMinor];
  }

  /** Minor units of payments and receipts without a receivable, by the beginning of their key. */
  async function posted(kind: 'payment' | 'receipt', beginning: string): Promise<bigint | null> {
    const { _sum } = await harness.books.prisma.entry.aggregate({
      _sum: { amountMinor: true },
      where: { kind, reference: { startsWith: beginning } },
    });
    return _sum.amountMinor;
  }

  it('WooCommerce and Pagar.me: the account comes to the statement of the balance, to the cent', async () => {
    const shop = [
      'woo-pagarme-payments-credit_card',
      'woo-pagarme-payments-pix',
      'woo-pagarme-payments-billet',
    ];
    const accounts = Object.fromEntries(['pagarme', ...shop].map((name) => [name, gateway]));
    const { entries } = (await harness.service.admin('tables/gatewayAccount')) as {
      entries: { default: string };
    };
    await harness.table('gatewayAccount', { default: entries.default, ...accounts });
    await addSource('pagarme', { withoutSales: true }, { secretKey: 'sk_1' });
    serve(
      {
        ...Object.fromEntries(PAGARME_STATEMENT.map((one) => [`/balance/operations/${one.id}`, one])),
        ...Object.fromEntries(PAGARME_CHARGES.map((one) => [`/charges/${one.id}`, one])),
        ...Object.fromEntries(PAGARME_ORDERS.map((one) => [`/orders/${one.id}`, one])),
      },
      { '/balance/operations': { data: PAGARME_STATEMENT, paging: {} } },
    );

    // A chargeback is known before the shop's order is.
    const hooks = PAGARME_CHARGES.flatMap((charge) => [
      { id: `hook_${charge.id}paid`, type: 'charge.paid', data: charge },
      ...(charge.status === 'chargedback'
        ? [{ id: `hook_${charge.id}back`, type: 'charge.chargedback', data: charge }]
        : []),
    ]);
    for (const hook of hooks) {
      const sent = harness.service.http.post(`/hooks/main/pagarme/${SECRET}`).send(hook);
      expect((await sent).status).toBe(200);
    }
    await settled();
    for (const refunded of [false, true])
      for (const sale of PAGARME_SALES.toReversed()) {
        const body = wooOrder(sale, refunded);
        const reply = await harness.service.hook({ source: 'woocommerce', topic: 'order.updated', body });
        expect(reply.status).toBe(200);
      }
    await settled();

    // Nothing of a statement is missed, however often it is read.
    expect([await compare('pagarme'), await compare('pagarme')]).toEqual([0, 0]);

    const statement = PAGARME_STATEMENT.filter(({ status }) => status === 'available');
    const moved = statement.reduce((sum, { amount, fee, parts }) => sum + amount - (parts ?? fee), 0);
    const asked = (await left()).map(({ code, value }) => [code, value]);
    expect(asked).toEqual([['movement-not-booked', '49.90']]);
    expect(await balance()).toBe(BigInt(moved) + 4_990n);
    expect(await sold()).toEqual([102_550n, 0n]);
    expect(await posted('payment', 'woocommerce/order/')).toBe(29_000n);
    expect(await posted('payment', 'pagarme/dispute/')).toBe(27_550n);
    expect(await posted('receipt', 'pagarme/dispute/')).toBe(18_000n);
    expect(await posted('receipt', 'pagarme/fee/')).toBe(910n);
  });

  it('Nuvemshop and Mercado Pago: the account comes to what Mercado Pago has, to the cent', async () => {
    const { entries } = (await harness.service.admin('tables/gatewayAccount')) as {
      entries: { default: string };
    };
    const accounts = { mercado_pago: gateway, 'mercado-pago': gateway };
    await harness.table('gatewayAccount', { default: entries.default, ...accounts });
    await addSource('nuvemshop', { storeId: STORE }, { accessToken: 'token of the store' });
    await addSource('mercado-pago', { withoutSales: true }, { accessToken: 'APP_USR-1' });
    for (const refunded of [false, true]) {
      const told = MERCADO_PAGO_SALES.map((sale) => ({ id: sale.id, ...nuvemshopOrder(sale, refunded) }));
      serve(
        {
          ...Object.fromEntries(
            told.flatMap(({ id, order, transactions }) => [
              [`/v1/${STORE}/orders/${id}`, order],
              [`/v1/${STORE}/orders/${id}/transactions`, transactions],
            ]),
          ),
          ...Object.fromEntries(MERCADO_PAGO_PAYMENTS.map((one) => [`/v1/payments/${one.id}`, one])),
          ...Object.fromEntries(
            MERCADO_PAGO_CHARGEBACKS.map(({ payment, told: one }) => [`/v1/chargebacks/${payment}`, one]),
          ),
          '/users/me': MERCADO_PAGO_ACCOUNT,
        },
        { '/v1/payments/search': { results: MERCADO_PAGO_PAYMENTS } },
      );
      for (const { id } of told) {
        const body = JSON.stringify({ store_id: Number(STORE), event: 'order/updated', id });
        const message = { secret: SECRET, body, topic: 'order/updated', id: `d-${id}`, sentAt: new Date() };
        const headers = { ...signedHeaders('nuvemshop', message), 'content-type': 'application/json' };
        const sent = harness.service.http.post('/hooks/main/nuvemshop').set(headers).send(body);
        expect((await sent).status).toBe(200);
      }
      await settled();
    }
    expect([await compare('mercado-pago'), await compare('mercado-pago')]).toEqual([0, 0]);

    // The payment that no shop reports has its fee in the books, and a person is asked about the sale.
    expect((await left()).map(({ code, value }) => [code, value])).toEqual([
      ['movement-not-booked', '50.00'],
    ]);
    expect(await balance()).toBe(BigInt(MERCADO_PAGO_STATEMENT) - 49n);
    expect(await sold()).toEqual([102_550n, 0n]);
    expect(await posted('payment', 'nuvemshop/order/')).toBe(29_000n);
    expect(await posted('payment', 'mercado-pago/dispute/')).toBe(27_550n);
    expect(await posted('receipt', 'mercado-pago/dispute/')).toBe(18_000n);
    expect(await posted('receipt', 'mercado-pago/fee/')).toBe(1_247n);
  });
});
