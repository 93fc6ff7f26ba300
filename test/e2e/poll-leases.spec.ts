import { SchedulesPort } from '../../src/finance/api/ports/schedules.port';
import { ListingReader } from '../../src/finance/change-detection/listing-reader';
import { LISTING_KINDS } from '../../src/finance/change-detection/observation';
import { type PollLease, PollLeases } from '../../src/finance/change-detection/poll-leases.repository';
import { newId } from '../../src/kernel/identifier';
import { receiptEffect } from '../support/company';
import { PolledRemote } from '../support/polled-remote';
import type { PollingApp } from '../support/polling-app';
import type { TestingApp } from '../support/testing-app';

/** The gauge, as a scrape has it. */
async function ageOf({ testing }: PollingApp): Promise<number> {
  const { text } = await testing.http.get('/metrics').expect(200);
  return Number(/^ponte_watch_age_seconds (.*)$/m.exec(text)?.[1]);
}

/** Customers who owe 100.00 each, so many times, due on as many days: made by the one that polls, kept by the other. */
async function receivables(remote: PolledRemote, customers: number, each = 1): Promise<void> {
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
  await remote.app.testing.database.prisma.$executeRaw`
    insert into remote_schedule (organization_id, schedule_id, stakeholder_id)
    select ${remote.organization.id}::uuid, m.id, m.customer
    from unnest(${made.map(({ id }) => id)}::uuid[], ${made.map(({ customer }) => customer)}::uuid[]) as m(id, customer)`;
}

/** Customers whose schedules were read, in the order in which they were. */
function customersRead({ testing }: PollingApp): string[] {
  const reader = testing.app.get(ListingReader);
  const read = reader.schedulesOf.bind(reader);
  const polled: string[] = [];
  reader.schedulesOf = async (place, organization, customerId, skip, signal) => {
    if (skip === 0) polled.push(customerId);
    return read(place, organization, customerId, skip, signal);
  };
  return polled;
}

