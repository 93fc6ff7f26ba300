import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDataDir } from '../../test/support/database';
import { Mailbox } from '../../test/support/mailbox';
import { Settings } from '../config/settings';
import { PgliteDatabase } from '../database/pglite.database';
import { checkMailServer, examine } from './doctor';
import type { Finding, Level } from './finding';
import { runDoctor } from './run-doctor';
import { tablesNamedIn } from './check-tables';

const CONFIG_DIR = join(__dirname, '../../config');

async function found(check: string, env: Record<string, string>): Promise<[Level, string][]> {
  const findings = await examine({ CONFIG_DIR, ...env }, 1);
  return findings.filter((one) => one.check === check).map(({ level, what }) => [level, what]);
}

async function run(args: string[], env: Record<string, string>): Promise<[code: number, output: string]> {
  let output = '';
  const code = await runDoctor(args, { CONFIG_DIR, ...env }, (text) => void (output += text));
  return [code, output];
}

describe('ponte doctor on the embedded database', () => {
  let dataDir: string;
  let drop: () => Promise<void>;

  beforeEach(async () => ({ dataDir, drop } = await embeddedDataDir()));
  afterEach(() => drop());

  it('reads one that is not in use, which can be opened afterwards as before', async () => {
    expect(await found('database', { DATA_DIR: dataDir })).toEqual([
      ['ok', `embedded, in ${dataDir}, not in use`],
    ]);
    expect(await found('migrations', { DATA_DIR: dataDir })).toEqual([
      ['ok', expect.stringContaining('none would run')],
    ]);
    const database = await PgliteDatabase.open(dataDir);
    await database.prisma.organization.create({
      data: {
        id: '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61',
        slug: 's',
        name: 'n',
        timeZone: 'UTC',
        currency: 'BRL',
      },
    });
    await database.close();
  });

  it('warns that the tables of one in use are not read', async () => {
    const database = await PgliteDatabase.open(dataDir);
    try {
      const [code, output] = await run([], { DATA_DIR: dataDir });
      expect(code).toBe(0);
      expect(output).toMatch(/^warn {2}database: .* is in use by another process \(\d+\) → stop Ponte/m);
      expect(output).not.toContain('migrations');
    } finally {
      await database.close();
    }
  });

  it('makes no key, and fails where secrets are stored without one', async () => {
    expect(await found('secrets', { DATA_DIR: dataDir })).toEqual([
      ['ok', 'none is stored; the first start makes the key'],
    ]);
    const database = await PgliteDatabase.open(dataDir);
    const id = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';
    await database.prisma.organization.create({
      data: { id, slug: 's', name: 'n', timeZone: 'UTC', currency: 'BRL' },
    });
    await database.prisma.notificationEndpoint.create({
      data: {
        id,
        organizationId: id,
        name: 'n',
        url: 'https://example.com',
        secrets: Buffer.alloc(40),
        createdAt: new Date(),
      },
    });
    await database.close();
    expect(await found('secrets', { DATA_DIR: dataDir })).toEqual([
      ['fail', expect.stringContaining('DATA_DIR has no secrets.key')],
    ]);
    expect(readdirSync(dataDir)).not.toContain('secrets.key');
  });

  it('warns of a key of a lookup table for a source that there is not', async () => {
    const database = await PgliteDatabase.open(dataDir);
    const id = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';
    await database.prisma.organization.create({
      data: { id, slug: 's', name: 'n', timeZone: 'UTC', currency: 'BRL' },
    });
    const entries = { default: 'main', 'outlet/default': 'own' };
    await database.prisma.lookupTable.create({
      data: { organizationId: id, name: 'gatewayAccount', entries },
    });
    await database.close();
    expect(await found('tables', { DATA_DIR: dataDir })).toEqual([
      ['warn', 's, table gatewayAccount: key "outlet/default": there is no source "outlet"'],
    ]);
  });

  it('fails on files of another major version of PostgreSQL', async () => {
    writeFileSync(
      join(dataDir, 'pglite-version.json'),
      JSON.stringify({ postgresql: 17, madeBy: 'PostgreSQL 17' }),
    );
    expect(await found('database', { DATA_DIR: dataDir })).toEqual([
      ['fail', expect.stringContaining('was made by PostgreSQL 17')],
    ]);
  });
});

