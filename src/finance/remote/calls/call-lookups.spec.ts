import { openTestDatabase } from '../../../../test/support/database';
import { planOf, rowsTouched } from '../../../../test/support/plans';
import type { Prisma } from '../../../database/client/client';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { OperationId } from '../../api/operations/operations';
import {
  type Beside,
  dueCalls,
  madeAt,
  makersOf,
  organizationsToReconcile,
  otherReceiptsOf,
  ownReceipts,
  receiptsSince,
  recordsIn,
  twinOnItsWay,
  unsettledReceipt,
} from './call-lookups.repository';

const CALLS = 20_000;
/** Rows that a statement may touch, in all of its steps: what it finds, a few times. */
const FEW = 60;
const NOW = new Date('2026-03-10T15:00:00Z');
const LONG_AGO = new Date('2026-03-10T14:00:00Z');

const organizationId = newId();
let database: Database;

function call(operation: OperationId, content: Omit<Beside['content'], 'operation'> = {}): Beside {
  return { id: newId(), organizationId, content: { operation, ...content } };
}

const run = (sql: string): Promise<number> => database.prisma.$executeRawUnsafe(sql);

/** An identifier that says what it is of and its number. */
const id = (kind: string, number: string): string =>
  `('0000000${kind}-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))`;
const nth = (kind: string, number: number): string =>
  `0000000${kind}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Half of the calls are receivables in two instalments, half are receipts for them, all of one organization. */
async function makeCalls(): Promise<void> {
  await run(`
    insert into finance_call (id, organization_id, effect_key, part, operation, request, state, attempts, next_at,
      output, created_at, updated_at)
    select ${id('a', 'i')}::uuid, '${organizationId}', 'effect/' || i, 1,
      case when i % 2 = 0 then 'schedules.createCredit' else 'receipts.registerForSchedule' end,
      case when i % 2 = 0 then jsonb_build_object('body', jsonb_build_object('stakeholderId', ${id('c', 'i % 500')}))
        else jsonb_build_object('path', jsonb_build_object('ScheduleId', ${id('d', 'i - 1')}), 'body', '{"value":1}'::jsonb)
      end,
      (case when i % ${CALLS / 4} = 1 then 'intended' when i % ${CALLS / 4} = 3 then 'unknown' else 'applied' end)::finance_call_state,
      1, case when i % ${CALLS / 4} in (1, 3) then '${NOW.toISOString()}'::timestamptz end,
      case when i % 2 = 1 then '{}'::jsonb else jsonb_build_object('id', ${id('d', 'i')},
        'all', jsonb_build_array(${id('d', 'i')}, ${id('e', 'i')})) end,
      '${LONG_AGO.toISOString()}', '${NOW.toISOString()}'
    from generate_series(1, ${CALLS}) as i`);
  await run(`insert into finance_attempt (call_id, number, sent_at)
    select id, 1, '${NOW.toISOString()}' from finance_call`);
}

const RECEIPT = call('receipts.registerForSchedule', { path: { ScheduleId: nth('d', CALLS / 2) } });
const CREATION = call('schedules.createCredit', { body: { stakeholderId: nth('c', 1) } });

const STATEMENTS: [string, Prisma.Sql][] = [
  ['the receipt for a schedule that is not settled', unsettledReceipt(RECEIPT)],
  ['the receipts for a schedule since it was read', receiptsSince(RECEIPT, LONG_AGO)],
  ['which receipts there are for a schedule', otherReceiptsOf(RECEIPT)],
  ['all receipts for schedules', ownReceipts(organizationId, [nth('d', 6), nth('d', 8), newId()])],
  ['when a schedule was made', madeAt(organizationId, nth('e', 8))],
  ['who made some records', makersOf(CREATION, [nth('d', 6), nth('e', 8), newId()])],
  ['a twin on its way', twinOnItsWay(CREATION)],
  ['organizations with calls to look for', organizationsToReconcile(NOW)],
  ['calls to look for', dueCalls(organizationId, NOW, 5)],
];

beforeAll(async () => {
  database = await openTestDatabase();
  await run('analyze finance_call');
  await run('analyze finance_attempt');
  await makeCalls();
});
afterAll(() => database.close());

describe.each([
  ['statistics of an empty table', (): Promise<unknown> => Promise.resolve()],
  ['fresh statistics', (): Promise<unknown> => run('analyze')],
])('among all calls that an organization ever made, with %s,', (_name, prepare) => {
  beforeAll(prepare);

  it.each(STATEMENTS)('%s: only what is found is looked at', async (_what, statement) => {
    expect(rowsTouched(await planOf(database.prisma, statement))).toBeLessThan(FEW);
  });
});

describe('what is found', () => {
  const query = <T>(statement: Prisma.Sql): Promise<T[]> => database.prisma.$queryRaw<T[]>(statement);

  it('are the receipts for a schedule that may be in effect, but not the one that asks', async () => {
    const [mine] = await query<{ value: unknown; state: string; sentAt: Date }>(
      receiptsSince(RECEIPT, LONG_AGO),
    );
    expect(mine).toEqual({ value: 1, state: 'intended', sentAt: NOW });
    expect(await query(unsettledReceipt(RECEIPT))).toEqual([{ nextAt: NOW }]);
    const self = { ...RECEIPT, id: nth('a', CALLS / 2 + 1) };
    expect(await query(receiptsSince(self, LONG_AGO))).toEqual([]);
    expect(await query(unsettledReceipt(self))).toEqual([]);
    expect(await query(receiptsSince({ ...RECEIPT, organizationId: newId() }, LONG_AGO))).toEqual([]);
    expect(await query(receiptsSince(RECEIPT, new Date(NOW.getTime() + 1)))).toEqual([]);
  });

  it('are all receipts for schedules, and when each was over', async () => {
    const ids = [nth('d', CALLS / 2), newId()];
    expect(await query(ownReceipts(organizationId, ids))).toEqual([
      {
        id: nth('a', CALLS / 2 + 1),
        attempts: 1,
        scheduleId: ids[0],
        value: 1,
        state: 'intended',
        leftToPerson: false,
        sentAt: NOW,
        endedAt: NOW,
        nextAt: NOW,
        openValue: null,
      },
    ]);
    expect(await query(ownReceipts(newId(), ids))).toEqual([]);
    expect(await query(otherReceiptsOf(RECEIPT))).toEqual([{ id: nth('a', CALLS / 2 + 1), attempts: 1 }]);
    expect(await query(otherReceiptsOf({ ...RECEIPT, id: nth('a', CALLS / 2 + 1) }))).toEqual([]);
  });

  it('is when a schedule was made, by whichever of the records', async () => {
    expect(await query(madeAt(organizationId, nth('d', 8)))).toEqual([{ madeAt: NOW }]);
    expect(await query(madeAt(organizationId, nth('e', 8)))).toEqual([{ madeAt: NOW }]);
    expect(await query(madeAt(newId(), nth('e', 8)))).toEqual([]);
  });

  it('are the records that another call of the operation made, whether the first or a later one', async () => {
    const among = async (beside: Beside, ...ids: string[]): Promise<string[]> =>
      [...recordsIn(await query<{ output: object }>(makersOf(beside, ids)))].sort();
    const [first, second] = [nth('d', 6), nth('e', 6)];
    expect(await among(CREATION, first)).toEqual([first, second]);
    expect(await among(CREATION, second)).toEqual([first, second]);
    expect(await among({ ...CREATION, id: nth('a', 6) }, first)).toEqual([]);
    expect(await among({ ...CREATION, organizationId: newId() }, first)).toEqual([]);
    expect(await among(call('accounts.create'), first)).toEqual([]);
  });

  it('is a twin only for the same customer', async () => {
    const twin = call('schedules.createCredit', { body: { stakeholderId: nth('c', 1) } });
    const found = async (beside: Beside): Promise<unknown> =>
      (await query<{ found: boolean }>(twinOnItsWay(beside)))[0]?.found;
    expect(await found(twin)).toBe(false);
    await run(`update finance_call set state = 'intended', next_at = now(), request = jsonb_build_object('body',
      jsonb_build_object('stakeholderId', '${nth('c', 1)}')) where id = '${nth('a', 2)}'`);
    expect(await found(twin)).toBe(true);
    expect(await found({ ...twin, id: nth('a', 2) })).toBe(false);
    expect(await found(call('schedules.createCredit', { body: { stakeholderId: nth('c', 2) } }))).toBe(false);
  });
});
