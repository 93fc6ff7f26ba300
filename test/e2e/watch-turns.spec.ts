import { SchedulesPort } from '../../src/finance/schedules/schedules.port';
import { ListingReader } from '../../src/finance/watch/listing-reader';
import { WATCH_KINDS } from '../../src/finance/watch/watched';
import { Company } from '../support/company';
import { WatchedRemote } from '../support/watched-remote';
import { Watching } from '../support/watching';

/** The gauge, as a scrape has it. */
async function ageOf({ testing }: Watching): Promise<number> {
  const { text } = await testing.http.get('/metrics').expect(200);
  return Number(/^ponte_watch_age_seconds (.*)$/m.exec(text)?.[1]);
}

describe('turns to look', () => {
  it('are of every organization and kind, and their oldest look has an age', async () => {
    const watching = await Watching.open();
    expect(await ageOf(watching)).toBe(0);
    await Company.found(watching.testing.database);
    await watching.look();
    const turns = await watching.testing.database.prisma.watchTurn.findMany();
    expect(turns.map(({ kind }) => kind).sort()).toEqual([...WATCH_KINDS].sort());
    watching.pass(1_000);
    expect(await ageOf(watching)).toBe(1_000);
    await watching.look(0);
    expect(await ageOf(watching)).toBe(0);
    const port = watching.testing.app.get(SchedulesPort);
    port.listDebit = async () => Promise.reject(new Error('broken'));
    await watching.look(500);
    expect(await ageOf(watching)).toBe(500);
    await watching.close();
  });

  it('are given back by a process that is told to stop, and nobody waits for their leases', async () => {
    const watching = await Watching.open();
    const { database } = watching.testing;
    const company = await Company.found(database);
    for (let count = 0; count < 12; count += 1) {
      await company.schedules({ customer: await company.customer() });
    }
    await watching.watch.tick();
    watching.pass(10);
    const port = watching.testing.app.get(SchedulesPort);
    const list = port.listOfCustomer.bind(port);
    const reading = new Promise<void>((resolve) => {
      port.listOfCustomer = async (...args) => {
        resolve();
        return list(...args);
      };
    });
    await watching.watch.tick();
    await reading;
    await watching.watch.beforeApplicationShutdown();
    const held = await database.prisma.watchTurn.count({ where: { leaseUntil: { not: null } } });
    const visited = await database.prisma.watchCustomer.count({ where: { lookedAt: { not: null } } });
    expect([held, visited < 12]).toEqual([0, true]);
    await watching.close();
  });

  it.each([
    ['WATCH_EVERY is 0', { WATCH_EVERY: '0' }],
    [
      'the replica only answers',
      { ROLE: 'api', DATABASE_URL: 'postgresql://x', SECRETS_KEY: Buffer.alloc(32).toString('base64') },
    ],
  ])('are not taken where %s', async (_name, env) => {
    const watching = await Watching.open({ env });
    await Company.found(watching.testing.database);
    await watching.watch.tick();
    expect([await watching.testing.database.prisma.watchTurn.count(), await ageOf(watching)]).toEqual([0, 0]);
    await watching.close();
  });

  it('visit customers in rotation, each after an interval, some in each turn', async () => {
    const watching = await Watching.open();
    const company = await Company.found(watching.testing.database);
    for (let count = 0; count < 60; count += 1) {
      await company.schedules({ customer: await company.customer() });
    }
    const port = watching.testing.app.get(SchedulesPort);
    const list = port.listOfCustomer.bind(port);
    const visits: string[] = [];
    port.listOfCustomer = async (organization, customerId, request) => {
      visits.push(customerId);
      return list(organization, customerId, request);
    };
    await watching.look();
    expect([visits.length, new Set(visits).size]).toEqual([60, 60]);
    const { number } = await watching.testing.database.prisma.watchTurn.findFirstOrThrow({
      where: { kind: 'customer-schedules' },
    });
    expect(number).toBe(2n);
    await watching.look(299);
    expect(visits.length).toBe(60);
    await watching.look(2);
    expect(visits.length).toBe(120);
    await watching.close();
  });

  it('go on behind a customer whose schedules cannot be read', async () => {
    const watching = await Watching.open();
    const company = await Company.found(watching.testing.database);
    for (let count = 0; count < 3; count += 1) {
      await company.schedules({ customer: await company.customer() });
    }
    const port = watching.testing.app.get(SchedulesPort);
    const list = port.listOfCustomer.bind(port);
    let poisoned: string | undefined;
    port.listOfCustomer = async (organization, customerId, request) => {
      poisoned ??= customerId;
      if (customerId === poisoned) throw new Error('broken');
      return list(organization, customerId, request);
    };
    await watching.look();
    await watching.look();
    const seen = await watching.testing.database.prisma.watchCustomer.count({
      where: { lookedAt: { not: null } },
    });
    expect(seen).toBe(2);
    await watching.close();
  });

  it('of a remote service are of organizations that are connected, at a tenth of their rate', async () => {
    const remote = await WatchedRemote.open();
    const { watching, organization } = remote;
    const stranger = await watching.testing.makeOrganization();
    await watching.ready();
    const turns = await watching.testing.database.prisma.watchTurn.findMany();
    expect(new Set(turns.map(({ organizationId }) => organizationId))).toEqual(new Set([organization.id]));
    const reader = watching.testing.app.get(ListingReader);
    expect(await reader.placeOf(organization)).toEqual({ service: expect.any(String), spacingMs: 1 });
    await expect(reader.placeOf(stranger)).rejects.toThrow('finance-not-connected');
    await remote.close();
  });
});
