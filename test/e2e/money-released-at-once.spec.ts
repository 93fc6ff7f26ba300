import { findProvider } from '../../src/sources/registry';
import { OrderHarness } from '../support/order-harness';
import { postedSince } from '../support/posted';
import { type ProfileName, putProfile } from '../support/profiles';
import { ProviderApiServer } from '../support/provider-api-server';

const SECRET = 'the secret signature of Mercado Pago';
const PAYMENT = {
  ...{ date_created: '2025-03-03T10:00:00.000-04:00', date_approved: '2025-03-03T10:00:03.000-04:00' },
  ...{ operation_type: 'regular_payment', currency_id: 'BRL', live_mode: true },
  payer: { first_name: 'Lia', last_name: 'Campos', email: 'lia@example.com' },
  ...{ transaction_amount: 300, transaction_amount_refunded: 0, refunds: [] },
  transaction_details: { net_received_amount: 285.06 },
  fee_details: [{ type: 'mercadopago_fee', amount: 14.94, fee_payer: 'collector' }],
};
const CARD = {
  ...{ payment_method_id: 'visa', payment_type_id: 'credit_card', installments: 3 },
  ...{ status: 'approved', money_release_date: '2025-04-02T10:00:03.000-04:00' },
};
const PIX = {
  ...{ payment_method_id: 'pix', payment_type_id: 'bank_transfer', installments: 1 },
  ...{ status: 'approved', money_release_date: PAYMENT.date_approved },
};
const REFUNDED = {
  ...{
    status: 'refunded',
    transaction_amount_refunded: 300,
    money_release_date: '2025-03-10T09:00:01.000-04:00',
  },
  refunds: [{ id: 17, amount: 300, date_created: '2025-03-10T09:00:00.000-04:00', status: 'approved' }],
};
const CHARGED_BACK = {
  ...{ status: 'charged_back', status_detail: 'settled' },
  money_release_date: '2025-03-20T09:00:00.000-04:00',
};
const COMPLAINED = { status: 'in_mediation', status_detail: 'pending', money_release_date: null };
const ASKED = 'a person is asked (`order-differs`)';
const CHARGEBACK = {
  ...{ id: '21', currency: 'BRL', amount: 300, coverage_applied: false, live_mode: true },
  ...{ date_created: '2025-03-20T09:00:00.000-04:00', date_last_updated: '2025-03-28T09:00:00.000-04:00' },
};
const BACK = 'payment of 300.00 on 2025-03-10 from Conta principal, _Devoluções e reembolsos_';
const TAKEN = 'payment of 300.00 on 2025-03-20 from Conta principal, _Devoluções e reembolsos_';
const fee = (on: string) =>
  `payment of 14.94 on ${on} from Conta principal, _Taxas de cartão e meios de pagamento_`;

