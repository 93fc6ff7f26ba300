import { openTestDatabase } from '../../test/support/database';
import { organizationsOn } from '../../test/support/organizations';
import { SettingError } from '../config/settings';
import type { Database } from '../database/database';
import { SystemClock } from '../kernel/clock';
import { ApiKeys } from './api-keys';
import { ApiKeysRepository } from './api-keys.repository';
import { OperatorKey } from './operator-key';

const FIRST = 'the-first-key-of-the-operators';
const SECOND = 'the-second-key-of-the-operators';

let database: Database;
let repository: ApiKeysRepository;
let operators: OperatorKey;

beforeAll(async () => {
  database = await openTestDatabase();
  repository = new ApiKeysRepository(database);
  operators = new OperatorKey(database, repository, new SystemClock());
});
beforeEach(() => database.prisma.apiKey.deleteMany());
afterAll(() => database.close());

/** Asked of a process that starts with the key, and remembers no wrong ones. */
const works = async (key: string | undefined): Promise<boolean> =>
  (await new ApiKeys(repository, new SystemClock()).verify(key ?? ''))?.scopes.includes('admin') ?? false;

describe("the operators' key", () => {
  it('is made at the first start, given out once, and kept as a hash only', async () => {
    const made = await operators.ensureOperatorKey({});
    expect(made).toMatch(/^ponte_[\w-]{43}$/);
    expect(await works(made)).toBe(true);
    expect(await operators.ensureOperatorKey({})).toBeUndefined();
    expect(await works(made)).toBe(true);
    const stored = await database.prisma.apiKey.findMany();
    expect(JSON.stringify(stored)).not.toContain(made);
    expect(stored).toHaveLength(1);
    expect(stored[0]?.hash).toHaveLength(32);
  });

  it('is made once however many replicas start together', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => operators.ensureOperatorKey({})));
    expect(made.filter((key) => key !== undefined)).toHaveLength(1);
  });

  it('is the one that is set, and no other', async () => {
    const made = await operators.ensureOperatorKey({});
    expect(await operators.ensureOperatorKey({ adminApiKey: FIRST })).toBeUndefined();
    expect([await works(made), await works(FIRST)]).toEqual([false, true]);
    await operators.ensureOperatorKey({ adminApiKey: SECOND });
    expect([await works(FIRST), await works(SECOND)]).toEqual([false, true]);
  });

  it('can be set back to an earlier one', async () => {
    for (const adminApiKey of [FIRST, SECOND, FIRST]) await operators.ensureOperatorKey({ adminApiKey });
    expect([await works(FIRST), await works(SECOND)]).toEqual([true, false]);
  });

  it('is made anew when the setting is taken away', async () => {
    await operators.ensureOperatorKey({ adminApiKey: FIRST });
    const made = await operators.ensureOperatorKey({});
    expect([await works(FIRST), await works(made)]).toEqual([false, true]);
  });

  it('cannot be the key of an organization, and nothing is changed by trying', async () => {
    const { id } = await organizationsOn(database).create({
      slug: 'main',
      name: 'Main',
      timeZone: 'America/Sao_Paulo',
      currency: 'BRL',
    });
    const { key } = await database.transaction((tx) =>
      new ApiKeys(repository, new SystemClock()).create(tx, id, 'theirs', ['finance:read']),
    );
    const made = await operators.ensureOperatorKey({});
    await expect(operators.ensureOperatorKey({ adminApiKey: key })).rejects.toThrow(SettingError);
    expect([await works(made), await works(key)]).toEqual([true, false]);
  });
});
