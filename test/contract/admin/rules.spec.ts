import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { describeActions } from '../../../src/rules/actions/registry';
import { Catalog } from '../../../src/deliveries/catalog';
import { RulesRepository } from '../../../src/rules/rules.repository';
import { ActiveRules } from '../../../src/workflows/active-rules';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { OPERATORS_KEY, TestService } from '../../support/service';

const ORDER_PAID = readFileSync(join(__dirname, '../../../config/profiles/cash/order-paid.yaml'), 'utf8');
const SIMPLE = ruleCalled('simple');

function ruleCalled(name: string, title = '${order.customer.name}'): string {
  return [
    `rule: ${name}`,
    'when: { event: order.created }',
    'then:',
    '  - id: customer',
    '    do: customer.ensure',
    `    with: { name: '${title}' }`,
  ].join('\n');
}

let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
});
afterAll(() => service.stop());

/** Sends a rule as it is written. */
async function sendText(
  method: 'put' | 'post',
  path: string,
  text: string | Buffer,
  type = 'application/yaml',
): Promise<Response> {
  return service.http[method](`/admin/organizations/${client.slug}${path}`)
    .set('authorization', `Bearer ${OPERATORS_KEY}`)
    .set('content-type', type)
    .serialize((body: unknown) => body as string)
    .send(text);
}

const put = (name: string, text: string, query = '') => sendText('put', `/rules/${name}${query}`, text);

async function audited(): Promise<unknown[]> {
  const items = await client.items('/audit');
  return items
    .filter(({ action }) => String(action).startsWith('rule.'))
    .map(({ action, subject, before, after, reason }) => ({ action, subject, before, after, reason }));
}

