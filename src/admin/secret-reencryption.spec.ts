import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { documentKeysOn, organizationsOn } from '../../test/support/organizations';
import { dirname, join } from 'node:path';
import { embeddedDataDir, openTestDatabase } from '../../test/support/database';
import { SettableClock } from '../../test/support/settable-clock';
import { SealError } from '../config/sealing';
import { secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import type { Database } from '../database/database';
import { PgliteDatabase } from '../database/pglite.database';
import type { SealedRecord } from '../database/sealed-records';
import { openSecrets, sealSecrets } from '../deliveries/sealed-secrets';
import { openCredentials, sealCredentials } from '../deliveries/sealed-credentials';
import { openGrant, sealGrant } from '../deliveries/fetch-back/granted-access';
import { SourceAccess } from '../deliveries/fetch-back/source-access.repository';
import { SourceCredentials } from '../deliveries/source-credentials.repository';
import { SourcesRepository } from '../deliveries/sources.repository';
import { ErasureRequests } from '../privacy/requests/erasures.repository';
import { NotificationEndpoints } from '../notifications/endpoints.repository';
import { ConnectionsRepository } from '../finance/remote/connections/connections.repository';
import { newId } from '../kernel/identifier';
import { SecretReencryption } from './secret-reencryption';

const [OLD, NEW, OTHER] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill).toString('base64')) as [
  string,
  string,
  string,
];
/** More than are read at once. */
const MANY = 130;

let database: Database;
let organizationId: string;
let ids: string[];

const settingsWith = (current: string, ...previous: string[]) =>
  new Settings({ SECRETS_KEY: current, SECRETS_KEY_PREVIOUS: previous.join(), FINANCE_BACKEND: 'embedded' });

/** What a replica has that runs with these keys. */
function replica(current: string, ...previous: string[]) {
  const settings = settingsWith(current, ...previous);
  const sources = new SourcesRepository(database);
  const connections = new ConnectionsRepository(
    database,
    settings,
    new SettableClock('2026-11-21T12:00:00Z'),
  );
  const endpoints = new NotificationEndpoints(database, settings);
  const reencryption = new SecretReencryption(
    settings,
    sources,
    new SourceCredentials(database),
    new SourceAccess(database),
    connections,
    endpoints,
    new ErasureRequests(database, settings),
    documentKeysOn(database, settings),
  );
  return { settings, sources, connections, endpoints, reencryption };
}

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  const organization = {
    slug: `org-${newId()}`,
    name: 'A shop',
    currency: 'BRL',
    timeZone: 'America/Manaus',
  };
  ({ id: organizationId } = await organizationsOn(database, settingsWith(OLD)).create(organization));
  ids = Array.from({ length: MANY }, () => newId());
  await database.prisma.financeConnection.deleteMany();
  await database.prisma.source.deleteMany();
  await database.prisma.sourceAccess.deleteMany();
  await database.prisma.source.createMany({ data: ids.map((id) => sourceOf(id, OLD)) });
  await database.prisma.source.create({ data: { ...sourceOf(newId(), OLD), secrets: null } });
  const { connections } = replica(OLD);
  await database.transaction((tx) => connections.put(tx, organizationId, {}, 'the-key'));
});

function sourceOf(id: string, key: string) {
  return { id, organizationId, slug: id, provider: 'shopify', settings: {}, secrets: secretsOf(id, key) };
}

function secretsOf(id: string, key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sealSecrets([`secret of ${id}`], id, secretsKeysOf(settingsWith(key))));
}

/** How many sources each key alone opens. */
async function openedBy(...keys: string[]): Promise<number[]> {
  const rows = await database.prisma.source.findMany({ where: { secrets: { not: null } } });
  return keys.map(
    (key) =>
      rows.filter(({ id, secrets }) => {
        try {
          const opened = openSecrets(secrets ?? new Uint8Array(), id, secretsKeysOf(settingsWith(key)));
          expect(opened).toEqual([`secret of ${id}`]);
          return true;
        } catch (error) {
          if (error instanceof SealError) return false;
          throw error;
        }
      }).length,
  );
}

/** How the finance service's key is read with this one. */
async function financeKeyBy(key: string): Promise<string | undefined> {
  const found = await replica(key).connections.read(organizationId);
  return found && 'apiKey' in found ? found.apiKey : undefined;
}

