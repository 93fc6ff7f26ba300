import { SchedulesPort } from '../../src/finance/api/ports/schedules.port';
import { ListingReader } from '../../src/finance/change-detection/listing-reader';
import { LISTING_KINDS } from '../../src/finance/change-detection/observation';
import { type PollLease, PollLeases } from '../../src/finance/change-detection/poll-leases.repository';
import { newId } from '../../src/kernel/identifier';
import { receiptEffect } from '../support/company';
import { WatchedRemote } from '../support/watched-remote';
import type { Watching } from '../support/watching';

/** The gauge, as a scrape has it. */
async function ageOf({ testing }: Watching): Promise<number> {
  const { text } = await testing.http.get('/metrics').expect(200);
  return Number(/^ponte_watch_age_seconds (.*)$/m.exec(text)?.[1]);
}

/** Customers who owe 100.00 each, so many times, due on as many days: made by the one that polls, kept by the other. */
async function receivables(remote: WatchedRemote, customers: number, each = 1): Promise<void> {
  const { database, organization } = remote.company;
  const made = await database.prisma.$queryRaw<{ id: string; customer: string }[]>`
    with made as (
      insert into stakeholder (id, organization_id, kind, name)
      select gen_random_uuid(), ${organization.id}::uuid, 'customer', 'C' || n from generate_series(1, ${customers}::int) n
      returning id
    )
    insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor, schedule_date,
      accrual_date, due_date, group_id)
    select gen_random_uuid(), ${organization.id}::uuid, 'credit', made.id, 'S', 10000, 10000, '2026-01-01', '2030-01-01',
      date '2030-01-01' + m, gen_random_uuid()
    from made, generate_series(1, ${each}::int) m
    returning id::text as id, stakeholder_id::text as customer`;
  await remote.watching.testing.database.prisma.$executeRaw`
    insert into remote_schedule (organization_id, schedule_id, stakeholder_id)
    select ${remote.organization.id}::uuid, m.id, m.customer
    from unnest(${made.map(({ id }) => id)}::uuid[], ${made.map(({ customer }) => customer)}::uuid[]) as m(id, customer)`;
}

/** Customers whose schedules were read, in the order in which they were. */
function visitsOf({ testing }: Watching): string[] {
  const reader = testing.app.get(ListingReader);
  const read = reader.schedulesOf.bind(reader);
  const visits: string[] = [];
  reader.schedulesOf = async (place, organization, customerId, skip, signal) => {
    if (skip === 0) visits.push(customerId);
    return read(place, organization, customerId, skip, signal);
  };
  return visits;
}

