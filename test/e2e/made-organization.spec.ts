import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { signedHeaders } from '../../src/sources/registry';
import { cpfNumber } from '../support/documents';
import { send } from '../support/operators-client';
import { TestService } from '../support/service';

const SECRET = 'secret-of-the-bakery';
const ORDER: DemoOrder = {
  ...{ id: 7_400_000_000_001, number: 1, total: '100.00', name: 'Lia Campos' },
  ...{ document: cpfNumber(74_001), email: 'lia@example.com', instalments: 1 },
};

describe('an organization that was made over the API', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  it('books the first paid order of its shop, with a chart and a source and nothing else', async () => {
    const made = await send(service, 'post', '', { slug: 'bakery', name: 'Bakery', chart: 'brazil' });
    expect(made.status).toBe(201);
    const shop = { slug: 'shop', provider: 'shopify', secrets: [SECRET] };
    expect((await send(service, 'post', '/bakery/sources', shop)).status).toBe(201);

    const body = shopifyOrder(ORDER, true);
    const about = { topic: 'orders/paid', body, id: 'd-1', secret: SECRET, sentAt: new Date() };
    const reply = await service.http
      .post('/hooks/bakery/shop')
      .set(signedHeaders('shopify', about))
      .serialize((bytes) => bytes as string)
      .send(body);
    expect(reply.status).toBe(200);
    await service.settle();

    const { items } = (await send(service, 'get', '/bakery/deliveries')).body as { items: object[] };
    expect(items).toMatchObject([{ state: 'done', outcome: 'applied' }]);
    const organizationId = (made.body as { id: string }).id;
    expect(await service.database.prisma.stakeholder.count({ where: { organizationId } })).toBe(1);
    expect(await service.database.prisma.schedule.findMany({ where: { organizationId } })).toMatchObject([
      { valueMinor: 100_00n, openMinor: 0n },
    ]);
  });
});