describe('poll leases', () => {
  let books: TestingApp;

  beforeAll(async () => {
    books = await PolledRemote.serveBooks();
  });
  afterAll(() => books.close());

  it('are of every organization and kind, and their oldest poll has an age', async () => {
    const remote = await PolledRemote.open(0, {}, books);
    const { app } = remote;
    expect(await ageOf(app)).toBe(0);
    await app.poll();
    const leases = await app.testing.database.prisma.pollLease.findMany();
    expect(leases.map(({ kind }) => kind).sort()).toEqual([...LISTING_KINDS].sort());
    app.pass(1_000);
    expect(await ageOf(app)).toBe(1_000);
    await app.poll(0);
    expect(await ageOf(app)).toBe(0);
    const port = app.testing.app.get(SchedulesPort);
    port.listDebit = async () => Promise.reject(new Error('broken'));
    await app.poll(500);
    expect(await ageOf(app)).toBe(500);
    await remote.close();
  });

  it('are given back by a process that is stopped, and nobody waits for their leases', async () => {
    const remote = await PolledRemote.open(0, {}, books);
    const { app } = remote;
    const { database } = app.testing;
    await receivables(remote, 40);
    await app.detector.tick();
    app.pass(10);
    const reader = app.testing.app.get(ListingReader);
    const read = reader.schedulesOf.bind(reader);
    const reading = new Promise<void>((resolve) => {
      reader.schedulesOf = async (...args) => {
        resolve();
        return read(...args);
      };
    });
    await app.detector.tick();
    await reading;
    await app.detector.beforeApplicationShutdown();
    const taken = await database.prisma.pollLease.count({ where: { leaseUntil: { not: null } } });
    const visited = await database.prisma.polledCustomer.count({ where: { polledAt: { not: null } } });
    expect([taken, visited < 40]).toEqual([0, true]);
    await remote.close();
  });

  it.each([
    ['WATCH_EVERY is 0', { WATCH_EVERY: '0' }],
    ['the replica only answers', { ROLE: 'api', DATABASE_URL: 'postgresql://x' }],
  ])('are not taken where %s', async (_name, env) => {
    const remote = await PolledRemote.open(0, { env }, books);
    const { app } = remote;
    await app.detector.tick();
    expect([await app.testing.database.prisma.pollLease.count(), await ageOf(app)]).toEqual([0, 0]);
    await remote.close();
  });

  it('poll customers in rotation, each after an interval, some under each lease', async () => {
    const remote = await PolledRemote.open(0, {}, books);
    const { app } = remote;
    await receivables(remote, 60);
    const polled = customersRead(app);
    await app.poll();
    expect([polled.length, new Set(polled).size]).toEqual([60, 60]);
    const { number } = await app.testing.database.prisma.pollLease.findFirstOrThrow({
      where: { kind: 'customer-schedules' },
    });
    expect(number).toBe(2n);
    await app.poll(299);
    expect(polled.length).toBe(60);
    await app.poll(2);
    expect(polled.length).toBe(120);
    await remote.close();
  });

  it('announce what became of receivables, and what is missing when a second poll did not find it', async () => {
    const remote = await PolledRemote.open(0, {}, books);
    const { app, company, organization } = remote;
    await receivables(remote, 5);
    await app.poll();
    await app.changes(organization.id);
    const { prisma } = company.database;
    const [paid, changed, removed] = await prisma.schedule.findMany({
      where: { organizationId: company.organization.id },
    });
    await company.apply(receiptEffect(newId(), { schedules: [paid!.id], value: '100.00' }));
    await prisma.schedule.update({ where: { id: changed!.id }, data: { description: 'Other' } });
    await prisma.schedule.delete({ where: { id: removed!.id } });
    const announced = async () =>
      (await app.changeLines(organization.id)).filter((line) => line.startsWith('schedule.')).sort();
    await app.poll();
    expect(await announced()).toEqual([
      `schedule.changed schedule/${changed!.id}`,
      `schedule.paid schedule/${paid!.id}`,
    ]);
    await app.poll();
    expect(await announced()).toEqual([`schedule.removed schedule/${removed!.id}`]);
    await app.poll();
    expect(await announced()).toEqual([]);
    await remote.close();
  });

  it('read a customer page by page', async () => {
    const remote = await PolledRemote.open(0, {}, books);
    await receivables(remote, 1, 600);
    await remote.app.poll();
    const { prisma } = remote.app.testing.database;
    expect(await prisma.observedRecord.count({ where: { kind: 'customer-schedules' } })).toBe(600);
    expect(await prisma.polledCustomer.count({ where: { polledAt: { not: null } } })).toBe(1);
    await remote.close();
  });

  it('go on behind a customer whose schedules cannot be read', async () => {
    const remote = await PolledRemote.open(0, {}, books);
    const { app } = remote;
    await receivables(remote, 3);
    const reader = app.testing.app.get(ListingReader);
    const read = reader.schedulesOf.bind(reader);
    let poisoned: string | undefined;
    reader.schedulesOf = async (place, organization, customerId, ...rest) => {
      poisoned ??= customerId;
      if (customerId === poisoned) throw new Error('broken');
      return read(place, organization, customerId, ...rest);
    };
    await app.poll();
    await app.poll();
    const found = await app.testing.database.prisma.polledCustomer.findMany({
      where: { polledAt: { not: null } },
    });
    expect([found.length, found.some(({ customerId }) => customerId === poisoned)]).toEqual([2, false]);
    await remote.close();
  });

  it('write nothing when another has taken them over meanwhile', async () => {
    const remote = await PolledRemote.open(0, {}, books);
    const { app } = remote;
    await app.poll();
    app.pass(301);
    const leases = app.testing.app.get(PollLeases);
    const mine = await leases.take(app.clock.now());
    expect(await leases.take(app.clock.now())).toBeUndefined();
    app.pass(121);
    const others = await leases.take(app.clock.now());
    expect({ ...others, number: mine!.number }).toEqual(mine);
    const lock = (lease: PollLease) => app.testing.database.transaction((tx) => leases.lock(tx, lease));
    await expect(lock(mine!)).rejects.toThrow('taken the lease');
    expect(await lock(others!)).toMatchObject({ service: expect.any(String) });
    await remote.close();
  });

  it('are of organizations that are connected, at a tenth of the rate of their service', async () => {
    const remote = await PolledRemote.open(0, {}, books);
    const { app, organization } = remote;
    const stranger = await app.testing.makeOrganization();
    await app.prepare();
    const leases = await app.testing.database.prisma.pollLease.findMany();
    expect(new Set(leases.map(({ organizationId }) => organizationId))).toEqual(new Set([organization.id]));
    const reader = app.testing.app.get(ListingReader);
    expect(await reader.placeOf(organization)).toEqual({ service: expect.any(String), spacingMs: 1 });
    await expect(reader.placeOf(stranger)).rejects.toThrow('finance-not-connected');
    await remote.close();
  });
});
