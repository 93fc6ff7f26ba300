import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { SealError } from '../../src/config/sealing';
import { cpfNumber } from '../support/documents';
import { openTestReplicas } from '../support/database';
import { refusalOf } from '../support/finance-client';
import { SECRETS, TestService } from '../support/service';
import { until } from '../support/until';

const [OLD, NEW] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64')) as [string, string];

describe('SECRETS_KEY', () => {
  it('is changed while replicas with the old one and with the new one work side by side', async () => {
    const [first, second, third, fourth] = await openTestReplicas(4);
    // It alone works on deliveries: the new one must leave its work to it.
    const old = await TestService.start(first, { SECRETS_KEY: OLD });
    expect((await old.operate('post', 'sources/woocommerce/pause')).status).toBe(200);
    const anew = await TestService.start(second, {
      SECRETS_KEY: NEW,
      SECRETS_KEY_PREVIOUS: OLD,
      ROLE: 'api',
    });
    // A change makes the old one read everything again: it can open nothing of it, and goes on.
    const added = await anew.operate('post', 'sources/shopify/secrets', { secret: 'added' });
    expect([added.status, added.body]).toMatchObject([200, { secretCount: 3 }]);
    await until(async () => refusalOf(await hook(old, 'added', 1)).startsWith('503'));
    const told = await hook(old, 'added', 1);
    expect([refusalOf(told), told.headers['retry-after']]).toEqual(['503 unavailable', '30']);
    expect((await hook(anew, 'added', 2)).status).toBe(200);
    expect((await hook(old, SECRETS.shopify, 3)).status).toBe(200);
    expect(refusalOf(await old.operate('post', 'sources/shopify/secrets', { secret: 'more' }))).toBe(
      '503 unavailable',
    );
    await old.settle();
    const { prisma } = anew.database;
    expect(await prisma.delivery.groupBy({ by: ['state'], _count: true })).toEqual([
      { state: 'done', _count: 2 },
    ]);
    expect(await prisma.schedule.count()).toBe(2);
    await old.stop();

    // A replica that is started with the old key alone could open nothing.
    await expect(TestService.start(third, { SECRETS_KEY: OLD })).rejects.toThrow(SealError);
    await anew.stop();

    const after = await TestService.start(fourth, { SECRETS_KEY: NEW });
    expect((await hook(after, 'added', 4)).status).toBe(200);
    // The same files as before count as known: what operators did since stays.
    const { items } = (await after.admin('sources')) as { items: { slug: string; paused: boolean }[] };
    expect(items.find(({ slug }) => slug === 'woocommerce')).toMatchObject({ paused: true });
    expect(items.find(({ slug }) => slug === 'shopify')).toMatchObject({ secretCount: 3 });
    await after.stop();
    await third?.close();
  });
});

/** An order that is paid, signed with the secret. */
function hook(service: TestService, secret: string, id: number) {
  const order = {
    id,
    number: id,
    total: '10.00',
    name: 'Nina Alves',
    document: cpfNumber(90_000 + id),
    email: `nina-${id}@example.com`,
    instalments: 1,
  };
  return service.hook({
    source: 'shopify',
    topic: 'orders/paid',
    body: shopifyOrder(order, true),
    id: `d-${id}`,
    secret,
  });
}