describe('a start with a new key and the one before', () => {
  it('seals everything anew, so that the one before can go', async () => {
    const before = await database.prisma.source.findMany({ orderBy: { id: 'asc' } });
    await replica(NEW, OTHER, OLD).reencryption.start();
    expect(await openedBy(OLD, NEW)).toEqual([0, MANY]);
    expect(await financeKeyBy(NEW)).toBe('the-key');
    await expect(financeKeyBy(OLD)).rejects.toThrow(SealError);
    const after = await database.prisma.source.findMany({ orderBy: { id: 'asc' } });
    expect(after.map(({ secrets: _, ...others }) => others)).toEqual(
      before.map(({ secrets: _, ...others }) => others),
    );
    await replica(NEW).reencryption.start();
  });

  it('seals credentials anew, too', async () => {
    const [id = ''] = ids;
    const sealed = sealCredentials({ accessToken: 'token' }, id, secretsKeysOf(settingsWith(OLD)));
    const credentials = new Uint8Array(sealed);
    await database.prisma.source.update({ where: { id }, data: { credentials } });
    await replica(NEW, OLD).reencryption.start();
    const anew = (await database.prisma.source.findUniqueOrThrow({ where: { id } })).credentials!;
    expect(openCredentials(anew, id, secretsKeysOf(settingsWith(NEW)))).toEqual({ accessToken: 'token' });
    expect(() => openCredentials(anew, id, secretsKeysOf(settingsWith(OLD)))).toThrow(SealError);
    expect(() => openSecrets(anew, id, secretsKeysOf(settingsWith(NEW)))).toThrow(SealError);
  });

  it("seals the keys of organizations' documents anew, too", async () => {
    const key = await documentKeysOn(database, settingsWith(OLD)).of(organizationId);
    expect(key).toHaveLength(32);
    await replica(NEW, OLD).reencryption.start();
    expect(await documentKeysOn(database, settingsWith(NEW)).of(organizationId)).toEqual(key);
    await expect(documentKeysOn(database, settingsWith(OLD)).of(organizationId)).rejects.toThrow(SealError);
  });

  it('seals access tokens anew, too', async () => {
    const [sourceId = ''] = ids;
    const grant = { accessToken: 'token', usableUntil: 1, grantedFor: 'these' };
    const granted = new Uint8Array(sealGrant(grant, sourceId, secretsKeysOf(settingsWith(OLD))));
    await database.prisma.sourceAccess.create({ data: { sourceId, granted } });
    await replica(NEW, OLD).reencryption.start();
    const anew = (await database.prisma.sourceAccess.findUniqueOrThrow({ where: { sourceId } })).granted!;
    expect(openGrant(anew, sourceId, secretsKeysOf(settingsWith(NEW)))).toEqual(grant);
  });

  it('leaves alone what the new one has sealed', async () => {
    await replica(NEW, OLD).reencryption.start();
    const once = await database.prisma.source.findMany({ orderBy: { id: 'asc' } });
    await replica(NEW, OLD).reencryption.start();
    expect(await database.prisma.source.findMany({ orderBy: { id: 'asc' } })).toEqual(once);
  });

  it('does the same however many replicas do it at once', async () => {
    await Promise.all([1, 2, 3].map(() => replica(NEW, OLD).reencryption.start()));
    expect(await openedBy(OLD, NEW)).toEqual([0, MANY]);
  });

  it('goes on where one was killed halfway, back or forth', async () => {
    const { settings, connections, endpoints } = replica(NEW, OLD);
    let left = MANY / 2;
    class Killed extends SourcesRepository {
      override replaceSealed(record: SealedRecord, anew: Uint8Array): Promise<boolean> {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return super.replaceSealed(record, anew);
      }
    }
    const halfway = new SecretReencryption(
      settings,
      new Killed(database),
      new SourceCredentials(database),
      new SourceAccess(database),
      connections,
      endpoints,
      new ErasureRequests(database, settings),
      documentKeysOn(database, settings),
    );
    await expect(halfway.start()).rejects.toThrow('killed');
    expect(await openedBy(OLD, NEW)).toEqual([MANY / 2, MANY / 2]);
    await expect(replica(NEW).reencryption.start()).rejects.toThrow(SealError);
    await expect(replica(OLD).reencryption.start()).rejects.toThrow(SealError);
    await replica(OLD, NEW).reencryption.start();
    expect(await openedBy(OLD, NEW)).toEqual([MANY, 0]);
    await replica(NEW, OLD).reencryption.start();
    expect(await openedBy(OLD, NEW)).toEqual([0, MANY]);
  });

  it('does not undo what somebody changes meanwhile', async () => {
    const [id = ''] = ids;
    const { settings, connections, endpoints } = replica(NEW, OLD);
    class Meddled extends SourcesRepository {
      override async replaceSealed(record: SealedRecord, anew: Uint8Array): Promise<boolean> {
        if (record.id === id) {
          const secrets = new Uint8Array(sealSecrets(['changed'], id, secretsKeysOf(settingsWith(OLD))));
          await database.prisma.source.update({ where: { id }, data: { secrets } });
        }
        return super.replaceSealed(record, anew);
      }
    }
    await new SecretReencryption(
      settings,
      new Meddled(database),
      new SourceCredentials(database),
      new SourceAccess(database),
      connections,
      endpoints,
      new ErasureRequests(database, settings),
      documentKeysOn(database, settings),
    ).start();
    const { secrets } = await database.prisma.source.findUniqueOrThrow({ where: { id } });
    expect(openSecrets(secrets!, id, secretsKeysOf(settings))).toEqual(['changed']);
  });

  it('learns later what a replica with the old key has sealed meanwhile, without being stopped by what nobody can open', async () => {
    const { reencryption } = replica(NEW, OLD);
    await reencryption.start();
    const [first = '', second = ''] = ids;
    await database.prisma.source.update({ where: { id: first }, data: { secrets: secretsOf(first, OTHER) } });
    await database.prisma.source.update({ where: { id: second }, data: { secrets: secretsOf(second, OLD) } });
    await reencryption.run();
    expect(await openedBy(OLD, NEW, OTHER)).toEqual([0, MANY - 1, 1]);
  });
});

