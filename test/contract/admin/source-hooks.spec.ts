import { HookCheck } from '../../../src/deliveries/registered-hooks/hook-check';
import { newId } from '../../../src/kernel/identifier';
import { refusalOf } from '../../support/finance-client';
import { HookKeepingShop } from '../../support/hook-keeping-shop';
import { OperatorsClient } from '../../support/operators-client';
import { TestService } from '../../support/service';

const SECRET = 'the-secret-of-the-shop';
const METRICS = 'metrics-token-of-the-tests';
const LOCAL = { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8', METRICS_TOKEN: METRICS };
const TOPICS = ['order.created', 'order.updated', 'customer.created', 'customer.updated'];
const PATH = '/sources/loja/hooks';

interface View {
  registers: boolean;
  reason: string | null;
  missingCredentials: { name: string; description: string }[];
  address: string | null;
  hooks: {
    state: string;
    action: string | null;
    topics: string[];
    id: string | null;
    address: string | null;
  }[];
  plan: string;
  steps: { action: string; topics: string[]; outcome: string; reason: string | null }[];
  setUp: string[];
}

let service: TestService;
let shop: HookKeepingShop;
let client: OperatorsClient;
let address: string;

beforeAll(async () => {
  service = await TestService.start(undefined, { PUBLIC_URL: 'https://ponte.example', ...LOCAL });
  shop = await HookKeepingShop.start();
});
afterAll(async () => {
  await service.stop();
  await shop.stop();
});
beforeEach(async () => {
  shop.forget();
  client = await OperatorsClient.of(service);
  address = `https://ponte.example/hooks/${client.slug}/loja`;
  await client.make('/sources', {
    ...{ slug: 'loja', provider: 'woocommerce', secrets: [SECRET], settings: { apiUrl: shop.url } },
  });
  await client.send('put', '/sources/loja/credentials', { credentials: HookKeepingShop.CREDENTIALS });
});

async function shown(): Promise<View> {
  const reply = await client.send('get', PATH);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  for (const secret of [SECRET, ...Object.values(HookKeepingShop.CREDENTIALS)])
    expect(reply.text).not.toContain(secret);
  return reply.body as View;
}

async function repaired(plan?: string): Promise<View> {
  const body = { dryRun: false, plan: plan ?? (await shown()).plan, reason: 'the shop opens' };
  const reply = await client.send('post', `${PATH}/repair`, body);
  expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining(SECRET)]);
  return reply.body as View;
}

const states = ({ hooks }: View): string[] =>
  hooks.map(({ state, topics }) => `${topics.join('+')} ${state}`);
const outcomes = ({ steps }: View): string[] =>
  steps.map(({ topics, outcome }) => `${topics.join('+')} ${outcome}`);
const allOf = (state: string): string[] => TOPICS.map((topic) => `${topic} ${state}`);

