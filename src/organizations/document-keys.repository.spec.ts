import { openTestDatabase } from '../../test/support/database';
import { documentKeysOn, organizationsOn } from '../../test/support/organizations';
import { SealError } from '../config/sealing';
import { Settings } from '../config/settings';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';

const settingsWith = (...keys: number[]): Settings => {
  const [current = '', ...previous] = keys.map((fill) => Buffer.alloc(32, fill).toString('base64'));
  return new Settings({ SECRETS_KEY: current, SECRETS_KEY_PREVIOUS: previous.join() });
};

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function found(way: 'create' | 'upsert' = 'create'): Promise<string> {
  const organization = { slug: `org-${newId()}`, name: 'A', timeZone: 'America/Sao_Paulo', currency: 'BRL' };
  const made = await organizationsOn(database, settingsWith(1))[way](organization);
  return made.id;
}

describe('the key of an organization', () => {
  it.each(['create', 'upsert'] as const)('is made with it, by %s, and is nobody else’s', async (way) => {
    const [one, other] = [await found(way), await found(way)];
    const keys = documentKeysOn(database, settingsWith(1));
    const key = await keys.of(one);
    expect(key).toHaveLength(32);
    expect(await keys.of(other)).not.toEqual(key);
    expect(await documentKeysOn(database, settingsWith(2, 1)).of(one)).toEqual(key);
    const all = await keys.all();
    expect([all.get(one), all.get(other)]).toEqual([key, await keys.of(other)]);
  });

  it('stays when configuration is read again', async () => {
    const organizations = organizationsOn(database, settingsWith(1));
    const organization = {
      slug: `org-${newId()}`,
      name: 'A',
      timeZone: 'America/Sao_Paulo',
      currency: 'BRL',
    };
    const { id } = await organizations.upsert(organization);
    const key = await documentKeysOn(database, settingsWith(1)).of(id);
    await organizations.upsert({ ...organization, name: 'B' });
    expect(await documentKeysOn(database, settingsWith(1)).of(id)).toEqual(key);
  });

  it('is stored nowhere as it is, and opens for its own organization alone', async () => {
    const [one, other] = [await found(), await found()];
    const key = await documentKeysOn(database, settingsWith(1)).of(one);
    const { documentKey } = await database.prisma.organization.findUniqueOrThrow({ where: { id: one } });
    expect(Buffer.from(documentKey ?? []).includes(Buffer.from(key ?? []))).toBe(false);
    await database.prisma.organization.update({ where: { id: other }, data: { documentKey } });
    await expect(documentKeysOn(database, settingsWith(1)).of(other)).rejects.toThrow(SealError);
  });

  it('is not there for an organization of an earlier version, and for none', async () => {
    const id = await found();
    await database.prisma.organization.update({ where: { id }, data: { documentKey: null } });
    const keys = documentKeysOn(database, settingsWith(1));
    expect([await keys.of(id), await keys.of(newId()), (await keys.all()).has(id)]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  it('is said to be unreadable where SECRETS_KEY is another, unless it was read before', async () => {
    const [known, later] = [await found(), await found()];
    const keys = documentKeysOn(database, settingsWith(1));
    const key = await keys.of(known);
    for (const id of [known, later]) {
      const documentKey = documentKeysOn(database, settingsWith(2)).make(id);
      await database.prisma.organization.update({ where: { id }, data: { documentKey } });
    }
    const all = await keys.all();
    expect([all.get(known), all.get(later)]).toEqual([key, expect.any(SealError)]);
    await expect(keys.of(later)).rejects.toThrow(
      /^the key of an organization's documents cannot be decrypted/,
    );
  });
});
