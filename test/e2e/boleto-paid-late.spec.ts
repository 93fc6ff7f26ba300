import { findProvider } from '../../src/sources/registry';
import { OrderHarness } from '../support/order-harness';
import { postedSince } from '../support/posted';
import { PROFILE_NAMES, putProfile } from '../support/profiles';
import { ProviderApiServer } from '../support/provider-api-server';
import { SECRET } from '../support/source-cases';

const BOLETO = {
  ...{ object: 'payment', id: 'pay_1', customer: 'cus_1', billingType: 'BOLETO', deleted: false },
  ...{ dateCreated: '2025-03-03', dueDate: '2025-03-10', description: 'Mensalidade', invoiceNumber: '1' },
};
const WAITING = { ...BOLETO, status: 'PENDING', value: 1000, originalValue: null, netValue: 996.51 };
const PAID = {
  ...{ ...BOLETO, status: 'RECEIVED', value: 1025.5, originalValue: 1000, interestValue: 25.5 },
  ...{ netValue: 1022.01, clientPaymentDate: '2025-03-14', confirmedDate: '2025-03-14' },
};

/** Interest and fine of a boleto of Asaas, which adds them to the value when the buyer pays. */
describe.each(PROFILE_NAMES)('a boleto that is paid late, in the profile %s', (profile) => {
  let harness: OrderHarness;
  let api: ProviderApiServer;
  let payment: object = WAITING;

  beforeAll(async () => {
    harness = await OrderHarness.embedded({ PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
    await putProfile(harness.service, profile);
    api = await ProviderApiServer.start(({ url = '' }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const customer = { object: 'customer', id: 'cus_1', name: 'Lia Campos', cpfCnpj: '52998224725' };
      response.end(JSON.stringify(url.startsWith('/v3/customers/') ? customer : payment));
    });
    await harness.service.operate('post', 'sources', {
      ...{ slug: 'asaas', provider: 'asaas', secrets: [SECRET], settings: { apiUrl: api.url } },
    });
    await harness.service.operate('put', 'sources/asaas/credentials', { credentials: { apiKey: 'key' } });
  });
  afterAll(async () => {
    await harness.stop();
    await api.stop();
  });

  async function notify(event: string, now: object): Promise<void> {
    payment = now;
    const body = Buffer.from(JSON.stringify({ id: `evt_${event}`, event, payment: now }));
    const message = { secret: SECRET, body, topic: event, id: event, sentAt: new Date() };
    const reply = await harness.service.http
      .post('/hooks/main/asaas')
      .set({ 'content-type': 'application/json', ...findProvider('asaas')?.sign(message) })
      .send(body.toString());
    expect(reply.status).toBe(200);
    await harness.settled();
  }

  it('is settled with the interest, which is a receivable of its own, and nobody is asked', async () => {
    const at = { books: harness.books, service: harness.service.database };
    const { ids } = await postedSince(at);
    await notify('PAYMENT_CREATED', WAITING);
    await notify('PAYMENT_RECEIVED', PAID);
    await notify('PAYMENT_UPDATED', PAID);
    const { lines } = await postedSince(at, ids);
    const [dueOn] = lines[0]?.match(/2025-\d\d-\d\d/) ?? [];
    expect(lines).toEqual([
      `receivable of 1000.00 due ${dueOn}, 0.00 open, _Vendas online_`,
      'receivable of 25.50 due 2025-03-14, 0.00 open, _Vendas online_',
      'payment of 3.49 on 2025-03-14 from Conta principal, _Taxas de cartão e meios de pagamento_',
      'receipt of 1000.00 on 2025-03-14 to Conta principal, _Vendas online_',
      'receipt of 25.50 on 2025-03-14 to Conta principal, _Vendas online_',
    ]);
  });
});
