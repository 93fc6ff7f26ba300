import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { DiskSpace, StorageSpace } from '../../src/deliveries/storage-space';

import { cpfNumber } from '../support/documents';
import { TEST_SERVER } from '../support/postgres-server';
import { TestService } from '../support/service';
import { until } from '../support/until';

const MIB = 1024 * 1024;
const ORDER = {
  id: 9_300_000_000_001,
  number: 1,
  total: '10.00',
  name: 'Lia Campos',
  document: cpfNumber(93_000),
  email: 'lia@example.com',
  instalments: 1,
};

describe('little space left for the embedded database', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await TestService.start();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });

  const send = (id: string) =>
    service.hook({ source: 'shopify', topic: 'orders/paid', body: shopifyOrder(ORDER, true), id });

  /** Leaves so much space, and waits until the service has noticed by itself. */
  async function leave(bytes: number): Promise<void> {
    jest.spyOn(service.part(DiskSpace), 'free').mockResolvedValue(bytes);
    await until(async () =>
      (await service.http.get('/metrics')).text.includes(`ponte_storage_free_bytes ${bytes}\n`),
    );
  }

  /** Leaves so much space, and has the service look. */
  async function leaveNow(bytes: number): Promise<void> {
    jest.spyOn(service.part(DiskSpace), 'free').mockResolvedValue(bytes);
    await service.part(StorageSpace).read();
  }

  const health = async (): Promise<unknown> => (await service.http.get('/health/ready').expect(200)).body;

  const onEmbedded = async (): Promise<void> => {
    expect((await send('before')).status).toBe(200);
    await leave(63 * MIB);
    const refused = await send('during');
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('60');
    // Who cannot sign does not learn that there is a source here.
    for (const path of ['/hooks/main/shopify', '/hooks/main/nobody'])
      await service.http.post(path).set('x-shopify-hmac-sha256', 'bWFkZSB1cA==').send('{}').expect(401);
    await service.settle();
    expect(await health()).toEqual({
      status: 'degraded',
      reasons: [{ source: 'storage', reason: '63 MiB are free in DATA_DIR: webhooks are refused' }],
    });
    const { text } = await service.http.get('/metrics');
    expect(text).toContain('ponte_webhooks_total{provider="shopify",result="put-off"} 1');
    await worksNotWhileTooLow();
    // No more and no less at once: between the two it stays as it was.
    await leaveNow(95 * MIB);
    expect((await send('during')).status).toBe(503);
    await leaveNow(96 * MIB);
    expect((await send('after')).status).toBe(200);
    expect(await health()).toEqual({ status: 'ok' });
  };

  /** The delivery waits, and nobody takes it in hand: a process that a full disk ends would have that counted against it. */
  const worksNotWhileTooLow = async (): Promise<void> => {
    const { prisma } = service.database;
    const stands = async () => (await prisma.delivery.findFirstOrThrow()).state;
    const looked = jest.spyOn(StorageSpace.prototype, 'tooLowToWork', 'get');
    /** Until a batch that was under way has ended, and the worker has asked whether the next may begin. */
    const hasAsked = async (): Promise<void> => {
      looked.mockClear();
      service.wakeWorker();
      await until(() => looked.mock.calls.length > 0);
    };
    await leaveNow(32 * MIB - 1);
    await hasAsked();
    await prisma.delivery.updateMany({ data: { state: 'waiting', finishedAt: null } });
    for (const bytes of [32 * MIB - 1, 48 * MIB - 1]) {
      await leaveNow(bytes);
      // Were the first answered that it may, what it began would have ended by the second.
      await hasAsked();
      await hasAsked();
      expect(await stands()).toBe('waiting');
    }
    expect(await health()).toEqual({
      status: 'degraded',
      reasons: [
        {
          source: 'storage',
          reason: '47 MiB are free in DATA_DIR: webhooks are refused, and no delivery is worked on',
        },
      ],
    });
    await leaveNow(48 * MIB);
    service.wakeWorker();
    await until(async () => (await stands()) === 'done');
  };

  /** A server looks after its own disk. */
  const onServer = async (): Promise<void> => {
    jest.spyOn(service.part(DiskSpace), 'free').mockResolvedValue(0);
    expect((await send('before')).status).toBe(200);
    expect((await service.http.get('/metrics')).text).toMatch(/^ponte_storage_free_bytes nan$/im);
    expect(await health()).toEqual({ status: 'ok' });
  };

  if (TEST_SERVER) it('is no concern of a service on PostgreSQL', onServer);
  else
    it(
      'refuses webhooks, says so, works on what is stored, and takes them again when there is enough',
      onEmbedded,
    );
});

it('reads how much a file system has left, and nothing where there is none', async () => {
  const disk = new DiskSpace();
  expect(await disk.free(__dirname)).toBeGreaterThan(0);
  expect(await disk.free('/does/not/exist')).toBeUndefined();
});
