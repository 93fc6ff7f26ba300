import { createLogger, PinoLoggerService } from '../../src/ops/logging';
import { TestService } from '../support/service';
import { until } from '../support/until';

const NOTHING_TO_DO = { source: 'shopify', topic: 'shop/update', body: '{"id": 1}' } as const;

let service: TestService;
let lines: Record<string, unknown>[];

beforeEach(async () => {
  lines = [];
  const logger = createLogger(
    { logFormat: 'json', logLevel: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  service = await TestService.start(undefined, {}, new PinoLoggerService(logger));
});
afterEach(() => service.stop());

it('each dead letter has a line in the log, with its organization, its source and the reason', async () => {
  const ids: string[] = [];
  for (const id of ['one', 'two']) {
    const { body } = await service.hook({
      source: 'shopify',
      topic: 'orders/paid',
      body: '{"id": broken',
      id,
    });
    ids.push((body as { delivery: string }).delivery);
  }
  const found = (): Record<string, unknown>[] => lines.filter(({ context }) => context === 'dead-letter');
  await until(() => found().length === 2);
  for (const id of ids)
    expect(found()).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        organization: 'main',
        source: 'shopify',
        delivery: id,
        reason: expect.stringContaining('the payload cannot be read') as string,
      }),
    );
});

it('a refused webhook is logged with organization, source and reason, shown with the source and measured for it', async () => {
  expect((await service.hook({ ...NOTHING_TO_DO, secret: 'guessed' })).status).toBe(401);
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      context: 'intake',
      organization: 'main',
      source: 'shopify',
      reason: expect.stringContaining('signature') as string,
    }),
  );
  const measured = async (): Promise<boolean> =>
    (await service.http.get('/metrics')).text.includes('ponte_source_refused_seconds{source="main/shopify"}');
  await until(measured);
  const { status } = (await service.admin('sources/shopify')) as { status: Record<string, unknown> };
  expect(status).toMatchObject({
    lastRefusedAt: expect.any(String) as string,
    lastRefusal: expect.stringContaining('signature') as string,
  });
  // What is signed right ends it.
  expect((await service.hook(NOTHING_TO_DO)).status).toBe(200);
  expect(await measured()).toBe(false);
});
