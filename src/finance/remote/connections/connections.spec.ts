import { Logger } from '@nestjs/common';
import { openTestDatabase } from '../../../../test/support/database';
import { TestService } from '../../../../test/support/service';
import { SettableClock } from '../../../../test/support/settable-clock';
import { Settings } from '../../../config/settings';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import { FinanceConnections } from './connections';
import { ConnectionsRepository } from './connections.repository';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function replica(fill: number, baseUrl = 'https://books.example/v1', on = database) {
  const settings = new Settings({
    FINANCE_BACKEND: 'remote',
    FINANCE_BASE_URL: baseUrl,
    SECRETS_KEY: Buffer.alloc(32, fill).toString('base64'),
  });
  const clock = new SettableClock('2026-11-21T12:00:00Z');
  const repository = new ConnectionsRepository(on, settings, clock);
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

describe('the key of a finance service', () => {
  const MOVED = { code: 'finance-not-connected', message: expect.stringContaining('apiKey') as string };

  it.each([
    'https://other.example/v1',
    'https://books.example:8443/v1',
    'https://books.example/v2',
    'https://books.example/v1/more',
  ])('is not used where the environment names another address: %s', async (baseUrl) => {
    const organization = { id: newId() };
    await database.transaction((tx) => replica(1).repository.put(tx, organization.id, {}, 'the-key'));
    const moved = replica(1, baseUrl);
    await expect(moved.connections.of(organization)).rejects.toMatchObject(MOVED);
    expect(await database.transaction((tx) => moved.repository.put(tx, organization.id, {}))).toBe(false);
    await database.transaction((tx) => moved.repository.put(tx, organization.id, {}, 'new-key'));
    moved.connections.forget(organization.id);
    expect(await moved.connections.of(organization)).toMatchObject({ baseUrl, apiKey: 'new-key' });
    await expect(replica(1).connections.of(organization)).rejects.toMatchObject(MOVED);
  });

  it.each(['https://BOOKS.example/v1/', 'https://books.example:443/v1'])(
    'is used where the same address is spelled otherwise: %s',
    async (baseUrl) => {
      const organization = { id: newId() };
      await database.transaction((tx) => replica(1).repository.put(tx, organization.id, {}, 'the-key'));
      expect(await replica(1, baseUrl).connections.of(organization)).toMatchObject({ apiKey: 'the-key' });
    },
  );

  it('that was stored before its address was kept stays with the address it has', async () => {
    const organization = { id: newId() };
    await database.transaction((tx) => replica(1).repository.put(tx, organization.id, {}, 'the-key'));
    const where = { organizationId: organization.id };
    await database.prisma.financeConnection.update({ where, data: { keyAddress: null } });
    expect(await replica(1).connections.of(organization)).toMatchObject({ apiKey: 'the-key' });
    await expect(replica(1, 'https://other.example/v1').connections.of(organization)).rejects.toMatchObject(
      MOVED,
    );
  });

  it('that was stored before its address was kept is asked for at the first change of the address', async () => {
    const organization = { id: newId() };
    const { repository, connections } = replica(1);
    const put = (baseUrl: string, apiKey?: string): Promise<boolean> =>
      database.transaction((tx) => repository.put(tx, organization.id, { baseUrl }, apiKey));
    await put('https://own.example/v1', 'the-key');
    const where = { organizationId: organization.id };
    await database.prisma.financeConnection.update({ where, data: { keyAddress: null } });
    expect(await put('https://other.example/v1')).toBe(false);
    expect(await put('https://own.example/v1/')).toBe(true);
    expect(await connections.of(organization)).toMatchObject({ apiKey: 'the-key' });
  });

  it('that was stored before its address was kept stays with the address of the first start, used or not', async () => {
    const [unused, broken] = [{ id: newId() }, { id: newId() }];
    for (const { id } of [broken, unused])
      await database.transaction((tx) => replica(1).repository.put(tx, id, {}, 'the-key'));
    await database.prisma.financeConnection.updateMany({ data: { keyAddress: null } });
    const where = { organizationId: broken.id };
    await database.prisma.financeConnection.update({ where, data: { settings: { unknown: 1 } } });
    await replica(1).repository.keepKeyAddresses();
    await expect(replica(1, 'https://other.example/v1').connections.of(unused)).rejects.toMatchObject(MOVED);
    expect(await replica(1).connections.of(unused)).toMatchObject({ apiKey: 'the-key' });
  });

  it('that was stored before its address was kept has one once a service has started', async () => {
    const own = await openTestDatabase();
    const where = { organizationId: newId() };
    await own.transaction((tx) =>
      replica(9, undefined, own).repository.put(tx, where.organizationId, {}, 'key'),
    );
    await own.prisma.financeConnection.update({ where, data: { keyAddress: null } });
    const environment = { FINANCE_BACKEND: 'remote', FINANCE_BASE_URL: 'https://books.example/v1' };
    const service = await TestService.start(own, environment);
    const { keyAddress } = await own.prisma.financeConnection.findUniqueOrThrow({ where });
    await service.stop();
    expect(keyAddress).toBe('https://books.example/v1');
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

it('that was put back is said in the log once for each recovery, with the organization and what ends it', async () => {
  const warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const organization = { id: newId() };
  const { repository, connections } = replica(1);
  await database.transaction((tx) => repository.put(tx, organization.id, {}, 'the-key'));
  for (const instant of ['2026-11-21T03:00:00Z', '2026-11-21T04:00:00Z']) {
    const recoveredAt = new Date(instant);
    await database.transaction((tx) => repository.setRecoveredAt(tx, organization.id, recoveredAt));
    for (let read = 0; read < 2; read += 1) {
      connections.forget(organization.id);
      expect(await connections.of(organization)).toMatchObject({ recoveredAt });
    }
    const msg = expect.stringContaining('ponte finance end-recovery');
    expect(warnings.mock.calls).toEqual([[{ msg, organization: organization.id, recoveredAt }]]);
    warnings.mockClear();
  }
});