describe('PUT …/rules/{name}', () => {
  it('makes versions, each once, and says so in the audit log', async () => {
    expect((await put('simple', SIMPLE, '?reason=the%20first')).body).toEqual({
      name: 'simple',
      version: 1,
      warnings: [],
    });
    const changed = ruleCalled('simple', 'Buyer');
    expect((await put('simple', changed)).body).toEqual({ name: 'simple', version: 2, warnings: [] });
    expect((await put('simple', changed, '?reason=again')).body).toEqual({
      name: 'simple',
      version: 2,
      warnings: [],
    });
    expect((await put('simple', SIMPLE, '?reason=back')).body).toEqual({
      name: 'simple',
      version: 1,
      warnings: [],
    });
    expect(await audited()).toEqual([
      {
        action: 'rule.put',
        subject: 'simple',
        before: { version: 2, enabled: true },
        after: { version: 1, enabled: true },
        reason: 'back',
      },
      {
        action: 'rule.put',
        subject: 'simple',
        before: { version: 1, enabled: true },
        after: { version: 2, enabled: true },
        reason: null,
      },
      {
        action: 'rule.put',
        subject: 'simple',
        before: null,
        after: { version: 1, enabled: true },
        reason: 'the first',
      },
    ]);
  });

  it('with a version is put only while that one is in force, whoever else puts at the same time', async () => {
    const texts = [1, 2, 3].map((number) => `# ${number}\n${SIMPLE}`);
    expect(refusalOf(await put('simple', SIMPLE, '?version=1'))).toBe('409 conflict');
    expect((await put('simple', SIMPLE, '?version=0')).body).toMatchObject({ version: 1 });
    const replies = await Promise.all(texts.map((text) => put('simple', text, '?version=1')));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(refusalOf(await put('simple', `# 4\n${SIMPLE}`, '?version=0'))).toBe('409 conflict');
    const { document } = (await client.send('get', '/rules/simple')).body as { document: string };
    // What is in force already is no conflict.
    expect((await put('simple', document, '?version=1')).body).toMatchObject({ version: 2 });
    for (const version of ['-1', '1.5', 'x', ''])
      expect(refusalOf(await put('simple', SIMPLE, `?version=${version}`))).toBe('400 malformed-request');
  });

  it.each([
    'application/yaml',
    'application/x-yaml',
    'text/yaml; charset=UTF-8',
    'text/plain',
    'application/json',
  ])('takes %s', async (type) => {
    expect((await sendText('put', '/rules/simple', SIMPLE, type)).status).toBe(200);
  });

  it('takes JSON and keeps it as it was written', async () => {
    const json = JSON.stringify(
      {
        rule: 'simple',
        when: { event: 'order.created', all: ['order.total > money("0.00")'] },
        then: [{ id: 'customer', do: 'customer.ensure', with: { name: '${order.customer.name}' } }],
      },
      null,
      '\t',
    );
    expect((await sendText('put', '/rules/simple', json, 'application/json')).status).toBe(200);
    expect((await client.send('get', '/rules/simple')).body).toMatchObject({ document: json });
  });

  it('says everything that is wrong, with line and column', async () => {
    const reply = await put('simple', SIMPLE.replace('order.created', 'order.creatd').replace('do:', 'doo:'));
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      error: 'validation-failed',
      detail: 'There are 3 problems in the rule',
    });
    const { errors } = reply.body as { errors: { line: number; column: number; detail: string }[] };
    expect(errors).toEqual(errors.map(() => expect.objectContaining({ pointer: '', code: 'rule' })));
    expect(errors.map(({ line, column, detail }) => `${line}:${column} ${detail}`)).toEqual([
      '2:16 there is no event "order.creatd"; did you mean "order.created"?',
      '4:5 step 1 needs a member "do"',
      '5:5 step 1 has no member "doo"; did you mean "do"?',
    ]);
    expect(await client.items('/rules')).toEqual([]);
  });

  it('wants the name of the address, and says where the other one is', async () => {
    const reply = await put('simple', ruleCalled('another'));
    expect(reply.status).toBe(422);
    expect((reply.body as { errors: object[] }).errors).toEqual([
      expect.objectContaining({
        line: 1,
        column: 7,
        message: 'the rule is called "another" here, and "simple" in the address',
      }),
    ]);
  });

  it('checks against the tables that the organization has', async () => {
    const text = ruleCalled('simple', '${tables.greeting["x"]}');
    expect((await put('simple', text)).status).toBe(422);
    expect((await client.send('put', '/tables/greeting', { entries: { x: 'Buyer' } })).status).toBe(200);
    expect((await put('simple', text)).status).toBe(200);
  });

  it.each<[string, string | Buffer, string, string]>([
    ['no body', '', 'text/yaml', '400 malformed-request'],
    ['bytes that are no UTF-8', Buffer.from([0x72, 0xff]), 'text/yaml', '400 malformed-request'],
    ['a form', SIMPLE, 'application/x-www-form-urlencoded', '415 media-type-unsupported'],
    ['another encoding', SIMPLE, 'text/yaml; charset=latin1', '415 media-type-unsupported'],
    ['a rule with U+0000', `# \0\n${SIMPLE}`, 'text/yaml', '422 validation-failed '],
    ['a rule that is too large', `${SIMPLE}\n#${'x'.repeat(65_536)}`, 'text/yaml', '422 validation-failed '],
    ['a body that is too large', `#${'x'.repeat(1_100_000)}`, 'text/yaml', '413 body-too-large'],
  ])('refuses %s', async (_what, body, type, refusal) => {
    expect(refusalOf(await sendText('put', '/rules/simple', body, type))).toBe(refusal);
    expect(await client.items('/rules')).toEqual([]);
  });

  it.each(['%00', 'Simple', 'a%2Fb', 'x'.repeat(64)])('knows no rule %s', async (name) => {
    expect(refusalOf(await put(name, SIMPLE))).toBe('422 validation-failed ');
    for (const path of [`/rules/${name}`, `/rules/${name}/versions`])
      expect(refusalOf(await client.send('get', path))).toBe('404 not-found');
    for (const path of [`/rules/${name}/enable`, `/rules/${name}/disable`])
      expect(refusalOf(await client.send('post', path))).toBe('404 not-found');
  });

  it('refuses what could cost too much for one event together with the other rules', async () => {
    const walk = 'raw.a.all(x, raw.b.all(y, true))';
    const costly = (name: string) =>
      ruleCalled(name).replace('order.created', `order.created, all: [${Array(7).fill(`'${walk}'`).join()}]`);
    expect((await put('one', costly('one'))).status).toBe(200);
    expect((await put('two', costly('two'))).status).toBe(200);
    const refused = await put('three', costly('three'));
    expect([refused.status, refused.body]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ code: 'event-budget' })] }),
    ]);
    await client.send('post', '/rules/two/disable');
    expect((await put('three', costly('three'))).status).toBe(200);
    expect((await client.send('post', '/rules/two/enable')).status).toBe(422);
    expect((await put('four', SIMPLE.replace('simple', 'four'))).status).toBe(200);
  });

  it('refuses a reason that is too long', async () => {
    expect(refusalOf(await put('simple', SIMPLE, `?reason=${'x'.repeat(501)}`))).toBe(
      '400 malformed-request',
    );
  });

  it('numbers what many put at once without a gap, and writes each into the audit log', async () => {
    const texts = Array.from({ length: 5 }, (_, index) => ruleCalled('simple', `Buyer ${index}`));
    const replies = await Promise.all(texts.map((text) => put('simple', text)));
    expect(replies.map(({ status }) => status)).toEqual(texts.map(() => 200));
    const versions = replies.map(({ body }) => (body as { version: number }).version);
    expect([...versions].sort((left, right) => left - right)).toEqual(texts.map((_, index) => index + 1));
    const stored = (await client.items('/rules/simple/versions')) as { version: number; document: string }[];
    expect(stored.map(({ document }) => document).sort()).toEqual([...texts].sort());
    const log = (await audited()) as { after: { version: number } }[];
    expect(log.map(({ after }) => after.version)).toEqual(stored.map(({ version }) => version));
  });

  it('takes a thousand rules, and a new text for each of them', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      organizationId: client.id,
      name: `rule-${index}`,
      version: 1,
    }));
    const { prisma } = service.database;
    await prisma.ruleVersion.createMany({
      data: rows.map((row) => ({ ...row, document: ruleCalled(row.name) })),
    });
    // Disabled: nothing compiles them.
    await prisma.rule.createMany({ data: rows.map((row) => ({ ...row, enabled: false })) });
    expect(refusalOf(await put('simple', SIMPLE))).toBe('409 conflict');
    expect((await put('rule-7', ruleCalled('rule-7', 'Buyer'))).body).toEqual({
      name: 'rule-7',
      version: 2,
      warnings: [],
    });
    expect(await client.items('/rules')).toHaveLength(1000);
  });

  it('makes one version of what many put at once with one text', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => put('simple', SIMPLE)));
    expect(replies.map(({ body }) => body as object)).toEqual(
      replies.map(() => ({ name: 'simple', version: 1, warnings: [] })),
    );
    expect(await audited()).toHaveLength(1);
  });
});