describe('turns to look', () => {
  it('are of every organization and kind, and their oldest look has an age', async () => {
    const remote = await WatchedRemote.open();
    const { watching } = remote;
    expect(await ageOf(watching)).toBe(0);
    await watching.look();
    const turns = await watching.testing.database.prisma.pollLease.findMany();
    expect(turns.map(({ kind }) => kind).sort()).toEqual([...LISTING_KINDS].sort());
    watching.pass(1_000);
    expect(await ageOf(watching)).toBe(1_000);
    await watching.look(0);
    expect(await ageOf(watching)).toBe(0);
    const port = watching.testing.app.get(SchedulesPort);
    port.listDebit = async () => Promise.reject(new Error('broken'));
    await watching.look(500);
    expect(await ageOf(watching)).toBe(500);
    await remote.close();
  });

  it('are given back by a process that is told to stop, and nobody waits for their leases', async () => {
    const remote = await WatchedRemote.open();
    const { watching } = remote;
    const { database } = watching.testing;
    await receivables(remote, 40);
    await watching.watch.tick();
    watching.pass(10);
    const reader = watching.testing.app.get(ListingReader);
    const read = reader.schedulesOf.bind(reader);
    const reading = new Promise<void>((resolve) => {
      reader.schedulesOf = async (...args) => {
        resolve();
        return read(...args);
      };
    });
    await watching.watch.tick();
    await reading;
    await watching.watch.beforeApplicationShutdown();
    const held = await database.prisma.pollLease.count({ where: { leaseUntil: { not: null } } });
    const visited = await database.prisma.watchCustomer.count({ where: { lookedAt: { not: null } } });
    expect([held, visited < 40]).toEqual([0, true]);
    await remote.close();
  });

  it.each([
    ['WATCH_EVERY is 0', { WATCH_EVERY: '0' }],
    ['the replica only answers', { ROLE: 'api', DATABASE_URL: 'postgresql://x' }],
  ])('are not taken where %s', async (_name, env) => {
    const remote = await WatchedRemote.open(0, { env });
    const { watching } = remote;
    await watching.watch.tick();
    expect([await watching.testing.database.prisma.pollLease.count(), await ageOf(watching)]).toEqual([0, 0]);
    await remote.close();
  });

  it('visit customers in rotation, each after an interval, some in each turn', async () => {
    const remote = await WatchedRemote.open();
    const { watching } = remote;
    await receivables(remote, 60);
    const visits = visitsOf(watching);
    await watching.look();
    expect([visits.length, new Set(visits).size]).toEqual([60, 60]);
    const { number } = await watching.testing.database.prisma.pollLease.findFirstOrThrow({
      where: { kind: 'customer-schedules' },
    });
    expect(number).toBe(2n);
    await watching.look(299);
    expect(visits.length).toBe(60);
    await watching.look(2);
    expect(visits.length).toBe(120);
    await remote.close();
  });

  it('announce what became of receivables, and what is missing when it was looked for once more', async () => {
    const remote = await WatchedRemote.open();
    const { watching, company, organization } = remote;
    await receivables(remote, 5);
    await watching.look();
    await watching.news(organization.id);
    const { prisma } = company.database;
    const [paid, changed, removed] = await prisma.schedule.findMany({
      where: { organizationId: company.organization.id },
    });
    await company.apply(receiptEffect(newId(), { schedules: [paid!.id], value: '100.00' }));
    await prisma.schedule.update({ where: { id: changed!.id }, data: { description: 'Other' } });
    await prisma.schedule.delete({ where: { id: removed!.id } });
    const announced = async () =>
      (await watching.headlines(organization.id)).filter((line) => line.startsWith('schedule.')).sort();
    await watching.look();
    expect(await announced()).toEqual([
      `schedule.changed schedule/${changed!.id}`,
      `schedule.paid schedule/${paid!.id}`,
    ]);
    await watching.look();
    expect(await announced()).toEqual([`schedule.removed schedule/${removed!.id}`]);
    await watching.look();
    expect(await announced()).toEqual([]);
    await remote.close();
  });

  it('read a customer page by page', async () => {
    const remote = await WatchedRemote.open();
    await receivables(remote, 1, 600);
    await remote.watching.look();
    const { prisma } = remote.watching.testing.database;
    expect(await prisma.watchRecord.count({ where: { kind: 'customer-schedules' } })).toBe(600);
    expect(await prisma.watchCustomer.count({ where: { lookedAt: { not: null } } })).toBe(1);
    await remote.close();
  });

  it('go on behind a customer whose schedules cannot be read', async () => {
    const remote = await WatchedRemote.open();
    const { watching } = remote;
    await receivables(remote, 3);
    const reader = watching.testing.app.get(ListingReader);
    const read = reader.schedulesOf.bind(reader);
    let poisoned: string | undefined;
    reader.schedulesOf = async (place, organization, customerId, ...rest) => {
      poisoned ??= customerId;
      if (customerId === poisoned) throw new Error('broken');
      return read(place, organization, customerId, ...rest);
    };
    await watching.look();
    await watching.look();
    const seen = await watching.testing.database.prisma.watchCustomer.findMany({
      where: { lookedAt: { not: null } },
    });
    expect([seen.length, seen.some(({ customerId }) => customerId === poisoned)]).toEqual([2, false]);
    await remote.close();
  });

  it('write nothing when another has taken them over meanwhile', async () => {
    const remote = await WatchedRemote.open();
    const { watching } = remote;
    await watching.look();
    watching.pass(301);
    const leases = watching.testing.app.get(PollLeases);
    const mine = await leases.take(watching.clock.now());
    expect(await leases.take(watching.clock.now())).toBeUndefined();
    watching.pass(121);
    const others = await leases.take(watching.clock.now());
    expect({ ...others, number: mine!.number }).toEqual(mine);
    const hold = (lease: PollLease) => watching.testing.database.transaction((tx) => leases.hold(tx, lease));
    await expect(hold(mine!)).rejects.toThrow('taken the turn over');
    expect(await hold(others!)).toMatchObject({ service: expect.any(String) });
    await remote.close();
  });

  it('are of organizations that are connected, at a tenth of the rate of their service', async () => {
    const remote = await WatchedRemote.open();
    const { watching, organization } = remote;
    const stranger = await watching.testing.makeOrganization();
    await watching.ready();
    const turns = await watching.testing.database.prisma.pollLease.findMany();
    expect(new Set(turns.map(({ organizationId }) => organizationId))).toEqual(new Set([organization.id]));
    const reader = watching.testing.app.get(ListingReader);
    expect(await reader.placeOf(organization)).toEqual({ service: expect.any(String), spacingMs: 1 });
    await expect(reader.placeOf(stranger)).rejects.toThrow('finance-not-connected');
    await remote.close();
  });
});
