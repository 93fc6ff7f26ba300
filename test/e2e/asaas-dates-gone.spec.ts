import { findProvider } from '../../src/sources/registry';
import { OrderHarness } from '../support/order-harness';
import { postedSince } from '../support/posted';
import { putProfile } from '../support/profiles';
import { ProviderApiServer } from '../support/provider-api-server';

const SECRET = 'the token of Asaas, of 32 letters';
const PAID = {
  ...{ object: 'payment', customer: 'cus_1', value: 300, netValue: 288, status: 'CONFIRMED', deleted: false },
  ...{ dateCreated: '2025-03-03', dueDate: '2025-03-03', clientPaymentDate: '2025-03-03' },
  ...{ confirmedDate: '2025-03-03', paymentDate: null, invoiceUrl: 'https://www.asaas.com/i/1' },
  ...{ creditDate: null, refunds: null },
};

describe('a card of Asaas of which a later message has no day any more, in the profile accrual', () => {
  let harness: OrderHarness;
  let api: ProviderApiServer;
  const answers = new Map<string, object>();

  beforeAll(async () => {
    harness = await OrderHarness.embedded({ PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
    await putProfile(harness.service, 'accrual');
    api = await ProviderApiServer.start(({ url = '' }, response) => {
      const found = answers.get(url);
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    });
    await harness.service.operate('post', 'sources', {
      ...{ slug: 'asaas', provider: 'asaas', secrets: [SECRET], settings: { apiUrl: api.url } },
    });
    await harness.service.operate('put', 'sources/asaas/credentials', { credentials: { apiKey: 'key' } });
    answers.set('/v3/customers/cus_1', { id: 'cus_1', name: 'Lia Campos', email: 'lia@example.com' });
  });
  afterAll(async () => {
    await harness.stop();
    await api.stop();
  });

  async function notify(id: string, event: string, payment: object): Promise<void> {
    const fetched = { id, ...PAID, ...payment };
    answers.set(`/v3/payments/${id}`, fetched);
    const body = Buffer.from(JSON.stringify({ id: `evt_${Math.random()}`, event, payment: fetched }));
    const message = { secret: SECRET, body, topic: event, id: `n-${Math.random()}`, sentAt: new Date() };
    const reply = await harness.service.http
      .post('/hooks/main/asaas')
      .set(findProvider('asaas')?.sign(message) ?? {})
      .set('content-type', 'application/json')
      .send(body.toString());
    expect(reply.status).toBe(200);
    await harness.settled();
  }

  const posted = (before?: ReadonlySet<string>) =>
    postedSince({ books: harness.books, service: harness.service.database }, before);

  it.each(['DEBIT_CARD', 'CREDIT_CARD'])(
    'posts a %s and its fee once, and asks nobody',
    async (billingType) => {
      const id = `pay_${billingType}`;
      await notify(id, 'PAYMENT_CONFIRMED', { billingType, estimatedCreditDate: '2025-03-05' });
      const first = await posted();
      const moved = first.lines.filter((line) => /^(receipt|payment)/.test(line));
      expect(moved.map((line) => line.split(' ').slice(0, 5).join(' '))).toEqual(
        expect.arrayContaining(['payment of 12.00 on 2025-03-05', 'receipt of 300.00 on 2025-03-05']),
      );
      const deferred = await harness.service.database.prisma.deferredEffect.count();
      const refund = { dateCreated: '2025-03-10 09:00:00', status: 'DONE', value: 300 };
      await notify(id, 'PAYMENT_REFUNDED', {
        ...{ billingType, status: 'REFUNDED', estimatedCreditDate: null, refunds: [refund] },
      });
      expect((await posted(first.ids)).lines).toEqual([
        'payment of 300.00 on 2025-03-10 from Conta principal, _Devoluções e reembolsos_',
      ]);
      expect(await harness.service.database.prisma.deferredEffect.count()).toBe(deferred);
    },
  );
});