describe('rules', () => {
  it('are listed whole by name and shown with their documents', async () => {
    await put('second', ruleCalled('second'));
    const document = `# Makes the buyer.\n# Once.\n${ruleCalled('first').replace('order.created', 'order.paid')}`;
    await put('first', document);
    const first = {
      name: 'first',
      version: 1,
      enabled: true,
      event: 'order.paid',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    const reply = await client.send('get', '/rules');
    expect(reply.body).toEqual({
      items: [
        { ...first, description: 'Makes the buyer. Once.' },
        { ...first, name: 'second', event: 'order.created', description: '' },
      ],
      after: null,
    });
    expect((await client.send('get', '/rules/first')).body).toEqual({
      ...first,
      document,
    });
  });

  it('show their versions page by page, and which one is in force', async () => {
    for (const title of ['one', 'two', 'three']) await put('simple', ruleCalled('simple', title));
    await put('simple', ruleCalled('simple', 'two'));
    const page = async (query: string) => {
      const { items, after } = (await client.send('get', `/rules/simple/versions${query}`)).body as {
        items: { version: number; inForce: boolean }[];
        after: string | null;
      };
      return { items: items.map(({ version, inForce }) => [version, inForce]), after };
    };
    expect(await page('?limit=2')).toEqual({
      items: [
        [3, false],
        [2, true],
      ],
      after: '2',
    });
    expect(await page('?limit=2&after=2')).toEqual({ items: [[1, false]], after: null });
    for (const query of ['limit=0', 'limit=x', 'after=-1', 'after=1&after=2'])
      expect(refusalOf(await client.send('get', `/rules/simple/versions?${query}`))).toBe(
        '400 malformed-request',
      );
  });

  it('are switched off and on, each time once in the audit log', async () => {
    await put('simple', SIMPLE);
    const off = await client.send('post', '/rules/simple/disable', { reason: 'a holiday' });
    expect([off.status, off.body]).toEqual([
      200,
      expect.objectContaining({ name: 'simple', enabled: false }),
    ]);
    expect((await client.send('post', '/rules/simple/disable')).status).toBe(200);
    expect((await put('simple', ruleCalled('simple', 'Buyer'))).body).toEqual({
      name: 'simple',
      version: 2,
      warnings: [],
    });
    expect((await client.items('/rules'))[0]).toMatchObject({ version: 2, enabled: false });
    expect((await client.send('post', '/rules/simple/enable')).body).toMatchObject({ enabled: true });
    expect(await audited()).toMatchObject([
      { action: 'rule.enable', before: { version: 2, enabled: false }, after: { version: 2, enabled: true } },
      { action: 'rule.put', before: { enabled: false }, after: { version: 2, enabled: false } },
      { action: 'rule.disable', before: { enabled: true }, after: { enabled: false }, reason: 'a holiday' },
      { action: 'rule.put' },
    ]);
  });

  it('are not switched on when they cannot be read any more', async () => {
    await put('simple', SIMPLE);
    await client.send('post', '/rules/simple/disable');
    const { prisma } = service.database;
    await new RulesRepository(service.database).put(
      prisma,
      client.id,
      'simple',
      SIMPLE.replace('do:', 'does:'),
    );
    expect(refusalOf(await client.send('post', '/rules/simple/enable'))).toBe('422 validation-failed  ');
    expect((await client.items('/rules'))[0]).toMatchObject({ enabled: false });
  });

  it('that were stored before there was a limit of signs go on; new ones like them are refused', async () => {
    const large = `${'#\n'.repeat(6_000)}${SIMPLE}`;
    const rules = service.part(RulesRepository);
    const catalog = service.part(Catalog);
    await service.database.transaction(async (tx) => {
      await catalog.changed(tx);
      await rules.put(tx, client.id, 'simple', large);
    });
    await catalog.refresh();
    const book = service.part(ActiveRules);
    expect(book.listeningTo(client.id, 'order.created').rules).toHaveLength(1);
    expect((await service.http.get('/health/ready')).body).toEqual({ status: 'ok' });
    for (const turn of ['disable', 'enable'])
      expect((await client.send('post', `/rules/simple/${turn}`)).status).toBe(200);
    expect((await put('simple', large)).body).toEqual({ name: 'simple', version: 1, warnings: [] });
    // The event is none: it is read after the rule.
    const preview = (document?: string) =>
      client.send('post', '/rules/simple/preview', { event: {}, ...(document && { document }) });
    expect((await preview()).body).toMatchObject({ detail: 'The event is not as rules know events' });
    const tooMuch = 'the document has too many lines and signs';
    for (const refused of [await put('simple', `${large}\n`), await preview(large)])
      expect([refused.status, refused.body]).toEqual([
        422,
        expect.objectContaining({ errors: [expect.objectContaining({ message: tooMuch })] }),
      ]);
    expect((await sendText('post', '/rules/check', large)).body).toMatchObject({
      valid: false,
      problems: [{ message: tooMuch }],
    });
  });

  it('belong to their organization alone', async () => {
    await put('simple', SIMPLE);
    const other = await OperatorsClient.of(service);
    expect(await other.items('/rules')).toEqual([]);
    for (const path of ['/rules/simple', '/rules/simple/versions'])
      expect(refusalOf(await other.send('get', path))).toBe('404 not-found');
    for (const path of ['enable', 'disable'])
      expect(refusalOf(await other.send('post', `/rules/simple/${path}`))).toBe('404 not-found');
    expect(refusalOf(await other.send('post', '/rules/simple/preview', { event: {} }))).toBe('404 not-found');
  });
});

describe('POST …/rules/check', () => {
  it('says what is right and what is wrong, and stores nothing', async () => {
    const check = async (text: string) => (await sendText('post', '/rules/check', text)).body as object;
    expect(await check(SIMPLE)).toEqual({
      valid: true,
      name: 'simple',
      event: 'order.created',
      problems: [],
      warnings: [],
    });
    const lineOf = (text: string) => ORDER_PAID.split('\n').findIndex((line) => line.includes(text)) + 1;
    expect(await check(ORDER_PAID)).toEqual({
      valid: false,
      name: 'order-paid',
      event: 'order.paid',
      problems: expect.arrayContaining([
        { line: lineOf('tables.category'), column: 26, message: 'there is no table "category"' },
        { line: lineOf('tables.gatewayAccount'), column: 25, message: 'there is no table "gatewayAccount"' },
      ]) as unknown,
      warnings: [],
    });
    expect(await check('rule: [')).toEqual({
      valid: false,
      name: null,
      event: null,
      problems: [expect.objectContaining({ line: 1, message: expect.stringMatching(/^the YAML cannot be/) })],
      warnings: [],
    });
    expect(await client.items('/rules')).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  it('warns of a key that another rule on the event uses for the same action, and of one that is changed', async () => {
    const keyed = (name: string, event: string, key: string): string =>
      SIMPLE.replace('simple', name)
        .replace('order.created', event)
        .replace('do: customer.ensure', `do: customer.ensure\n    key: ${key}`);
    const check = async (text: string) =>
      ((await sendText('post', '/rules/check', text)).body as { warnings: string[] }).warnings;
    const mine = keyed('one', 'order.created', '${order.key}');
    expect((await put('one', mine)).body).toMatchObject({ warnings: [] });
    expect(await check(mine)).toEqual([]);
    expect(await check(keyed('two', 'order.paid', '${order.key}'))).toEqual([]);
    expect(await check(keyed('two', 'order.created', '${order.id}'))).toEqual([]);
    const warnings = [
      'step customer: rule one uses the key ${order.key} for customer.ensure, too; where both apply, only one of them does anything',
    ];
    const other = keyed('two', 'order.created', '" ${order.key} "');
    expect(await check(other)).toEqual(warnings);
    expect((await put('two', other)).body).toEqual({ name: 'two', version: 1, warnings });
    await client.send('post', '/rules/one/disable');
    expect((await put('two', other)).body).toEqual({ name: 'two', version: 1, warnings: [] });
    // Orders that were posted under the key are not known under another.
    const again = [
      'step customer: the version in force has the key ${order.key} for customer.ensure; what was posted under that is posted again under this one when its order comes again',
    ];
    const changed = keyed('two', 'order.created', '${order.id}');
    expect(await check(changed)).toEqual(again);
    expect((await put('two', changed)).body).toEqual({ name: 'two', version: 2, warnings: again });
    expect((await put('two', changed)).body).toEqual({ name: 'two', version: 2, warnings: [] });
  });

  it('warns of a key that is changed while the rule is disabled, or with its event', async () => {
    const keyed = (event: string, key: string): string =>
      SIMPLE.replace('simple', 'reworked')
        .replace('order.created', event)
        .replace('do: customer.ensure', `do: customer.ensure\n    key: ${key}`);
    const warnings = [
      'step customer: the version in force has the key ${order.key} for customer.ensure; what was posted under that is posted again under this one when its order comes again',
    ];
    expect((await put('reworked', keyed('order.created', '${order.key}'))).body).toMatchObject({
      warnings: [],
    });
    const check = async (text: string) =>
      ((await sendText('post', '/rules/check', text)).body as { warnings: string[] }).warnings;
    expect(await check(keyed('order.paid', '${order.id}'))).toEqual(warnings);
    expect(await check(keyed('order.paid', '${order.key}'))).toEqual([]);
    await client.send('post', '/rules/reworked/disable');
    expect(await check(keyed('order.created', '${order.key}'))).toEqual([]);
    expect((await put('reworked', keyed('order.created', '${order.id}'))).body).toEqual({
      ...{ name: 'reworked', version: 2, warnings },
    });
  });

  it('shows no more problems than a person reads', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `wrong${index}: x`).join('\n');
    const { problems } = (await sendText('post', '/rules/check', many)).body as { problems: object[] };
    expect(problems).toHaveLength(100);
  });
});

describe('GET …/actions', () => {
  it('describes every action, all and one by one', async () => {
    const described = JSON.parse(JSON.stringify(describeActions())) as { name: string }[];
    expect((await client.send('get', '/actions')).body).toEqual({ items: described, after: null });
    for (const action of described)
      expect((await client.send('get', `/actions/${action.name}`)).body).toEqual(action);
    expect(refusalOf(await client.send('get', '/actions/customer.ensur'))).toBe('404 not-found');
  });
});
