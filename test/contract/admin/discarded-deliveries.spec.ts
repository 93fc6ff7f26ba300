import { shopifyOrder } from '../../../scripts/demo/shop-orders';
import { cpfNumber } from '../../support/documents';
import { refusalOf } from '../../support/finance-client';
import { TestService } from '../../support/service';
import { until } from '../../support/until';

const HOUR_MS = 3_600_000;

describe('POST …/deliveries/{id}/discard', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  async function arrive(id: number): Promise<string> {
    const about = { id, number: 7, total: '30.00', name: 'Ivo Prado', email: 'ivo@example.com' };
    const body = shopifyOrder({ ...about, document: cpfNumber(id % 100_000), instalments: 1 }, true);
    const reply = await service.hook({ source: 'shopify', topic: 'orders/paid', body });
    expect(reply.status).toBe(200);
    await service.settle();
    return (reply.body as { delivery: string }).delivery;
  }

  function row(id: string) {
    return service.database.prisma.delivery.findUniqueOrThrow({ where: { id } });
  }

  function putOff(id: string, leaseId: string | null = null) {
    const readyAt = new Date(Date.now() + HOUR_MS);
    const data = { state: 'waiting', readyAt, leaseId, outcome: null, finishedAt: null } as const;
    return service.database.prisma.delivery.update({ where: { id }, data });
  }

  it('gives up what waits in front of others, which go on, and says so in the audit log', async () => {
    const front = await arrive(4_800_000_000_001);
    await putOff(front);
    const behind = await arrive(4_800_000_000_001);
    expect((await row(behind)).state).toBe('waiting');
    const path = `deliveries/${front}/discard`;
    expect(refusalOf(await service.operate('post', path))).toBe('422 validation-failed /reason');
    const asked = Date.now();
    expect((await service.operate('post', path, { reason: 'a test' })).status).toBe(204);
    await until(async () => (await row(behind)).state === 'done');
    const ended = ((await service.admin(`deliveries/${front}`)) as { finishedAt: string | null }).finishedAt;
    expect(Date.parse(ended ?? '')).toBeGreaterThanOrEqual(asked);
    expect(await service.admin(`audit?subject=${front}`)).toMatchObject({
      items: [
        {
          ...{ action: 'delivery.discard', before: { state: 'waiting' }, after: { state: 'discarded' } },
          reason: 'a test',
        },
      ],
    });
    expect(refusalOf(await service.operate('post', path, { reason: 'again' }))).toBe('409 conflict');
  });

  it('refuses what a process has leased just now', async () => {
    const id = await arrive(4_800_000_000_002);
    await putOff(id, '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61');
    const reply = await service.operate('post', `deliveries/${id}/discard`, { reason: 'a test' });
    expect([refusalOf(reply), (await row(id)).state]).toEqual(['409 conflict', 'waiting']);
  });
});
