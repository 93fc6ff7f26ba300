import { SchedulesPort } from '../../src/finance/api/ports/schedules.port';
import { Comparison } from '../../src/finance/change-detection/comparison';
import { ListingReader } from '../../src/finance/change-detection/listing-reader';
import { LISTING_KINDS } from '../../src/finance/change-detection/observation';
import { newId } from '../../src/kernel/identifier';
import { Company, receiptEffect } from '../support/company';
import { WatchedRemote } from '../support/watched-remote';
import { Watching } from '../support/watching';

/** The gauge, as a scrape has it. */
async function ageOf({ testing }: Watching): Promise<number> {
  const { text } = await testing.http.get('/metrics').expect(200);
  return Number(/^ponte_watch_age_seconds (.*)$/m.exec(text)?.[1]);
}

/** Customers who owe 100.00 each, so many times, due on as many days. */
async function receivables({ database, organization }: Company, customers: number, each = 1): Promise<void> {
  await database.prisma.$executeRaw`
    with made as (
      insert into stakeholder (id, organization_id, kind, name)
      select gen_random_uuid(), ${organization.id}::uuid, 'customer', 'C' || n from generate_series(1, ${customers}::int) n
      returning id
    )
    insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor, schedule_date,
      accrual_date, due_date, group_id)
    select gen_random_uuid(), ${organization.id}::uuid, 'credit', made.id, 'S', 10000, 10000, '2026-01-01', '2030-01-01',
      date '2030-01-01' + m, gen_random_uuid()
    from made, generate_series(1, ${each}::int) m`;
}

/** Customers whose schedules were read, in the order in which they were. */
function visitsOf({ testing }: Watching): string[] {
  const reader = testing.app.get(ListingReader);
  const read = reader.schedulesOfSome.bind(reader);
  const visits: string[] = [];
  reader.schedulesOfSome = async (place, organization, customerIds, signal) => {
    visits.push(...customerIds);
    return read(place, organization, customerIds, signal);
  };
  return visits;
}

describe('turns to look', () => {
  it('are of every organization and kind, and their oldest look has an age', async () => {
    const watching = await Watching.open();
    expect(await ageOf(watching)).toBe(0);
    await Company.found(watching.testing.database);
    await watching.look();
    const turns = await watching.testing.database.prisma.watchTurn.findMany();
    expect(turns.map(({ kind }) => kind).sort()).toEqual([...LISTING_KINDS].sort());
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
    await receivables(company, 40);
    await watching.watch.tick();
    watching.pass(10);
    const reader = watching.testing.app.get(ListingReader);
    const read = reader.schedulesOfSome.bind(reader);
    const reading = new Promise<void>((resolve) => {
      reader.schedulesOfSome = async (...args) => {
        resolve();
        return read(...args);
      };
    });
    await watching.watch.tick();
    await reading;
    await watching.watch.beforeApplicationShutdown();
    const held = await database.prisma.watchTurn.count({ where: { leaseUntil: { not: null } } });
    const visited = await database.prisma.watchCustomer.count({ where: { lookedAt: { not: null } } });
    expect([held, visited < 40]).toEqual([0, true]);
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
    await receivables(company, 900);
    const visits = visitsOf(watching);
    await watching.look();
    expect([visits.length, new Set(visits).size]).toEqual([900, 900]);
    const { number } = await watching.testing.database.prisma.watchTurn.findFirstOrThrow({
      where: { kind: 'customer-schedules' },
    });
    expect(number).toBe(2n);
    await watching.look(299);
    expect(visits.length).toBe(900);
    await watching.look(2);
    expect(visits.length).toBe(1_800);
    await watching.close();
  });

  it('look closer at those customers alone whose receivables are not as they were', async () => {
    const watching = await Watching.open();
    const company = await Company.found(watching.testing.database);
    await receivables(company, 20);
    const comparison = watching.testing.app.get(Comparison);
    const compare = comparison.compare.bind(comparison);
    const closer: string[] = [];
    comparison.compare = async (tx, look, now) => {
      if (look.scope.kind === 'customer-schedules') closer.push(...look.scope.scopeIds);
      return compare(tx, look, now);
    };
    await watching.look();
    expect(new Set(closer).size).toBe(20);
    await watching.news(company.organization.id);
    closer.length = 0;
    const [paid, changed, removed] = await watching.testing.database.prisma.schedule.findMany({
      where: { organizationId: company.organization.id },
      distinct: ['stakeholderId'],
    });
    const { prisma } = watching.testing.database;
    await company.apply(receiptEffect(newId(), { schedules: [paid!.id], value: '100.00' }));
    await prisma.schedule.update({ where: { id: changed!.id }, data: { description: 'Other' } });
    await prisma.schedule.delete({ where: { id: removed!.id } });
    await watching.look();
    const touched = [paid, changed, removed].map((schedule) => schedule!.stakeholderId);
    expect(closer.toSorted()).toEqual(touched.toSorted());
    await watching.look();
    // What was missing is looked for once more, and then told.
    expect(closer.slice(3)).toEqual([removed!.stakeholderId]);
    const told = (await watching.headlines(company.organization.id)).filter((line) =>
      line.startsWith('schedule.'),
    );
    expect(told.toSorted()).toEqual([
      `schedule.changed schedule/${changed!.id}`,
      `schedule.paid schedule/${paid!.id}`,
      `schedule.removed schedule/${removed!.id}`,
    ]);
    closer.length = 0;
    await watching.look();
    expect(closer).toEqual([]);
    await watching.close();
  });

  it('read a customer alone where there is more than a page', async () => {
    const watching = await Watching.open();
    const company = await Company.found(watching.testing.database);
    await receivables(company, 3, 400);
    await watching.look();
    const { prisma } = watching.testing.database;
    expect(await prisma.watchRecord.count({ where: { kind: 'customer-schedules' } })).toBe(1_200);
    expect(await prisma.watchCustomer.count({ where: { lookedAt: { not: null } } })).toBe(3);
    await watching.close();
  });

  it('go on behind a customer whose schedules cannot be read', async () => {
    const watching = await Watching.open();
    const company = await Company.found(watching.testing.database);
    await receivables(company, 3);
    const reader = watching.testing.app.get(ListingReader);
    const [some, one] = [reader.schedulesOfSome.bind(reader), reader.schedulesOf.bind(reader)];
    let poisoned: string | undefined;
    reader.schedulesOfSome = async (place, organization, customerIds, signal) => {
      poisoned ??= customerIds[1];
      if (customerIds.includes(poisoned ?? '')) throw new Error('broken');
      return some(place, organization, customerIds, signal);
    };
    reader.schedulesOf = async (place, organization, customerId, ...rest) => {
      if (customerId === poisoned) throw new Error('broken');
      return one(place, organization, customerId, ...rest);
    };
    await watching.look();
    const seen = await watching.testing.database.prisma.watchCustomer.findMany({
      where: { lookedAt: { not: null } },
    });
    expect([seen.length, seen.some(({ customerId }) => customerId === poisoned)]).toEqual([2, false]);
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
    expect(await reader.placeOf(organization)).toEqual({
      service: expect.any(String),
      spacingMs: 1,
      customersAtOnce: 1,
    });
    await expect(reader.placeOf(stranger)).rejects.toThrow('finance-not-connected');
    await remote.close();
  });
});
