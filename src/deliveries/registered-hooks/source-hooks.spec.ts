import { HookKeepingShop } from '../../../test/support/hook-keeping-shop';
import { openTestDatabase } from '../../../test/support/database';
import { Settings } from '../../config/settings';
import type { Database } from '../../database/database';
import { SystemClock } from '../../kernel/clock';
import type { Metrics } from '../../kernel/metrics';
import { newId } from '../../kernel/identifier';
import { woocommerce } from '../../sources/woocommerce/woocommerce';
import { ProviderRequests } from '../fetch-back/provider-requests';
import type { LiveSource } from '../source-directory';
import { HookApi } from './hook-api';
import { SourceHooks } from './source-hooks';
import { SourceHooksRepository } from './source-hooks.repository';

/** An API has a moment to answer. */
class HastyRequests extends ProviderRequests {
  protected override readonly timeouts = { connectMs: 2_000, headersMs: 1_500, totalMs: 5_000 };
}

const settings = new Settings({
  PUBLIC_URL: 'https://ponte.example',
  PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8',
});
const organization = {
  id: newId(),
  slug: 'main',
  name: 'Main',
  timeZone: 'America/Sao_Paulo',
  currency: 'BRL',
};
const noMetrics = { counter: () => ({ add: () => undefined }) } as unknown as Metrics;

let database: Database;
let requests: HastyRequests;
let shop: HookKeepingShop;

beforeAll(async () => {
  database = await openTestDatabase();
  shop = await HookKeepingShop.start();
  requests = new HastyRequests(new SystemClock(), noMetrics, settings);
});
afterAll(async () => {
  requests.end();
  await shop.stop();
  await database.close();
});

it('a creation that the API may still be at is not sent again, and is found later', async () => {
  const source: LiveSource = {
    ...{ id: newId(), slug: 'loja', organization, provider: woocommerce, secrets: ['the secret'] },
    ...{ secretsUnread: false, providerUnknown: false, paused: false },
    settings: { apiUrl: shop.url },
    credentials: HookKeepingShop.CREDENTIALS,
    context: { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} },
  };
  const hooks = new SourceHooks(settings, new HookApi(requests), new SourceHooksRepository(database));
  const keep = (): Promise<void> => Promise.reject(new Error('WooCommerce makes no secret'));

  shop.let('silent');
  const [step, ...others] = await hooks.repair(source, await hooks.report(source), keep);
  expect([step, others]).toEqual([
    {
      action: 'create',
      topics: ['order.created'],
      outcome: 'unknown',
      reason: 'the API of WooCommerce gave no answer (PONTE_HEADERS_TIMEOUT)',
    },
    [],
  ]);
  expect(shop.changes).toHaveLength(1);

  shop.let('made-then-silent');
  const steps = await hooks.repair(source, await hooks.report(source), keep);
  expect(steps.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done']);
  expect(shop.hooks).toHaveLength(4);
});