describe('ponte doctor', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ponte-doctor-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('makes no folder where there is none, and says that the first start does', async () => {
    const [code, output] = await run([], { DATA_DIR: join(folder, 'data') });
    expect([code, readdirSync(folder)]).toEqual([0, []]);
    expect(output).toContain('the first start makes it');
  });

  it.each(['/proc/x', '/dev/null/x'])('fails where the first start could make no %s', async (DATA_DIR) => {
    const [code, output] = await run([], { DATA_DIR });
    expect([code, output]).toEqual([1, expect.stringMatching(/^fail {2}database: .* cannot make it: E/m)]);
  });

  it.each([
    ['a setting that cannot be read', { PORT: 'many' }, 'fail  settings: PORT must be'],
    [
      'a setting that is missing',
      { DATABASE_URL: 'postgresql://h/d' },
      'fail  settings: SECRETS_KEY is needed',
    ],
    ['a folder that is wrong', { CONFIG_DIR: '/nowhere/at/all' }, 'fail  configuration: '],
  ])('fails on %s', async (_case, env, words) => {
    const [code, output] = await run([], { DATA_DIR: folder, ...env });
    expect([code, output]).toEqual([1, expect.stringContaining(words)]);
  });

  it('warns of variables that are no settings, and of none that others read', async () => {
    const others = {
      PATH: '/bin',
      DATABASE: 'x',
      SHOPIFY_WEBHOOK_SECRET: 's',
      PONTE_KEY: 'k',
      OTEL_LOGS_EXPORTER: 'x',
    };
    const wrong = { FINANCE_BASEURL: 'x', DATBASE_URL: 'x', ADMIN_COLOUR: 'x' };
    const [code, output] = await run([], { DATA_DIR: folder, ...others, ...wrong });
    const warnings = output.split('\n').filter((line) => line.startsWith('warn  settings'));
    expect(code).toBe(0);
    expect(warnings).toEqual([
      'warn  settings: FINANCE_BASEURL is no setting of this version → set FINANCE_BASE_URL, or unset it',
      'warn  settings: DATBASE_URL is no setting of this version → set DATABASE_URL, or unset it',
      expect.stringContaining('ADMIN_COLOUR is no setting of this version → unset it'),
    ]);
  });

  it('says whether the mail server takes e-mails, without its password', async () => {
    const mailbox = await Mailbox.start({
      ...{ authOptional: false, allowInsecureAuth: true },
      onAuth: ({ password }, _session, done) =>
        password === 'right-word' ? done(null, { user: 'ponte' }) : done(new Error('no')),
    });
    try {
      const check = async (password: string) => {
        const url = `smtp://ponte:${password}@127.0.0.1:${mailbox.port}`;
        return checkMailServer(new Settings({ SMTP_URL: url, SMTP_FROM: 'ponte@example.com' }));
      };
      expect(await check('right-word')).toMatchObject([{ level: 'ok', check: 'mail' }]);
      const wrong = await check('wrong-word');
      expect(wrong).toMatchObject([{ level: 'warn', check: 'mail' }]);
      expect(JSON.stringify(wrong)).not.toContain('wrong-word');
    } finally {
      await mailbox.stop();
    }
    expect(await checkMailServer(new Settings({}))).toEqual([]);
  });

  it('prints its findings as JSON', async () => {
    const [code, output] = await run(['--json'], { DATA_DIR: folder });
    const { findings } = JSON.parse(output) as { findings: Finding[] };
    expect(code).toBe(0);
    expect(findings[0]).toEqual({
      level: 'ok',
      check: 'ponte',
      what: expect.stringContaining('Node') as string,
    });
  });

  it.each([[['--replicas', '0']], [['--replicas', 'x']], [['--colour']], [['more']]])(
    'explains itself when it is asked %j',
    async (args) => {
      expect(await run(args, { DATA_DIR: folder })).toEqual([
        2,
        expect.stringContaining('Usage: ponte doctor'),
      ]);
    },
  );
});

it('the tables of a migration are found in its statements', () => {
  const statements = `-- "comment"
    LOCK TABLE "a", "b" IN ACCESS EXCLUSIVE MODE; ALTER TABLE IF EXISTS "c" ADD COLUMN "x" INT;
    CREATE INDEX "i" ON "d" ("y"); UPDATE ONLY "e" SET "z" = 1; DROP INDEX "run_organization_id_idx";`;
  expect([...tablesNamedIn(statements)]).toEqual(['a', 'b', 'c', 'd', 'e']);
});
