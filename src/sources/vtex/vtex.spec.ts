import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import type { IncomingWebhook, Normalised } from '../source';
import { checkSettings } from '../check-settings';
import { vtex } from './vtex';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'vtex');
const SETTINGS = { account: 'ipemoveis' };

type Json = Record<string, unknown>;
interface Order extends Json {
  paymentData: { transactions: { payments: Json[] }[] };
  packageAttachment: { packages: Json[] };
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as T;
}

function request(body: unknown, changes: Partial<IncomingWebhook> = {}): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { method: 'POST', headers: {}, query: {}, rawBody, ...changes };
}

/** What comes of a case's notification when VTEX answers this about its order. */
function normalise(name: string, order: unknown, settings: Json = SETTINGS, status = 200): Normalised {
  const incoming = request(read(name));
  const { topic, attributes } = vtex.identify(incoming);
  const fetched = [{ name: 'order', status, body: Buffer.from(JSON.stringify(order)) }];
  return vtex.normalise(
    { topic, attributes, rawBody: incoming.rawBody, receivedAt: RECEIVED_AT, fetched },
    { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings },
  );
}

/** The same with these fields of the order instead of its own. */
function withOrder(name: string, changes: Json | ((order: Order) => Json), settings: Json = SETTINGS) {
  const order = read<Order>(`fetched/${name}`);
  return normalise(
    name,
    { ...order, ...(typeof changes === 'function' ? changes(order) : changes) },
    settings,
  );
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

/** Another transaction of these payments. */
const paidBy = (...payments: Json[]): Json => ({
  paymentData: { transactions: [{ isActive: true, transactionId: 'T', payments }] },
});

describe("VTEX's secret", () => {
  const verify = (changes: Partial<IncomingWebhook>, settings: Json = {}, secrets = ['segredo']) =>
    vtex.verify(request({}, changes), secrets, settings, RECEIVED_AT);
  const accepted = { ok: true, bodyUnsigned: true };

  it('stands in the header that the source names, or in the address', () => {
    expect(verify({ headers: { 'x-ponte-key': 'segredo' } })).toEqual(accepted);
    expect(verify({ headers: { 'x-loja': 'segredo' } }, { secretHeader: 'X-Loja' })).toEqual(accepted);
    expect(verify({ token: 'segredo' })).toEqual(accepted);
    expect(verify({ headers: { 'x-ponte-key': ' ' }, token: 'segredo' })).toEqual(accepted);
  });

  it('is refused in another header, when it is wrong, and where the source has none', () => {
    expect(verify({ headers: { 'x-ponte-key': 'segredo' } }, { secretHeader: 'x-loja' }).ok).toBe(false);
    expect(verify({ headers: { 'x-ponte-key': 'outro' }, token: 'segredo' }).ok).toBe(false);
    expect(verify({ token: 'outro' }).ok).toBe(false);
    expect(verify({}).ok).toBe(false);
    expect(verify({ headers: { 'x-ponte-key': '' } }, {}, ['']).ok).toBe(false);
  });
});

describe("VTEX's settings", () => {
  it.each([
    [{ account: 'ipemoveis' }, []],
    [{ account: 'IpeMoveis-2', secretHeader: 'X-Loja' }, []],
    [{}, ['account']],
    [{ account: 'ipemoveis.evil.example' }, ['account']],
    [{ account: 'ipemoveis/../x' }, ['account']],
    [{ account: '-ipe' }, ['account']],
    [{ account: 'ipemoveis', secretHeader: 'x key' }, ['secretHeader']],
  ])('%j have these wrong: %j', (settings, wrong) => {
    expect(checkSettings(vtex, settings).map(({ name }) => name)).toEqual(wrong);
  });

  it('name the host that is asked, or its whole address', () => {
    const baseUrl = (settings: Json) => vtex.api?.baseUrl(settings);
    expect(baseUrl({ account: 'IpeMoveis' })).toBe('https://ipemoveis.vtexcommercestable.com.br');
    expect(baseUrl({ account: 'ipemoveis', apiUrl: 'https://vtex.example.com/' })).toBe(
      'https://vtex.example.com',
    );
    expect(() => baseUrl({ account: 'ipe.moveis' })).toThrow('does not name its account');
  });
});

describe("VTEX's ping", () => {
  const ping = { hookConfig: 'ping' };

  it('is answered with 200', () => {
    expect(vtex.handshake?.(request(ping))).toMatchObject({ status: 200 });
    expect(vtex.handshake?.(request('{\n    "hookConfig": "ping"\n}'))).toMatchObject({ status: 200 });
  });

  it.each([
    ['is a GET', request(ping, { method: 'GET' })],
    ['says more', request({ ...ping, OrderId: 'v1-01' })],
    ['says something else', request({ hookConfig: 'pong' })],
    ['is long', request(JSON.stringify(ping).padEnd(300))],
    ['is no JSON', request('hookConfig=ping')],
    ['is empty', request('')],
  ])('is none when it %s', (_what, incoming) => {
    expect(vtex.handshake?.(incoming)).toBeUndefined();
  });
});

describe('what a notification of VTEX is known by', () => {
  const notification = read<Json>('payment-approved-card');
  const identify = (changes: Json) => vtex.identify(request({ ...notification, ...changes }));

  it('is its order, its state, and when the order came to have it', () => {
    expect(identify({})).toEqual({
      topic: 'payment-approved',
      dedupeKey: 'v810001ipmv-01:payment-approved:2026-07-15T12:58:21.0012200Z:2026-07-15T13:01:48.4410310Z',
      orderingKey: 'order/v810001ipmv-01',
      attributes: {},
    });
    const keys = [{}, { State: 'invoiced' }, { LastChange: 'x' }, { CurrentChange: 'x' }, { OrderId: 'v2' }];
    expect(new Set(keys.map((changes) => identify(changes).dedupeKey)).size).toBe(keys.length);
  });

  it('is its content where it has no time or no order', () => {
    expect(identify({ LastChange: null }).dedupeKey).toMatch(/^sha256:/);
    expect(identify({ OrderId: undefined }).dedupeKey).toMatch(/^sha256:/);
    expect(identify({ LastChange: 'x'.repeat(300) }).dedupeKey).toMatch(/^sha256:/);
  });
});

describe('what is asked of VTEX', () => {
  const access = { settings: SETTINGS, credentials: { appKey: 'chave', appToken: 'senha' } };
  const next = (changes: Json, settings: Json = SETTINGS) => {
    const incoming = request({ ...read<Json>('payment-approved-card'), ...changes });
    const { topic, attributes } = vtex.identify(incoming);
    const webhook = { topic, attributes, rawBody: incoming.rawBody, receivedAt: RECEIVED_AT };
    return vtex.fetchBack?.next(webhook, { ...access, settings });
  };

  it('is the order, with the application key', () => {
    expect(next({})).toEqual({
      name: 'order',
      path: '/api/oms/pvt/orders/v810001ipmv-01',
      headers: {
        accept: 'application/json',
        'x-vtex-api-appkey': 'chave',
        'x-vtex-api-apptoken': 'senha',
      },
    });
  });

  it.each(['../orders', 'v1/../../x', 'v1?x=1', '.', 'v 1', 'v1#', 'x'.repeat(81)])(
    'is nothing for the order %j, which none is called',
    (OrderId) => {
      expect(() => next({ OrderId })).toThrow('$.OrderId is not the identifier of an order');
    },
  );

  it('is nothing of another account', () => {
    expect(() => next({ Origin: { Account: 'outraloja' } })).toThrow('$.Origin.Account is another account');
    expect(next({ Origin: { Account: 'IPEMOVEIS' } })).toBeDefined();
    expect(next({ Origin: undefined })).toBeDefined();
  });
});

describe('an answer of VTEX', () => {
  it('about another order than the one asked for is unreadable', () => {
    expect(() => withOrder('payment-approved-card', { orderId: 'v810002ipmv-01' })).toThrow(
      '$.orderId is not the order that was asked for',
    );
    expect(() => withOrder('payment-approved-card', { orderId: undefined })).toThrow('$.orderId is missing');
  });

  it('that the order is gone is no error', () => {
    for (const status of [404, 410])
      expect(normalise('payment-approved-card', '', SETTINGS, status)).toEqual({
        ignored: 'the order is not there any more',
      });
  });
});

describe('an order of VTEX', () => {
  it('is as paid as it says, whatever the notification says', () => {
    const waiting = read<Order>('fetched/payment-pending-boleto');
    const paid = { ...waiting, orderId: 'v810001ipmv-01' };
    expect(normalise('payment-approved-card', paid)).toMatchObject({ events: [{ type: 'order.pending' }] });
  });

  it('is dated by its last change where nothing says when it was paid, and says so', () => {
    const { payments } = orderOf(withOrder('payment-approved-card', { authorizedDate: null }));
    expect(payments).toMatchObject([{ paidAt: new Date('2026-07-15T13:01:48.441Z'), datedBy: 'lastChange' }]);
  });

  it('that was paid and says that it was not, or that another replaced it, says so', () => {
    const differences = (status: string) =>
      orderOf(withOrder('payment-approved-card', { status })).differences;
    expect(differences('payment-denied')).toEqual([
      expect.stringContaining('it is payment-denied') as string,
    ]);
    expect(differences('replaced')).toEqual([expect.stringContaining('replaced by another') as string]);
  });

  it('that several payments pay together with others is paid once, with its own value', () => {
    const [first, second] = [
      { id: 'P1', group: 'creditCard', paymentSystemName: 'Visa', value: 40_000, installments: 1 },
      { id: 'P2', group: 'giftCard', paymentSystemName: 'Vale', value: 30_000, installments: 1 },
    ];
    const { payments, differences } = orderOf(withOrder('group-first', paidBy(first, second)));
    expect(payments).toMatchObject([
      { key: 'loja/order/v810007ipmv-01/payment/paid', gateway: '', method: '' },
    ]);
    expect(payments[0]?.value.toString()).toBe('380.00');
    expect(differences).toEqual([expect.stringContaining('by which of them is not said') as string]);
  });

  it('of a purchase that instalments made dearer says how much of that is booked nowhere', () => {
    const payment = { id: 'P1', group: 'creditCard', paymentSystemName: 'Visa', installments: 10 };
    const { payments, differences } = orderOf(
      withOrder('group-first', paidBy({ ...payment, value: 66_045, referenceValue: 62_900 })),
    );
    expect(payments.map(({ value }) => value.toString())).toEqual(['380.00']);
    expect(differences.map((text) => text.slice(0, 41))).toEqual([
      'The payments come to 660.45 BRL, but the ',
      '31.45 BRL of the payments are interest of',
    ]);
  });

  it('of one purchase and its other order come to what was paid for both', () => {
    const orders = ['group-first', 'group-second'].map((name) => orderOf(withOrder(name, {})));
    const sum = orders.flatMap(({ payments }) => payments).reduce((all, { value }) => all + value.minor, 0n);
    expect(sum).toBe(62_900n);
    expect(new Set(orders.flatMap(({ payments }) => payments.map(({ key }) => key))).size).toBe(2);
  });

  it('has the same keys in whichever notification it is, and whenever that came', () => {
    const names = ['payment-approved-card', 'invoiced', 'refunded-in-part', 'refunded-twice'];
    const orders = names.map((name) => orderOf(withOrder(name, {})));
    const keys = orders.map(({ payments }) => payments.map(({ key, value }) => [key, value.toString()]));
    expect(keys).toEqual(names.map(() => keys[0]));
    const last = orders.at(-1)?.refunds.map(({ key }) => key) ?? [];
    expect(orders.map(({ refunds }) => refunds.map(({ key }) => key))).toEqual([
      [],
      [],
      last.slice(0, 1),
      last,
    ]);
    const waiting = normalise('payment-pending-boleto', read('fetched/payment-pending-boleto'));
    const paid = orderOf(withOrder('payment-approved-boleto', {}));
    expect(waiting).toMatchObject({ events: [{ order: { charge: { key: paid.payments[0]?.key } } }] });
  });

  it('that less was paid for says so', () => {
    const payment = { id: 'P1', group: 'instantPayment', paymentSystemName: 'Pix', value: 30_000 };
    expect(orderOf(withOrder('group-first', paidBy(payment))).differences).toEqual([
      'The payments come to 300.00 BRL, but the order says 380.00 BRL.',
    ]);
  });

  it('whose two payments are one is unreadable', () => {
    const payment = { id: 'P1', group: 'creditCard', value: 19_000 };
    expect(() => withOrder('group-first', paidBy(payment, payment))).toThrow('that another one is of');
  });

  it('that a wallet pays names it as the gateway', () => {
    const payment = { id: 'P1', group: 'picPayPaymentGroup', paymentSystemName: 'PicPay', value: 38_000 };
    expect(orderOf(withOrder('group-first', paidBy(payment))).payments).toMatchObject([
      { gateway: 'PicPay', method: 'picPay' },
    ]);
  });

  it('that another seller delivers asks nobody where that seller is the company itself', () => {
    const own = orderOf(withOrder('group-second', {}, { ...SETTINGS, ownSellers: '1, flexluz' }));
    expect(own.differences).toEqual([]);
    const sellers = [{ id: 'a b' }];
    expect(orderOf(withOrder('group-second', { sellers })).differences[0]).toContain('seller another');
  });

  it('that a marketplace sold and this shop has another seller deliver was paid to the marketplace', () => {
    const sellers = [{ id: 'franquia' }];
    const chain = (settings: Json) =>
      orderOf(withOrder('marketplace-sale', { origin: 'Chain', sellers }, settings));
    const own = chain({ ...SETTINGS, ownSellers: '1,franquia' });
    expect([own.marketplace, own.payments.map(({ gateway }) => gateway)]).toEqual(['Magazan', ['Magazan']]);
    expect(own.differences).toEqual([]);
    expect(chain(SETTINGS).differences).toEqual([expect.stringContaining('seller franquia') as string]);
  });

  it('whose changes do not come to what its totals say keeps its value, and says so', () => {
    const order = orderOf(withOrder('handling-changed', { changesAttachment: null }));
    expect([order.total.toString(), order.edits]).toEqual(['449.00', undefined]);
    expect(order.differences[0]).toContain('449.00 BRL is taken for what it costs');
  });

  it('with an amount that is no whole number is unreadable', () => {
    for (const value of ['12,00', 12.5, -1, null])
      expect(() => withOrder('payment-approved-card', { value })).toThrow('$.value');
  });

  it('in a currency without hundredths is counted in hundredths all the same', () => {
    const { total, differences } = orderOf(
      withOrder('payment-approved-card', { storePreferencesData: { currencyCode: 'CLP' } }),
    );
    expect([total.toString(), total.currency]).toEqual(['517', 'CLP']);
    expect(differences).toEqual([]);
  });

  it('is from a buyer without a document where it has a passport', () => {
    const changes = ({ clientProfileData }: Order): Json => ({
      clientProfileData: { ...(clientProfileData as Json), documentType: 'passport', document: 'X1234567' },
    });
    expect(orderOf(withOrder('payment-approved-card', changes)).customer.document).toBeUndefined();
  });

  it('that the buyer fetches has no address of theirs', () => {
    const shippingData = { address: { addressType: 'pickup', street: 'Rua da Loja' } };
    expect(orderOf(withOrder('payment-approved-card', { shippingData })).customer.address).toBeUndefined();
  });
});

describe('what goes back of an order of VTEX', () => {
  const refunds = (change: (packages: Json[]) => Json[]) =>
    orderOf(
      withOrder('refunded-twice', ({ packageAttachment }) => ({
        packageAttachment: { packages: change(packageAttachment.packages) },
      })),
    ).refunds;

  it('is the value of the returned goods where nothing else is said', () => {
    const bare = refunds((packages) => packages.map((one) => ({ ...one, restitutions: {} })));
    expect(bare.map(({ value }) => value.toString())).toEqual(['249.00', '19.00']);
  });

  it('names the goods by their own number, else by that of the seller', () => {
    const items = [
      { id: '20', sellerSku: '31', name: 'Rede', quantity: 1, price: 24_900 },
      { id: '12', sellerSku: '20', name: 'Gancho', quantity: 1, price: 1_900 },
    ];
    const restitutions = (id: string) => ({ Refund: { value: 100, items: [{ id, quantity: 1 }] } });
    const { refunds } = orderOf(
      withOrder('refunded-twice', ({ packageAttachment: { packages } }) => ({
        items,
        packageAttachment: {
          packages: packages.map((one, index) => ({
            ...one,
            restitutions: restitutions(index === 1 ? '31' : '20'),
          })),
        },
      })),
    );
    const titles = refunds.flatMap(({ returned = [] }) => returned.map(({ title }) => title));
    expect(new Set(titles)).toEqual(new Set(['Rede']));
  });

  it('as a gift card is store credit', () => {
    const restitutions = { Refund: { value: 24_900, giftCardData: { id: '7' }, items: [] } };
    const given = refunds((packages) => packages.map((one) => ({ ...one, restitutions })));
    expect(given).toHaveLength(2);
    expect(given.every(({ storeCredit, gateway }) => storeCredit === true && gateway === undefined)).toBe(
      true,
    );
  });

  describe('that a gift card and a card paid', () => {
    /** 380.00, of which a gift card paid 80.00 and an Elo card 300.00, and what invoices gave back of it in hundredths. */
    const backOf = (...values: number[]): OrderFacts =>
      orderOf(
        withOrder('ready-gift-card', {
          packageAttachment: {
            packages: values.map((value, index) => ({
              ...{ invoiceNumber: `${index + 7}`, type: 'Input', issuanceDate: '2026-07-20T12:00:00Z' },
              restitutions: { Refund: { value, giftCardData: null, items: [{ id: '44', quantity: 1 }] } },
            })),
          },
        }),
      );

    it('goes back to both of them where one invoice gives all of it back', () => {
      const { refunds, differences } = backOf(38_000);
      expect(
        refunds.map(({ key, value, storeCredit, paymentKey, returned }) => [
          ...[key, value.toString(), storeCredit, paymentKey, returned?.length],
        ]),
      ).toEqual([
        [
          'loja/order/v810005ipmv-01/refund/7',
          '300.00',
          undefined,
          'loja/order/v810005ipmv-01/payment/E2',
          1,
        ],
        [
          ...['loja/order/v810005ipmv-01/refund/7.credit', '80.00', true],
          ...['loja/order/v810005ipmv-01/payment/E1', undefined],
        ],
      ]);
      expect(differences).toEqual([]);
    });

    it.each([[[10_000]], [[8_000, 30_000]]])(
      'is told to a person where invoices give back %j, for nothing says how much of it was money',
      (values) => {
        const { refunds, differences } = backOf(...values);
        expect(refunds).toEqual([]);
        expect(differences).toEqual(
          values.map(
            (value, index) =>
              `${value / 100}.00 BRL went back with invoice ${index + 7}, and VTEX does not say how much of it as money and how much to the gift card: enter what left an account.`,
          ),
        );
      },
    );
  });

  it('names the gateway that all payments came through', () => {
    const card = (id: string, acquirer: string) => ({
      ...{ id, group: 'creditCard', value: 25_850, connectorResponses: { acquirer } },
    });
    const gateways = (...acquirers: string[]) =>
      orderOf(
        withOrder('refunded-twice', paidBy(...acquirers.map((one, index) => card(`P${index}`, one)))),
      ).refunds.map(({ gateway }) => gateway);
    expect(gateways('Cielo', 'Cielo')).toEqual(['Cielo', 'Cielo']);
    expect(gateways('Cielo', 'Rede')).toEqual([undefined, undefined]);
  });

  it('by two invoices of one number is unreadable', () => {
    expect(() => refunds((packages) => packages.map((one) => ({ ...one, invoiceNumber: '1' })))).toThrow(
      'that another invoice is of',
    );
  });

  it('of an order that was never paid says so', () => {
    const order = orderOf(withOrder('refunded-twice', { authorizedDate: null, status: 'handling-x' }));
    expect(order.differences).toEqual([
      '268.00 BRL went back, but nothing says that the order was paid in full.',
    ]);
  });
});
