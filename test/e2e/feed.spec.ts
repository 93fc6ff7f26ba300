import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import type { CloudEventView } from '../../src/feed/feed.dto';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';

describe('what a connector hears of', () => {
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    service = await TestService.start();
    const made = await service.operate('post', 'keys', { name: 'a connector', scopes: ['feed:read'] });
    ({ key } = made.body as { key: string });
  });
  afterAll(() => service.stop());

  const ORDER: DemoOrder = {
    id: 6_300_000_000_001,
    number: 1,
    total: '100.00',
    name: 'Lia Campos',
    document: cpfNumber(70_001),
    email: 'lia@example.com',
    instalments: 3,
  };

  async function pay(order: DemoOrder): Promise<string> {
    const hook = { source: 'shopify', topic: 'orders/paid', body: shopifyOrder(order, true) } as const;
    const { delivery } = (await service.hook(hook)).body as { delivery: string };
    await service.settle();
    return delivery;
  }

  async function heard(): Promise<CloudEventView[]> {
    const reply = await service.http.get('/feed?limit=500').set('apitoken', key).expect(200);
    // Balances are announced by a run of their own, whenever it comes.
    return (reply.body.items as CloudEventView[]).filter(({ type }) => type !== 'balance.changed');
  }

  it('an order that was paid, once, and of what a person must look at', async () => {
    const delivery = await pay(ORDER);
    const first = await heard();
    expect(first.map(({ type }) => type)).toEqual([
      'customer.created',
      ...Array<string>(3).fill('credit-schedule.created'),
      ...Array<string>(3).fill('receipt.registered'),
      ...Array<string>(3).fill('schedule.paid'),
    ]);
    expect(first.every(({ deliveryid, businesskey }) => deliveryid === delivery && businesskey)).toBe(true);

    await pay(ORDER);
    expect(await heard()).toEqual(first);

    const dearer = await pay({ ...ORDER, total: '120.00' });
    const [attention, ...others] = (await heard()).slice(first.length);
    expect(others.map(({ type }) => type)).toEqual(others.map(() => 'attention.required'));
    expect(attention).toMatchObject({
      type: 'attention.required',
      subject: expect.stringMatching(/^attention\/[0-9a-f-]{36}$/),
      deliveryid: dearer,
      businesskey: `shopify/order/${ORDER.id}`,
      data: { code: 'amount-differs', value: '120.00', currency: 'BRL', detail: expect.any(String) },
    });
    const seen = await heard();
    await pay({ ...ORDER, total: '120.00' });
    expect(await heard()).toEqual(seen);
  });
});