describe.each<[ProfileName, string]>([
  ['cash', '2025-03-03'],
  ['accrual', '2025-04-02'],
])('a payment of Mercado Pago of which the money goes back, in the profile %s', (profile, cardsOn) => {
  let harness: OrderHarness;
  let api: ProviderApiServer;
  const answers = new Map<string, object>();
  let number = 9_000;

  beforeAll(async () => {
    harness = await OrderHarness.embedded({ PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
    await putProfile(harness.service, profile);
    api = await ProviderApiServer.start(({ url = '' }, response) => {
      const found = answers.get(url);
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    });
    await harness.service.operate('post', 'sources', {
      ...{ slug: 'mp', provider: 'mercado-pago', secrets: [SECRET], settings: { apiUrl: api.url } },
    });
    await harness.service.operate('put', 'sources/mp/credentials', { credentials: { accessToken: 'token' } });
  });
  afterAll(async () => {
    await harness.stop();
    await api.stop();
  });

  async function notify(payment: object): Promise<void> {
    answers.set(`/v1/payments/${number}`, { id: number, ...PAYMENT, ...payment });
    answers.set(`/v1/chargebacks/${number}`, { ...CHARGEBACK, id: `21${number}`, payments: [number] });
    const body = Buffer.from(JSON.stringify({ type: 'payment', data: { id: String(number) } }));
    const message = { secret: SECRET, body, topic: '', id: `n-${Math.random()}`, sentAt: new Date() };
    const provider = findProvider('mercado-pago');
    const reply = await harness.service.http
      .post(`/hooks/main/mp`)
      .query(provider?.signQuery?.(message) ?? {})
      .set(provider?.sign(message) ?? {})
      .send(body.toString());
    expect(reply.status).toBe(200);
    await harness.settled();
  }

  const posted = (before?: ReadonlySet<string>) =>
    postedSince({ books: harness.books, service: harness.service.database }, before);

  it.each([
    ['a Pix that is refunded', PIX, REFUNDED, '2025-03-03', BACK],
    ['a card in three instalments that is refunded', CARD, REFUNDED, cardsOn, BACK],
    ['a card in three instalments that is charged back', CARD, CHARGED_BACK, cardsOn, TAKEN],
    ['a card in three instalments that the buyer complains about', CARD, COMPLAINED, cardsOn, ASKED],
  ])('posts %s and its fee once', async (_what, payment, later, on, back) => {
    number += 1;
    const { ids } = await posted();
    await notify(payment);
    const first = await posted(ids);
    await notify({ ...payment, ...later });
    await notify({ ...payment, ...later });
    expect((await posted(first.ids)).lines).toEqual([back]);
    expect(first.lines).toContain(fee(on));
    expect(await harness.service.database.prisma.deferredEffect.count()).toBe(0);
  });

  it('posts a card that was refunded before any message came as one payment of one day', async () => {
    number += 1;
    const { ids } = await posted();
    await notify({ ...CARD, ...REFUNDED });
    const received = (await posted(ids)).lines.filter((line) => line.startsWith('receipt'));
    const on = profile === 'cash' ? '2025-03-03' : '2025-03-10';
    expect(received.map((line) => line.slice(0, 31))).toEqual(Array(3).fill(`receipt of 100.00 on ${on}`));
    expect(await harness.service.database.prisma.deferredEffect.count()).toBe(0);
  });

  it('asks nobody about the day of an order that another payment pays after a boleto expired', async () => {
    number += 1;
    const named = { external_reference: `retried-${number}`, installments: 1 };
    const boleto = { ...PIX, ...named, payment_method_id: 'bolbradesco', payment_type_id: 'ticket' };
    await notify({ ...boleto, status: 'cancelled', date_approved: null, money_release_date: null });
    number += 1;
    const { ids } = await posted();
    await notify({ ...CARD, ...named, date_created: '2025-03-08T10:00:00.000-04:00' });
    const { lines } = await posted(ids);
    expect([lines.length > 0, lines.filter((line) => line.startsWith('a person'))]).toEqual([true, []]);
  });
});

const SOLD = {
  ...{ date_created: '2025-03-03T10:00:00.000-04:00', last_updated: '2025-03-03T10:00:05.000-04:00' },
  ...{ status: 'paid', tags: ['paid'], total_amount: 300, currency_id: 'BRL', seller: { id: 41 } },
  buyer: { id: 7, first_name: 'Lia', last_name: 'Campos' },
  order_items: [{ item: { id: 'MLB1', title: 'Vaso' }, quantity: 1, unit_price: 300, sale_fee: 36 }],
};

describe.each<[ProfileName, string]>([
  ['cash', '2025-03-03'],
  ['accrual', '2025-04-02'],
])('a payment of Mercado Livre of which the money goes back, in the profile %s', (profile, cardsOn) => {
  let harness: OrderHarness;
  let api: ProviderApiServer;
  const answers = new Map<string, object>();
  let number = 2_000;

  beforeAll(async () => {
    harness = await OrderHarness.embedded({ PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
    await putProfile(harness.service, profile);
    api = await ProviderApiServer.start(({ url = '' }, response) => {
      const token = { access_token: 'token', refresh_token: 'next', expires_in: 21_600 };
      const found = url === '/oauth/token' ? token : answers.get(url);
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    });
    await harness.service.operate('post', 'sources', {
      ...{ slug: 'ml', provider: 'mercado-livre', secrets: [SECRET] },
      settings: { apiUrl: api.url, storeId: '41' },
    });
    await harness.service.operate('put', 'sources/ml/credentials', {
      credentials: { clientId: 'a', clientSecret: 'b', refreshToken: 'c' },
    });
  });
  afterAll(async () => {
    await harness.stop();
    await api.stop();
  });

  async function notify(payment: Partial<typeof CARD & typeof REFUNDED>): Promise<void> {
    const { money_release_date, refunds, transaction_amount_refunded, ...told } = payment;
    const id = number + 500;
    const place = {
      ...{ id, currency_id: 'BRL', transaction_amount: 300, payment_type: 'credit_card', ...told },
      ...{ date_approved: PAYMENT.date_approved, date_created: PAYMENT.date_created },
      date_last_modified: '2025-03-20T09:00:00.000-04:00',
    };
    answers.set(`/orders/${number}`, { id: number, ...SOLD, payments: [place] });
    answers.set(`/orders/${number}/billing_info`, { billing_info: {} });
    const back = { amount_refunded: transaction_amount_refunded ?? 0, refunds: refunds ?? [] };
    answers.set(`/collections/${id}`, { ...place, ...back, money_release_date });
    const sent = { resource: `/orders/${number}`, user_id: 41, sent: `2025-03-${String(Math.random())}` };
    const reply = await harness.service.http
      .post(`/hooks/main/ml/${encodeURIComponent(SECRET)}`)
      .send({ topic: 'orders_v2', ...sent });
    expect(reply.status).toBe(200);
    await harness.settled();
  }

  const posted = (before?: ReadonlySet<string>) =>
    postedSince({ books: harness.books, service: harness.service.database }, before);
  const receiptsIn = (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith('receipt')).map((line) => line.slice(0, 31));
  const whole = (on: string) => Array<string>(3).fill(`receipt of 100.00 on ${on}`);

  it.each([
    ['is refunded', REFUNDED, [ASKED, BACK]],
    ['is charged back', CHARGED_BACK, [ASKED, TAKEN]],
    ['the buyer complains about', COMPLAINED, [ASKED]],
  ])('posts a card in three instalments that %s once', async (_what, later, back) => {
    number += 1;
    const { ids } = await posted();
    await notify(CARD);
    const first = await posted(ids);
    expect(receiptsIn(first.lines)).toEqual(whole(cardsOn));
    await notify({ ...CARD, ...later } as typeof CARD);
    await notify({ ...CARD, ...later } as typeof CARD);
    expect((await posted(first.ids)).lines.toSorted()).toEqual(back);
    expect(await harness.service.database.prisma.deferredEffect.count()).toBe(0);
  });

  it('posts a card that was taken back before any message came as one payment of one day', async () => {
    number += 1;
    const { ids } = await posted();
    await notify({ ...CARD, ...COMPLAINED } as unknown as typeof CARD);
    expect(receiptsIn((await posted(ids)).lines)).toEqual(whole('2025-03-03'));
    expect(await harness.service.database.prisma.deferredEffect.count()).toBe(0);
  });
});