describe('the webhooks of a source', () => {
  it('are shown with what is missing, and nothing is changed by it', async () => {
    const view = await shown();
    expect(view).toMatchObject({ registers: true, reason: null, missingCredentials: [], address, steps: [] });
    expect(states(view)).toEqual(allOf('missing'));
    const dry = (await client.send('post', `${PATH}/repair`)).body as View;
    expect([dry.plan, states(dry), dry.steps]).toEqual([view.plan, states(view), []]);
    expect([shop.changes, await client.items('/audit?action=source.repair-hooks')]).toEqual([[], []]);
  });

  it('are made as the plan says, with the newest secret, and are then fine', async () => {
    const view = await repaired();
    expect([outcomes(view), states(view)]).toEqual([allOf('done'), allOf('fine')]);
    expect(
      shop.hooks.map(({ topic, delivery_url, status, secret }) => [topic, delivery_url, status, secret]),
    ).toEqual(TOPICS.map((topic) => [topic, address, 'active', SECRET]));
    const again = await repaired(view.plan);
    expect([again.steps, shop.hooks.length]).toEqual([[], 4]);
  });

  it('are audited before and after, without a secret', async () => {
    await repaired();
    const [after, before] = await client.items('/audit?limit=2');
    expect(before).toMatchObject({
      action: 'source.repair-hooks',
      subject: 'loja',
      reason: 'the shop opens',
      after: {
        steps: expect.arrayContaining([
          { action: 'create', state: 'missing', topics: 'order.created' },
        ]) as object,
      },
    });
    expect(after).toMatchObject({
      action: 'source.hooks-repaired',
      after: { steps: expect.arrayContaining([expect.objectContaining({ outcome: 'done' })]) as object },
    });
    expect(JSON.stringify([after, before])).not.toContain(SECRET);
  });

  it('are mended where they are disabled, and those of others are never touched or shown in full', async () => {
    shop.add('order.created', address, 'disabled');
    const foreign = shop.add('order.updated', 'https://hooks.zap.example/a-secret-of-others');
    const elsewhere = shop.add(
      'order.updated',
      `https://staging.example/hooks/${client.slug}/loja`,
      'disabled',
    );
    const view = await shown();
    expect(states(view)[0]).toBe('order.created disabled');
    expect(view.hooks.filter(({ state }) => state === 'foreign').map((hook) => hook.address)).toEqual([
      'https://hooks.zap.example/…',
      `https://staging.example/hooks/${client.slug}/loja`,
    ]);
    await repaired();
    const mended = shop.changes.filter((line) => line.startsWith('PUT'));
    expect(mended).toEqual([`PUT /wp-json/wc/v3/webhooks/${shop.hooks[0]?.id}`]);
    expect([foreign, elsewhere]).toEqual([
      expect.objectContaining({
        delivery_url: 'https://hooks.zap.example/a-secret-of-others',
        status: 'active',
      }),
      expect.objectContaining({ status: 'disabled' }),
    ]);
  });

  it('are found on later pages', async () => {
    for (let index = 0; index < 120; index += 1) shop.add('product.updated', 'https://other.example/x');
    for (const topic of TOPICS) shop.add(topic, address);
    expect(states(await shown()).slice(0, 4)).toEqual(allOf('fine'));
  });

  it('are not changed by a plan that has been overtaken, or by none', async () => {
    const { plan } = await shown();
    shop.add('order.created', address);
    const late = await client.send('post', `${PATH}/repair`, { dryRun: false, plan });
    expect(refusalOf(late)).toContain('conflict');
    expect((late.body as { plan: string }).plan).not.toBe(plan);
    const without = await client.send('post', `${PATH}/repair`, { dryRun: false });
    expect([without.status, shop.changes]).toEqual([422, []]);
  });

  it('are made once by two that come at the same time', async () => {
    const { plan } = await shown();
    const both = await Promise.all(
      [1, 2].map(() => client.send('post', `${PATH}/repair`, { dryRun: false, plan })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(shop.hooks.map(({ topic }) => topic)).toEqual(TOPICS);
  });
});

describe('a change of which nobody knows whether it took effect', () => {
  it.each(['made-then-dropped', 'made-then-500'] as const)('is not made twice: %s', async (fate) => {
    shop.let(fate);
    const view = await repaired();
    expect([outcomes(view), states(view)]).toEqual([allOf('done'), allOf('fine')]);
    expect(shop.hooks.map(({ topic }) => topic)).toEqual(TOPICS);
  });

  it('is made once more where the list shows that it did not, whatever others have for its topic', async () => {
    shop.add('order.created', 'https://other.example/');
    shop.let('dropped');
    const view = await repaired();
    expect([outcomes(view), shop.hooks.map(({ topic }) => topic)]).toEqual([
      allOf('done'),
      ['order.created', ...TOPICS],
    ]);
    expect(shop.changes).toHaveLength(5);
  });

  it('is left alone, and said to be unknown, where it stays so', async () => {
    shop.let('dropped', 'dropped');
    const view = await repaired();
    expect(outcomes(view)).toEqual(['order.created unknown']);
    expect(view.steps[0]?.reason).toContain('gave no answer');
    expect([shop.hooks, shop.changes.length]).toEqual([[], 2]);
    expect(states(await repaired())).toEqual(allOf('fine'));
  });
});

describe('an API that refuses', () => {
  it.each([
    [401, "does not take the source's credentials"],
    [429, 'asked too often'],
  ])('a change with %s ends the repair, in words that are not its own', async (status, words) => {
    shop.let(status);
    const view = await repaired();
    expect(outcomes(view)).toEqual(['order.created refused']);
    expect([view.steps[0]?.reason, shop.changes.length]).toEqual([expect.stringContaining(words), 1]);
    expect(view.steps[0]?.reason).not.toContain('a word of the shop');
  });

  it('one webhook with 400 is asked for the others', async () => {
    shop.let(400);
    expect(outcomes(await repaired())).toEqual(['order.created refused', ...allOf('done').slice(1)]);
  });

  it.each([
    [401, 'does not take'],
    [429, 'too often'],
    [500, 'status 500'],
    [404, 'status 404'],
  ])('to list with %s is the reason why nothing is done', async (status, words) => {
    const { plan } = await shown();
    shop.listStatus = status;
    const view = await shown();
    expect([view.reason, view.hooks, view.plan]).toEqual([expect.stringContaining(words), [], null]);
    const reply = await client.send('post', `${PATH}/repair`, { dryRun: false, plan });
    expect([refusalOf(reply), shop.changes]).toEqual([expect.stringContaining('conflict'), []]);
  });
});

describe('what has to be there first', () => {
  it('is named: credentials, with where they are', async () => {
    await client.send('put', '/sources/loja/credentials', { credentials: {} });
    const view = await shown();
    expect(view.reason).toContain('consumerKey, consumerSecret');
    expect(view.missingCredentials).toEqual([
      { name: 'consumerKey', description: expect.stringContaining('REST API') as string },
      { name: 'consumerSecret', description: expect.any(String) as string },
    ]);
    expect(shop.lists).toBe(0);
  });

  it.each([
    ['the address of the shop', { secrets: [SECRET] }, 'apiUrl'],
    ['a secret', { settings: { apiUrl: 'https://loja.example' } }, 'no secret'],
  ])('is named: %s', async (_what, body, words) => {
    await client.make('/sources', { slug: 'other', provider: 'woocommerce', ...body });
    await client.send('put', '/sources/other/credentials', { credentials: HookKeepingShop.CREDENTIALS });
    const reply = await client.send('get', '/sources/other/hooks');
    expect((reply.body as View).reason).toContain(words);
  });

  it('are the steps for a person, where Ponte registers nothing', async () => {
    await client.make('/sources', { slug: 'own', provider: 'standard-webhooks' });
    const { body } = await client.send('get', '/sources/own/hooks');
    expect(body).toMatchObject({ registers: false, hooks: [], plan: null });
    expect((body as View).setUp.length).toBeGreaterThan(1);
  });

  it('is a source', async () => {
    expect((await client.send('get', '/sources/nobody/hooks')).status).toBe(404);
  });
});

it.each([undefined, 'http://ponte.example'])('PUBLIC_URL has to be https, and is %s', async (publicUrl) => {
  const other = await TestService.start(undefined, { ...LOCAL, ...(publicUrl && { PUBLIC_URL: publicUrl }) });
  try {
    const own = await OperatorsClient.of(other);
    await own.make('/sources', {
      slug: 'loja',
      provider: 'woocommerce',
      secrets: [SECRET],
      settings: { apiUrl: shop.url },
    });
    await own.send('put', '/sources/loja/credentials', { credentials: HookKeepingShop.CREDENTIALS });
    const { body } = await own.send('get', PATH);
    expect(body).toMatchObject({ address: null, reason: expect.stringContaining('PUBLIC_URL') as string });
    expect(shop.lists).toBe(0);
  } finally {
    await other.stop();
  }
});

describe('the daily check', () => {
  /** As if a day had gone by. */
  const check = async (): Promise<number> => {
    await service.database.prisma.sourceHooks.updateMany({ data: { checkAfter: new Date(0) } });
    return service.part(HookCheck).check();
  };
  const status = async (): Promise<unknown> =>
    ((await client.send('get', '/sources/loja')).body as { status: { hooks: unknown } }).status.hooks;
  const attention = (): Promise<Record<string, unknown>[]> => client.items('/attention');
  const metric = async (): Promise<string> =>
    /^ponte_source_hooks_wrong (\d+)$/m.exec(
      (await service.http.get('/metrics').set('authorization', `Bearer ${METRICS}`)).text,
    )?.[1] ?? '';

  beforeEach(async () => {
    // What the sources of other tests have is not asked for any more.
    await service.database.prisma.sourceHooks.deleteMany();
  });

  it('leaves alone what nobody has connected', async () => {
    expect([await check(), shop.lists, await status()]).toEqual([0, 0, null]);
  });

  it('says once that a webhook was disabled or is gone, and once more the next time', async () => {
    await repaired();
    expect(await status()).toEqual({ checkedAt: expect.any(String) as string, problem: null });
    expect([await check(), await attention(), await metric()]).toEqual([1, [], '0']);

    shop.hooks[0]!.status = 'disabled';
    shop.hooks.pop();
    expect(await check()).toBe(1);
    expect(await check()).toBe(1);
    const problem = 'order.created: the webhook is not enabled; customer.updated: no webhook is registered';
    expect(await attention()).toEqual([
      expect.objectContaining({
        code: 'webhooks-not-registered',
        delivery: null,
        businessKey: 'source:loja:webhooks',
        detail: expect.stringContaining(`loja: ${problem} (since `) as string,
      }),
    ]);
    expect([await status(), await metric()]).toEqual([expect.objectContaining({ problem }), '1']);

    await repaired();
    expect([await attention(), await metric()]).toEqual([[], '0']);

    shop.hooks.length = 0;
    await check();
    expect(await attention()).toHaveLength(1);
    expect(shop.hooks).toEqual([]);
  });

  it('knows a webhook again that leads elsewhere now', async () => {
    await repaired();
    shop.hooks[1]!.delivery_url = 'https://elsewhere.example/';
    await check();
    expect(await status()).toMatchObject({ problem: 'order.updated: the webhook leads to another address' });
    expect(outcomes(await repaired())).toEqual(['order.updated done']);
    expect(shop.hooks.map(({ delivery_url }) => delivery_url)).toEqual(TOPICS.map(() => address));
  });

  it('says nothing of webhooks that the API could not list, and asks again', async () => {
    await repaired();
    shop.listStatus = 503;
    expect([await check(), await attention()]).toEqual([1, []]);
    shop.listStatus = 401;
    await check();
    expect(await attention()).toEqual([
      expect.objectContaining({ detail: expect.stringContaining('credentials') as string }),
    ]);
    shop.listStatus = undefined;
    await check();
    expect([await attention(), await status()]).toEqual([[], expect.objectContaining({ problem: null })]);
  });

  it('is made once a day, by one replica at a time', async () => {
    await repaired();
    await check();
    const before = shop.lists;
    expect([await service.part(HookCheck).check(), shop.lists]).toEqual([0, before]);
    await service.database.prisma.sourceHooks.updateMany({
      data: { checkAfter: new Date(0), leasedUntil: new Date(Date.now() + 3_600_000) },
    });
    expect(await service.part(HookCheck).check()).toBe(0);
    const reply = await client.send('post', `${PATH}/repair`, { dryRun: false, plan: newId() });
    expect(reply.body).toMatchObject({
      detail: expect.stringContaining('being checked or repaired') as string,
    });
  });

  it('leaves a paused source alone', async () => {
    await repaired();
    await client.send('post', '/sources/loja/pause', {});
    expect(await check()).toBe(0);
  });
});
