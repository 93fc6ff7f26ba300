import type { Database } from '../src/database/database';
import { BalanceRollup } from '../src/finance/embedded/accounts/balance-rollup';
import { OverdueRun } from '../src/finance/embedded/schedules/overdue-run';
import { newId } from '../src/kernel/identifier';
import { migrateUpTo } from './support/earlier-migrations';
import { type EmptyDatabase, openEmptyDatabase } from './support/empty-database';
import { UnreadChanges } from './support/feed-changes';
import { SettableClock } from './support/settable-clock';

/*
 * The version before found the changes of the embedded books by polling their listings. Its rows are planted as it wrote
 * them at noon of 9 March 2026 in São Paulo, and the migration runs on the day after.
 */

const NIL_ID = '00000000-0000-0000-0000-000000000000';
const POLLED_AT = '2026-03-09T15:00:00Z';
const EMBEDDED = 'embedded';

/** Polled completely; whose first poll was under way; kept by a remote service. */
const [polled, begun, remote] = [newId(), newId(), newId()];
const accountId = newId();
const customerId = newId();
const [announced, movedDue, paid, sinceThePoll, dueThen, overdueBefore, elsewhere] = Array.from(
  { length: 7 },
  newId,
) as [string, string, string, string, string, string, string];

let empty: EmptyDatabase;
let database: Database;
let feed: UnreadChanges;
const clock = new SettableClock('2026-03-10T15:00:00Z');

beforeAll(async () => {
  empty = await openEmptyDatabase();
  await migrateUpTo(empty.target, '20261123140000_embedded_announcements');
  await empty.target.transaction(async ({ rows }) => {
    await rows(
      `insert into organization (id, slug, name, time_zone, currency)
      select id, 'company-' || place, 'Company', 'America/Sao_Paulo', 'BRL'
      from unnest($1::uuid[]) with ordinality as o(id, place)`,
      [[polled, begun, remote]],
    );
    await rows(
      `insert into stakeholder (id, organization_id, kind, name)
      select gen_random_uuid(), o, 'customer', 'Ana' from unnest($1::uuid[]) as o`,
      [[polled, begun]],
    );
    const schedule = (organization: string, id: string, kind: string, due: string, open = 100) =>
      rows(
        `insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor,
          schedule_date, accrual_date, due_date, group_id)
        select $1::uuid, s.organization_id, $2::schedule_kind, s.id, 'S', 100, $3::bigint, $4::date, $4::date, $4::date,
          $1::uuid
        from stakeholder s where s.organization_id = $5::uuid`,
        [id, kind, open, due, organization],
      );
    await schedule(polled, announced, 'credit', '2026-03-05');
    await schedule(polled, movedDue, 'credit', '2026-03-06');
    await schedule(polled, paid, 'debit', '2026-03-05', 0);
    await schedule(polled, sinceThePoll, 'debit', '2026-03-08');
    await schedule(polled, dueThen, 'debit', '2026-03-09');
    await schedule(begun, overdueBefore, 'credit', '2026-03-05');

    const turn = (organization: string, kind: string, service: string | null, lookedAt: string | null) =>
      rows(
        `insert into watch_turn (organization_id, kind, due_at, service, looked_at, mark, created_at)
        values ($1::uuid, $2, $3::timestamptz, $4, $5::timestamptz, 7, $3::timestamptz)`,
        [organization, kind, POLLED_AT, service, lookedAt],
      );
    const kinds = ['accounts', 'balances', 'cost-centers', 'debit-schedules', 'overdue-credit'];
    for (const kind of [...kinds, 'customer-schedules']) {
      await turn(polled, kind, EMBEDDED, POLLED_AT);
      await turn(begun, kind, EMBEDDED, kind === 'debit-schedules' ? null : POLLED_AT);
      await turn(remote, kind, 'a-service', POLLED_AT);
    }
    const record = (organization: string, kind: string, id: string, toldDue: string | null, scope = NIL_ID) =>
      rows(
        `insert into watch_record (organization_id, kind, record_id, scope_id, digest, data, told_due)
        values ($1::uuid, $2, $3::uuid, $4::uuid, 'd', '{"balance": 100}', $5::date)`,
        [organization, kind, id, scope, toldDue],
      );
    await record(polled, 'overdue-credit', announced, '2026-03-05');
    await record(polled, 'customer-schedules', announced, null, customerId);
    await record(polled, 'overdue-credit', movedDue, '2026-03-01');
    await record(polled, 'debit-schedules', paid, '2026-03-05');
    await record(polled, 'debit-schedules', dueThen, null);
    await record(polled, 'balances', accountId, null);
    await record(begun, 'overdue-credit', overdueBefore, '2026-03-05');
    await record(remote, 'overdue-credit', elsewhere, '2026-03-05');
    for (const organization of [polled, begun, remote]) {
      await rows(
        `insert into watch_customer (organization_id, customer_id, baseline, tried_at)
        values ($1::uuid, $2::uuid, true, $3::timestamptz)`,
        [organization, customerId, POLLED_AT],
      );
      await rows(
        `insert into watch_staged (organization_id, kind, record_id, scope_id, digest)
        values ($1::uuid, 'accounts', $2::uuid, $3::uuid, 'd')`,
        [organization, accountId, NIL_ID],
      );
    }
    await rows(
      `insert into account (id, organization_id, name, open_balance_minor, opened_on)
      values ($1::uuid, $2::uuid, 'Main', 0, '2026-01-01')`,
      [accountId, polled],
    );
    await rows(`insert into account_balance (account_id, balance_minor) values ($1::uuid, 10000)`, [
      accountId,
    ]);
    await rows(`insert into account_balance_delta (account_id, delta_minor) values ($1::uuid, 500)`, [
      accountId,
    ]);
  });
  database = await empty.migrated();
  feed = new UnreadChanges(database);
});
afterAll(async () => {
  await database.close();
  await empty.close();
});

