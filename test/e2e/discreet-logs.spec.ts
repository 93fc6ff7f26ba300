import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { createLogger, PinoLoggerService } from '../../src/ops/logging';
import { OPERATORS_KEY, SECRETS, TestService } from '../support/service';

const ORDER = {
  id: 2_200_000_000_001,
  number: 2201,
  total: '64.20',
  name: 'Zenaide Quaresma',
  document: '529.982.247-25',
  email: 'zenaide@example.com',
  instalments: 2,
};

/** Whatever is about a person, or opens a door. */
const PRIVATE = [
  ...['Zenaide', 'Quaresma', '529.982', '52998224725', 'zenaide@', 'Laranjeiras', '64.20'],
  ...[OPERATORS_KEY, SECRETS.shopify, SECRETS.shopifyNext, SECRETS.woocommerce, SECRETS.standard],
];

describe('the log', () => {
  it('says what happened, at its most talkative, and nothing about people or secrets', async () => {
    const lines: string[] = [];
    const logger = createLogger(
      { logFormat: 'json', logLevel: 'trace' },
      { write: (line) => void lines.push(line) },
    );
    const service = await TestService.start(undefined, {}, new PinoLoggerService(logger));
    try {
      const { prisma } = service.database;
      await prisma.$executeRaw`
        create function refuse_all() returns trigger language plpgsql as $$
        begin raise exception 'refused: %', new; end $$`;
      await prisma.$executeRaw`
        create trigger refuse_all before insert on schedule for each row execute function refuse_all()`;
      const body = shopifyOrder(ORDER, true);
      const { body: reply } = await service.hook({ source: 'shopify', topic: 'orders/paid', body });
      const { delivery } = reply as { delivery: string };
      while ((await prisma.delivery.findUniqueOrThrow({ where: { id: delivery } })).attempts === 0)
        await sleep(20);
      await prisma.$executeRaw`drop trigger refuse_all on schedule`;
      await service.hook({ source: 'shopify', topic: 'orders/paid', body, id: 'again', secret: 'guessed' });
      const query = `apitoken=${OPERATORS_KEY}&document=52998224725`;
      await service.http.get(`/v1/accounts?${query}`);
      await service.http.get(`/admin/organizations/main/deliveries?${query}`);
      await service.http.post('/v1/customers').set('ApiToken', OPERATORS_KEY).send({ name: ORDER.name });
      await service.http.get(`/nowhere/${ORDER.document}`);
    } finally {
      await service.stop();
    }
    const log = lines.join('');
    expect(log).toContain('delivery worker: a delivery failed');
    expect(log).toContain('/hooks/:organization/:source');
    expect(PRIVATE.filter((secret) => log.includes(secret))).toEqual([]);
  });
});
