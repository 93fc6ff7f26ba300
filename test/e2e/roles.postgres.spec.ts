import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker';
import { cpfNumber } from '../support/documents';
import { openTestReplicas } from '../support/database';
import { TestService } from '../support/service';

function paid(number: number): Buffer {
  return shopifyOrder(
    {
      id: 3_300_000_000_000 + number,
      number,
      total: '12.00',
      name: 'Eva Luz',
      document: cpfNumber(33_001),
      email: 'eva@example.com',
      instalments: 1,
    },
    true,
  );
}

describe('replicas with different roles', () => {
  let api: TestService;
  let worker: TestService;

  beforeAll(async () => {
    const [first, second] = await openTestReplicas(2);
    if (!first || !second) throw new Error('two connections are needed');
    api = await TestService.start(first, { ROLE: 'api' });
    worker = await TestService.start(second, { ROLE: 'worker' });
  });

  afterAll(() => Promise.all([api, worker].map((replica) => replica.stop())));

  it('what one receives the other works on', async () => {
    expect((await api.hook({ source: 'shopify', topic: 'orders/paid', body: paid(1) })).status).toBe(200);
    await api.settle();
    expect(await api.database.prisma.schedule.count()).toBe(1);
  });

  it('what one receives wakes the other, which need not look by itself', async () => {
    const told = new Promise<void>((resolve) => {
      jest.spyOn(worker.part(DeliveryWorker), 'wake').mockImplementationOnce(() => resolve());
    });
    expect((await api.hook({ source: 'shopify', topic: 'orders/paid', body: paid(2) })).status).toBe(200);
    await told;
    jest.restoreAllMocks();
    await api.settle();
  });

  it('a worker answers its orchestrator and nobody else', async () => {
    await worker.http.get('/health/ready').expect(200);
    await worker.http.get('/metrics').expect(200);
    const refused = [
      worker.http.post('/hooks/main/shopify').send('{}'),
      worker.http.get('/v1/accounts'),
      worker.http.get('/admin/organizations'),
    ];
    for (const reply of await Promise.all(refused)) {
      expect(reply.status).toBe(404);
      expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(reply.text).toContain('works on deliveries');
    }
  });
});