const overdueLines = async (organizationId: string) => (await feed.nextLines(organizationId)).sort();
const overdue = (...ids: string[]) => ids.map((id) => `schedule.overdue schedule/${id}`).sort();

describe('what polling the embedded books knew', () => {
  it('keeps announced what was, and announces the rest of what is overdue, each once', async () => {
    const run = new OverdueRun(database, clock);
    await run.announce();
    expect(await overdueLines(polled)).toEqual(overdue(movedDue, sinceThePoll, dueThen));
    await new OverdueRun(database, clock).announce();
    // A payment is taken back, and the receivable is due again on the day for which it was announced.
    await database.prisma.schedule.update({ where: { id: paid }, data: { openMinor: 100n } });
    clock.set('2026-03-11T15:00:00Z');
    await run.announce();
    expect(await overdueLines(polled)).toEqual([]);
  });

  it('does not announce what was overdue before an organization was polled completely', async () => {
    expect(await overdueLines(begun)).toEqual([]);
    const debit = await database.prisma.schedule.findUniqueOrThrow({ where: { id: overdueBefore } });
    const later = { ...debit, id: newId(), dueDate: new Date('2026-03-11') };
    await database.prisma.schedule.create({ data: later });
    clock.set('2026-03-12T15:00:00Z');
    await new OverdueRun(database, clock).announce();
    expect(await overdueLines(begun)).toEqual(overdue(later.id));
  });

  it('takes the balance of then for announced, and announces the next one with what it was', async () => {
    const rollup = new BalanceRollup(database, clock);
    await rollup.rollUp();
    expect(await feed.next(polled)).toEqual([]);
    await database.prisma.accountBalanceDelta.create({ data: { accountId, deltaMinor: 100n } });
    await rollup.rollUp();
    await rollup.rollUp();
    expect(await feed.next(polled)).toEqual([
      expect.objectContaining({
        type: 'balance.changed',
        subject: `account/${accountId}`,
        data: expect.objectContaining({ balance: 106, balanceBefore: 105 }),
      }),
    ]);
  });

  it('is gone, and that of a remote service stays', async () => {
    const { pollLease, observedRecord, polledCustomer, stagedObservation } = database.prisma;
    const owners = async (rows: Promise<{ organizationId: string }[]>) => [
      ...new Set((await rows).map(({ organizationId }) => organizationId)),
    ];
    expect([
      await owners(pollLease.findMany()),
      await owners(observedRecord.findMany()),
      await owners(polledCustomer.findMany()),
      await owners(stagedObservation.findMany()),
    ]).toEqual([[remote], [remote], [remote], [remote]]);
    expect(await pollLease.count()).toBe(6);
    const noted = await database.prisma.$queryRaw<unknown[]>`
      select 1 from overdue_announcement where schedule_id = ${elsewhere}::uuid`;
    expect(noted).toEqual([]);
  });
});