describe('a start with the wrong key', () => {
  it.each<[string, string, string[]]>([
    ['another one', OTHER, []],
    ['a new one without the one before', NEW, []],
    ['a new one and a wrong one before', NEW, [OTHER]],
  ])('is refused in one line and changes nothing: %s', async (_, current, previous) => {
    const start = replica(current, ...previous).reencryption.start();
    await expect(start).rejects.toThrow(SealError);
    await expect(start).rejects.toThrow(
      /^the secrets of a source cannot be decrypted: SECRETS_KEY is not the one .*SECRETS_KEY_PREVIOUS$/,
    );
    expect(await openedBy(OLD)).toEqual([MANY]);
  });

  it('is refused for the key of a finance service alone', async () => {
    await database.prisma.source.deleteMany();
    await expect(replica(OTHER).reencryption.start()).rejects.toThrow(/^the keys of finance services cannot/);
  });

  it('is accepted once what it cannot open is forgotten, as the page says', async () => {
    await sealOneOfEach();
    const page = readFileSync(join(__dirname, '../../docs/secrets-key.md'), 'utf8');
    const [, statements = ''] = /^## When the key is lost[^]*?```text\n([^]*?)```/m.exec(page) ?? [];
    const lines = statements.trim().split('\n');
    expect(lines).toHaveLength(6);
    for (const [index, statement] of lines.entries()) {
      await expect(replica(OTHER).reencryption.start()).rejects.toThrow(SealError);
      expect([index, await database.prisma.$executeRawUnsafe(statement)]).not.toEqual([index, 0]);
    }
    await replica(OTHER).reencryption.start();
  });

  /** Beside the secrets of sources, the key of a finance service and that of the organization. */
  async function sealOneOfEach(): Promise<void> {
    const [sourceId = ''] = ids;
    const keys = secretsKeysOf(settingsWith(OLD));
    const grant = { accessToken: 'token', usableUntil: 1, grantedFor: 'these' };
    const granted = new Uint8Array(sealGrant(grant, sourceId, keys));
    await database.prisma.sourceAccess.create({ data: { sourceId, granted } });
    const settings = settingsWith(OLD);
    const now = new Date();
    const erasure = { organizationId, person: { document: '52998224725' }, requestedBy: newId() };
    await database.transaction((tx) => new ErasureRequests(database, settings).add(tx, erasure, now));
    const endpoint = { name: 'partner', url: 'https://partner.example/hook', secrets: ['secret'] };
    const endpoints = new NotificationEndpoints(database, settings);
    await endpoints.create(database.prisma, organizationId, endpoint, now);
  }
});

it('the page keeps the key before where its commands are typed again after a start that ended early', () => {
  const page = readFileSync(join(__dirname, '../../docs/secrets-key.md'), 'utf8');
  const [, commands = ''] = /^## With the embedded database[^]*?```text\n([^]*?)```/m.exec(page) ?? [];
  const [moving = ''] = commands.split('\n');
  const folder = mkdtempSync(join(tmpdir(), 'ponte-key-'));
  try {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data/secrets.key'), OLD);
    execFileSync('sh', ['-c', moving], { cwd: folder });
    writeFileSync(join(folder, 'data/secrets.key'), NEW);
    execFileSync('sh', ['-c', moving], { cwd: folder });
    expect(readFileSync(join(folder, 'data/secrets.key.previous'), 'utf8')).toBe(OLD);
    expect(readFileSync(join(folder, 'data/secrets.key'), 'utf8')).toBe(NEW);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the page lets the embedded database forget what a lost key encrypted', async () => {
  const page = readFileSync(join(__dirname, '../../docs/secrets-key.md'), 'utf8');
  const [, statements = '', command = ''] =
    /^## When the key is lost[^]*?```text\n([^]*?)```[^]*?```sh\n([^]*?)```/m.exec(page) ?? [];
  const { dataDir, drop } = await embeddedDataDir();
  const folder = dirname(dataDir);
  try {
    symlinkSync(join(__dirname, '../../node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'forget.sql'), statements);
    const made = await PgliteDatabase.open(dataDir);
    const { id } = await organizationsOn(made).create({
      slug: 'padaria',
      name: 'Padaria',
      timeZone: 'America/Sao_Paulo',
      currency: 'BRL',
    });
    expect(await made.prisma.organization.count({ where: { documentKey: null } })).toBe(0);
    await made.close();
    execFileSync('sh', ['-c', command], { cwd: folder });
    const forgotten = await PgliteDatabase.open(dataDir);
    const { documentKey } = await forgotten.prisma.organization.findUniqueOrThrow({ where: { id } });
    await forgotten.close();
    expect(documentKey).toBeNull();
  } finally {
    await drop();
  }
}, 60_000);
