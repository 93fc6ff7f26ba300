import { openTestDatabase } from '../../../test/support/database';
import { SettableClock } from '../../../test/support/settable-clock';
import { Settings } from '../../config/settings';
import type { Database } from '../../database/database';
import { newId } from '../../kernel/identifier';
import { FinanceConnections } from './connections';
import { ConnectionsRepository } from './connections.repository';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function replica(fill: number) {
  const settings = new Settings({
    FINANCE_BACKEND: 'remote',
    FINANCE_BASE_URL: 'https://books.example/v1',
    SECRETS_KEY: Buffer.alloc(32, fill).toString('base64'),
  });
  const clock = new SettableClock('2026-11-21T12:00:00Z');
  const repository = new ConnectionsRepository(database, settings, clock);
  return { repository, clock, connections: new FinanceConnections(repository, settings, clock) };
}

describe('the connection of a replica whose SECRETS_KEY another one has replaced', () => {
  const organization = { id: newId() };
  const [old, anew] = [1, 2];

  it('stays as it was, or is waited for where there is none', async () => {
    const running = replica(old);
    await database.transaction((tx) => running.repository.put(tx, organization.id, {}, 'the-key'));
    const before = await running.connections.of(organization);
    await database.transaction((tx) => replica(anew).repository.put(tx, organization.id, {}, 'the-key'));
    for (const instant of ['2026-11-21T12:01:00Z', '2026-11-21T12:02:00Z']) {
      running.clock.set(instant);
      expect(await running.connections.of(organization)).toBe(before);
    }
    await expect(replica(old).connections.of(organization)).rejects.toMatchObject({
      code: 'finance-unreachable',
    });
    expect(await replica(anew).connections.of(organization)).toEqual(before);
  });
});

describe('an organization that nobody has connected yet', () => {
  const NOT_CONNECTED = { code: 'finance-not-connected' };

  it('is not asked for again at once, is known where it is connected, and elsewhere a little later', async () => {
    const organization = { id: newId() };
    const [here, elsewhere] = [replica(1), replica(1)];
    const reads = jest.spyOn(here.repository, 'read');
    for (const { connections } of [here, here, elsewhere])
      await expect(connections.of(organization)).rejects.toMatchObject(NOT_CONNECTED);
    expect(reads).toHaveBeenCalledTimes(1);
    await database.transaction((tx) => here.repository.put(tx, organization.id, {}, 'the-key'));
    here.connections.forget(organization.id);
    const connection = await here.connections.of(organization);
    await expect(elsewhere.connections.of(organization)).rejects.toMatchObject(NOT_CONNECTED);
    elsewhere.clock.set('2026-11-21T12:00:05Z');
    expect(await elsewhere.connections.of(organization)).toEqual(connection);
  });

  it('is connected for whoever asks after it was, though it was being read just before', async () => {
    const organization = { id: newId() };
    const { repository, connections } = replica(1);
    const read = repository.read.bind(repository);
    jest.spyOn(repository, 'read').mockImplementationOnce(async (id) => {
      const found = await read(id);
      await database.transaction((tx) => repository.put(tx, organization.id, {}, 'the-key'));
      connections.forget(organization.id);
      return found;
    });
    await expect(connections.of(organization)).rejects.toMatchObject(NOT_CONNECTED);
    expect(await connections.of(organization)).toMatchObject({ apiKey: 'the-key' });
  });
});
