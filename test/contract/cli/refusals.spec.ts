import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ponte, type Ran, type RunOptions } from '../../support/command-line';
import { RecordingServer, type ScriptedReply } from '../../support/recording-server';

const KEY = 'operators-key-for-the-command-line';
const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';

let server: RecordingServer;
const folder = mkdtempSync(join(tmpdir(), 'ponte-cli-'));

beforeAll(async () => {
  server = await RecordingServer.start();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function run(args: string[], options: RunOptions = {}): Promise<Ran> {
  const env = { PONTE_URL: server.url, PONTE_KEY: KEY, PONTE_ORG: 'main', ...options.env };
  return ponte(args, { ...options, env });
}

function problem(status: number, code: string, members: object = {}): ScriptedReply {
  return {
    status,
    body: {
      type: `urn:ponte:problem:${code}`,
      title: 'It cannot be',
      status,
      detail: 'Because.',
      ...members,
    },
  };
}

describe('what Ponte refuses', () => {
  it.each([
    [400, 'malformed-request', 1],
    [401, 'key-invalid', 4],
    [403, 'scope-missing', 4],
    [404, 'not-found', 5],
    [409, 'conflict', 1],
    [422, 'validation-failed', 1],
    [429, 'too-many-requests', 1],
    [500, 'internal-error', 1],
    [503, 'saturated', 1],
  ])('%i %s ends with %i and one line that says why, none of it data', async (status, code, exit) => {
    server.answer(problem(status, code));
    const ran = await run(['organizations', 'list']);
    expect(ran).toEqual({ code: exit, stdout: '', stderr: `It cannot be: Because. (${code}, ${status})\n` });
  });

  it('is told with every bad field, its place, and the other members', async () => {
    const errors = [
      { line: 3, column: 5, detail: 'there is no field totl' },
      { pointer: '/name', code: 'required', message: 'is required' },
    ];
    server.answer(problem(422, 'validation-failed', { errors, nearest: 'total', instance: 'urn:uuid:1' }));
    const { stderr } = await run(['rules', 'put', file('rule.yaml', 'rule: a\n')]);
    expect(stderr.split('\n')).toEqual([
      'It cannot be: Because. (validation-failed, 422)',
      '  line 3, column 5: there is no field totl',
      '  /name: is required',
      '  nearest: total',
      '  instance: urn:uuid:1',
      '',
    ]);
  });

  it('is told with the time after which to try again', async () => {
    server.answer({ ...problem(503, 'saturated'), headers: { 'retry-after': '7' } });
    const { stderr } = await run(['organizations', 'list']);
    expect(stderr).toBe('It cannot be: Because. (saturated, 503)\n  try again in 7 s\n');
  });

  it('steers no terminal', async () => {
    server.answer(problem(409, 'conflict', { detail: 'red \u001b[31m\u009b2J\u202e', nearest: '\u0007' }));
    const { stderr } = await run(['organizations', 'list'], { columns: 80 });
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it('ends with 1 where a rule is not valid, or a finance service cannot be used', async () => {
    server.answer({
      body: {
        valid: false,
        name: null,
        event: null,
        problems: [{ line: 2, column: 1, message: 'no event' }],
      },
    });
    const checked = await run(['rules', 'check', file('rule.yaml', 'rule: a\n')]);
    expect([checked.code, checked.stderr]).toEqual([
      1,
      'The rule is not valid.\n  line 2, column 1: no event\n',
    ]);
    server.answer({ body: { ok: false, detail: 'the key was not taken', milliseconds: 3 } });
    const tested = await run(['finance', 'test']);
    expect([tested.code, tested.stdout]).toEqual([1, expect.stringContaining('the key was not taken')]);
  });

  it('ends with 5 where a list names no such thing', async () => {
    server.answer({ body: { items: [], after: null } });
    expect((await run(['providers', 'show', 'magento'])).code).toBe(5);
    expect((await run(['actions', 'show', 'money.make'])).code).toBe(5);
  });
});

describe('what is to be kept', () => {
  it.each([
    ['plan=90', 'no kind plan'],
    ['plans', 'such as plans=1825'],
    ['plans=soon', 'such as plans=1825'],
  ])('is asked of nobody where it says %s', async (keep, message) => {
    const ran = await run(['organizations', 'change', '--keep', keep]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('who does not answer, or is not Ponte', () => {
  it('ends with 3 where nobody listens', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    closed.close();
    await once(closed, 'close');
    const ran = await run(['organizations', 'list', '--url', url]);
    expect(ran).toEqual({ code: 3, stdout: '', stderr: `No answer from ${url}: ECONNREFUSED\n` });
  });

  it('says that a change may have happened where the answer was lost', async () => {
    const dropping = createServer((socket) => socket.once('data', () => socket.destroy())).listen(
      0,
      '127.0.0.1',
    );
    await once(dropping, 'listening');
    const url = `http://127.0.0.1:${(dropping.address() as AddressInfo).port}`;
    const changed = await run(['keys', 'revoke', ID, '--url', url]);
    const read = await run(['keys', 'list', '--url', url]);
    dropping.close();
    expect([changed.code, read.code]).toEqual([3, 3]);
    expect(changed.stderr).toContain('is not known');
    expect(read.stderr).not.toContain('is not known');
  });

  it.each<[string, ScriptedReply]>([
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<p>hello</p>' }],
    ['an error page', { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>nothing</p>' }],
    [
      'JSON of somebody else',
      { status: 404, headers: { 'content-type': 'application/json' }, body: { message: 'no' } },
    ],
    ['a way elsewhere', { status: 302, headers: { location: 'https://elsewhere.example.com/' }, body: '' }],
    ['broken JSON', { body: '{"items":[' }],
  ])('ends with 3 where %s answers', async (_what, reply) => {
    server.answer(reply);
    const ran = await run(['organizations', 'list']);
    expect([ran.code, ran.stdout]).toEqual([3, '']);
    expect(ran.stderr).toContain(`What answers at ${server.url} is not Ponte`);
  });

  it('takes the key nowhere else, even if sent there', async () => {
    const elsewhere = await RecordingServer.start();
    elsewhere.answer({ body: { items: [], after: null } });
    server.answer({ status: 307, headers: { location: `${elsewhere.url}/admin/organizations` }, body: '' });
    expect((await run(['organizations', 'list'])).code).toBe(3);
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });
});

describe('wrong usage', () => {
  const secret = 'a-secret-nobody-sees';

  const slips: [what: string, args: string[], options?: RunOptions][] = [
    ['no command', []],
    ['an unknown command', ['deliverys', 'list']],
    ['half a command', ['deliveries']],
    ['an unknown option', ['deliveries', 'list', '--colour']],
    ['an argument too many', ['deliveries', 'list', 'dead']],
    ['an argument too few', ['deliveries', 'show']],
    ['a state that there is not', ['deliveries', 'list', '--state', 'lost']],
    ['a limit that is no number', ['deliveries', 'list', '--limit', 'ten']],
    ['a needed option left out', ['dead-letters', 'discard', ID]],
    ['an empty identifier', ['keys', 'revoke', '']],
    ['an empty text to search for', ['search', '']],
    ['an identifier that climbs', ['rules', 'show', '..']],
    ['no organization', ['keys', 'list'], { env: { PONTE_ORG: '' } }],
    ['a key file that is not there', ['keys', 'list', '--key-file', join(folder, 'nowhere')]],
    ['an address without a scheme', ['keys', 'list', '--url', 'localhost:3000']],
    ['an address with a password', ['keys', 'list', '--url', `http://me:${secret}@127.0.0.1/`]],
    [
      'two places for a secret',
      ['sources', 'secret-add', 'loja', '--secret-env', 'A', '--secret-stdin'],
      { env: { A: secret } },
    ],
    ['a secret that is not there', ['sources', 'secret-add', 'loja', '--secret-env', 'NONE']],
    [
      'a secret of several lines',
      ['sources', 'secret-add', 'loja', '--secret-env', 'A'],
      { env: { A: `${secret}\nmore` } },
    ],
    ['an address with a user', ['keys', 'list', '--url', `http://${secret}@127.0.0.1/`]],
    ['no place for a secret', ['sources', 'secret-add', 'loja']],
    ['a setting without a value', ['sources', 'change', 'loja', '--setting', 'timeZone']],
    ['nothing to change', ['organizations', 'change', 'main']],
    ['a bulk without a filter', ['dead-letters', 'retry-all', '--reason', 'r', '--yes']],
    [
      'a bulk of all and of some',
      ['dead-letters', 'retry-all', '--reason', 'r', '--yes', '--everything', '--topic', 't'],
    ],
    ['a version of no rule', ['rules', 'backtest', '--from', 'a', '--to', 'b', '--rule-version', '2']],
    ['a backtest of no period', ['rules', 'backtest', 'order-paid']],
    ['a preview of nothing', ['rules', 'preview', 'order-paid']],
    ['a rule file that is not there', ['rules', 'put', join(folder, 'nowhere.yaml')]],
    [
      'a fixture of another provider',
      [
        'send',
        '--source',
        'main/x',
        '--provider',
        'shopify',
        '--fixture',
        'woocommerce/order-created',
        '--secret-env',
        'A',
      ],
      { env: { A: secret } },
    ],
    [
      'a provider that alone can sign',
      ['send', '--source', 'main/x', '--provider', 'magento', '--fixture', 'magento/order-paid'],
    ],
    [
      'a file without a topic',
      ['send', '--source', 'main/x', '--provider', 'shopify', '--fixture', '-', '--secret-env', 'A'],
      { env: { A: secret } },
    ],
    [
      'a secret that cannot sign',
      [
        'send',
        '--source',
        'main/x',
        '--provider',
        'standard-webhooks',
        '--fixture',
        'standard-webhooks/order-paid',
        '--secret-env',
        'A',
      ],
      { env: { A: `whsec_${secret}` } },
    ],
    [
      'an id that is no header',
      [
        'send',
        '--source',
        'main/x',
        '--provider',
        'shopify',
        '--fixture',
        'shopify/orders-paid',
        '--secret-env',
        'A',
        '--id',
        'é',
      ],
      { env: { A: secret } },
    ],
  ];

  it.each([
    ['missing', ''],
    ['of several lines', `${secret}\nX-Other: 1`],
    ['no header can hold', `${secret}ç`],
  ])('a key that is %s ends with 4, sends nothing and repeats nothing', async (_what, key) => {
    server.answer({ body: { items: [], after: null } });
    const result = await run(['keys', 'list'], { env: { PONTE_KEY: key } });
    expect([result.code, server.requests]).toEqual([4, []]);
    expect(result.stderr).not.toContain(secret);
  });

  it.each(slips.map(([what, args, options]) => ({ what, args, options })))(
    '$what: ends with 2, asks nothing, and says what is missing',
    async ({ args, options }) => {
      server.answer({ body: { items: [], after: null } });
      const ran = await run(args, options);
      expect([ran.code, ran.stdout, server.requests]).toEqual([2, '', []]);
      expect(ran.stderr.length).toBeGreaterThan(10);
      expect(ran.stderr).not.toContain(secret);
    },
  );

  it.each<[string, string | Buffer, string]>([
    ['broken YAML', 'table: {', 'line 1'],
    ['a list', '- 1', 'no mapping'],
    ['no entries', 'table: category', 'entries'],
    ['no name', 'entries: {}', '--name'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]), 'UTF-8'],
    ['an alias bomb', 'a: &a [x]\nb: [*a, *a]\n', 'YAML'],
    ['five megabytes', 'a'.repeat(5 * 1024 * 1024), 'more than'],
  ])('a table file with %s is refused here, and not quoted', async (_what, content, words) => {
    server.answer({ body: {} });
    const ran = await run(['tables', 'put', file('table.yaml', content)]);
    expect([ran.code, server.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(words);
    expect(ran.stderr.length).toBeLessThan(300);
  });
});

describe('what a terminal is shown', () => {
  const bold = '\u001b[1m';
  const reason = 'a long reason '.repeat(20).trim();

  it.each<[string, RunOptions, boolean]>([
    ['a terminal', { columns: 120 }, true],
    ['a terminal with NO_COLOR', { columns: 120, env: { NO_COLOR: '1' } }, false],
    ['a terminal that knows nothing', { columns: 120, env: { TERM: 'dumb' } }, false],
    ['a pipe', {}, false],
  ])('%s: headings in bold or not', async (_where, options, isBold) => {
    server.answer({ body: { items: [{ id: ID, reason }], after: null } });
    const { stdout } = await run(['deliveries', 'list'], options);
    expect(stdout.includes(bold)).toBe(isBold);
    expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).toMatch(/^id /);
    expect(stdout.includes(reason)).toBe(options.columns === undefined);
  });
});

describe('a list that breaks off', () => {
  it.each([[['--json']], [[]]])('is never taken for whole: %j', async (more) => {
    const page = { body: { items: [{ id: 'a' }, { id: 'b' }], after: 'b' } };
    server.answer(page, problem(503, 'unavailable'));
    const ran = await run(['deliveries', 'list', '--all', ...more]);
    expect([ran.code, server.requests.map(({ line }) => line)]).toEqual([
      1,
      [
        'GET /admin/organizations/main/deliveries?limit=500',
        'GET /admin/organizations/main/deliveries?limit=500&after=b',
      ],
    ]);
    expect(() => JSON.parse(ran.stdout) as unknown).toThrow();
  });

  it('ends where Ponte names one page again and again', async () => {
    server.answer({ body: { items: [{ id: 'a' }], after: 'a' } });
    const ran = await run(['deliveries', 'list', '--all']);
    expect([ran.code, server.requests.length]).toEqual([1, 2]);
  });

  it('is whole where the last page holds nothing, and where all of it does', async () => {
    const nothing = { body: { items: [], after: null } };
    server.answer(
      { body: { items: [{ id: 'a' }], after: 'a' } },
      { body: { items: [{ id: 'b' }], after: 'b' } },
      nothing,
    );
    const ran = await run(['deliveries', 'list', '--all', '--json']);
    expect(JSON.parse(ran.stdout)).toEqual({ items: [{ id: 'a' }, { id: 'b' }], after: null });
    server.answer(nothing);
    expect(JSON.parse((await run(['deliveries', 'list', '--all', '--json'])).stdout)).toEqual(nothing.body);
  });
});

describe('the key', () => {
  beforeEach(() => server.answer({ body: { items: [], after: null } }));

  it.each<[string, string[], Record<string, string>, string]>([
    ['PONTE_KEY', [], { PONTE_KEY: 'one', ADMIN_API_KEY: 'two' }, 'Bearer one'],
    ['ADMIN_API_KEY without it', [], { PONTE_KEY: '', ADMIN_API_KEY: 'two' }, 'Bearer two'],
    ['a file before both', ['--key-file', join(folder, 'key')], { PONTE_KEY: 'one' }, 'Bearer three'],
  ])('comes from %s', async (_where, args, env, sent) => {
    file('key', 'three\r\n');
    expect((await run(['organizations', 'list', ...args], { env })).code).toBe(0);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([sent]);
  });

  it('is not sent with a webhook', async () => {
    server.answer({ body: { delivery: ID, duplicate: false } });
    const args = [
      'send',
      '--source',
      'loja',
      '--provider',
      'shopify',
      '--fixture',
      'shopify/orders-paid',
      '--secret-stdin',
    ];
    expect((await run(args, { input: 's3cret\n' })).code).toBe(0);
    expect(server.requests.map(({ line, headers }) => [line, headers.authorization])).toEqual([
      ['POST /hooks/main/loja', undefined],
    ]);
    expect(JSON.stringify(server.requests)).not.toContain(KEY);
  });

  it('is said to be readable on the way where it is', async () => {
    const named = server.url.replace('127.0.0.1', 'localhost');
    expect((await run(['organizations', 'list', '--url', named])).stderr).not.toContain('Careful');
    const { stderr } = await run(['organizations', 'list', '--url', 'http://ponte.invalid']);
    expect(stderr).toContain('Careful: the key travels readable');
  });
});

describe('before something is done', () => {
  const plan = { body: { matched: 2, retried: 0 } };
  const args = ['dead-letters', 'retry-all', '--topic', 't', '--reason', 'r'];

  it.each([
    ['y', 2],
    ['yes', 2],
    ['', 1],
    ['n', 1],
    ['yesterday', 1],
  ])('a terminal that answers "%s" makes %i requests', async (typed, requests) => {
    server.answer(plan);
    const ran = await run(args, { typed: `${typed}\n` });
    expect([ran.code, server.requests.length]).toEqual([0, requests]);
    expect(ran.stderr).toContain('Work on 2 again?');
  });

  it('nobody to ask means that nothing is done, which ends with 2', async () => {
    server.answer(plan);
    const ran = await run(args, { input: 'y\n' });
    expect([ran.code, server.requests.length]).toEqual([2, 1]);
    expect(ran.stderr).toContain('Nothing was done');
  });

  it('nothing that matches is nothing to ask about', async () => {
    server.answer({ body: { matched: 0, retried: 0 } });
    expect([(await run(args)).code, server.requests.length]).toEqual([0, 1]);
  });

  it('a replay shows its plan, which is no data', async () => {
    server.answer({
      body: {
        dryRun: true,
        applied: [],
        missing: [{ rule: 'order-paid', step: 'receipt' }],
        refused: [],
        queued: false,
      },
    });
    const ran = await run(['deliveries', 'replay', ID], { typed: 'n\n' });
    expect([ran.code, ran.stdout, server.requests.length]).toEqual([0, '', 1]);
    expect(ran.stderr).toContain('receipt');
    expect(ran.stderr).toContain('1 missing');
  });
});

describe('ponte import', () => {
  const done = { body: { lines: 1, stored: 1, duplicates: 0, refused: 0, ignored: 0, problems: [] } };
  const away = { ...problem(503, 'unavailable'), headers: { 'retry-after': '0' } };

  it('sends a part again when Ponte says to come back, and no other part for it', async () => {
    server.answer(away, away, done);
    const ran = await run(['import', file('one.ndjson', '{"id":1}\n'), '--source', 'loja', '--json']);
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([0, done.body]);
    expect(server.requests.map(({ body }) => body)).toEqual(['{"id":1}', '{"id":1}', '{"id":1}']);
  });

  it('says where to go on when a part was refused after others were taken', async () => {
    server.answer(done, problem(409, 'conflict'));
    const ran = await run(['import', file('two.ndjson', '{}\n'.repeat(1_001)), '--source', 'loja']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('conflict, 409');
    expect(ran.stderr).toContain('\nGo on with --from-line 1001.\n');
    expect(server.requests.map(({ line }) => line)).toEqual([
      'POST /admin/organizations/main/sources/loja/import',
      'POST /admin/organizations/main/sources/loja/import?line=1001',
    ]);
  });

  it('does not wait for a source that is paused', async () => {
    server.answer({ ...problem(503, 'source-paused'), headers: { 'retry-after': '300' } });
    const ran = await run(['import', file('one.ndjson', '{"id":1}\n'), '--source', 'loja']);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('source-paused')]);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['--source a/b/c', 'main/shopify'],
    ['--source loja --from-line 0', '--from-line'],
    ['--source loja --from-line x', 'whole number'],
  ])('does not take %s', async (more, says) => {
    const ran = await run(['import', file('one.ndjson', '{}'), ...more.split(' ')]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});
