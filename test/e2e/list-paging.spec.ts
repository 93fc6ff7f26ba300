import { Prisma } from '../../src/database/client/client';
import { listStatement } from '../../src/finance/embedded/entries/entries.repository';
import { ListReading, type ListDeclaration } from '../../src/finance/embedded/lists/list.repository';
import {
  debitSchedules,
  openDebitSchedules,
  overdueCredit,
} from '../../src/finance/embedded/lists/schedule-lists.sql';
import { customers } from '../../src/finance/embedded/lists/supplier-list.sql';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import { FinanceClient, type PageOf } from '../support/finance-client';
import { supplier } from '../support/payables';
import type { TestingApp } from '../support/testing-app';

interface Item {
  scheduleId: string;
}

const TODAY = CalendarDate.of(2026, 3, 10);

let testing: TestingApp;
let client: FinanceClient;
let stakeholderId: string;

/** Schedules with something open, made as rows alone: what is tested is how they are read. */
async function make(kind: 'debit' | 'credit', count: number, owner = client): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await testing.database.prisma.$executeRaw`
    insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor,
      schedule_date, accrual_date, due_date, group_id)
    select r.id::uuid, ${owner.company.organization.id}::uuid, ${kind}::schedule_kind, ${stakeholderId}::uuid,
      'S' || r.place, 100, case when r.place % 10 = 0 then 100 else 0 end, '2025-01-01', '2025-01-01',
      date '2025-01-01' + (r.place * 7919 % 800)::int, r.id::uuid
    from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) with ordinality as r(id, place)`;
  return ids;
}

/** A company of its own. */
async function found(): Promise<void> {
  client = await FinanceClient.of(testing);
  stakeholderId = await supplier(client.company);
}

/** Entries as rows alone. @returns the newest first */
async function book(owner: FinanceClient, count: number): Promise<{ id: string }[]> {
  const ids = Array.from({ length: count }, newId);
  return testing.database.prisma.$queryRaw<{ id: string }[]>`
    with made as (
      insert into entry (id, organization_id, kind, date, amount_minor, debit_book, debit_id, credit_book, credit_id)
      select r.id::uuid, ${owner.company.organization.id}::uuid, 'opening', '2026-01-01', 100, 'account',
        gen_random_uuid(), 'equity', gen_random_uuid()
      from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as r(id) returning id
    ) select id from made order by id desc`;
}

beforeAll(async () => {
  testing = await FinanceClient.serve();
});
afterAll(() => testing.close());

/** Twenty pages, as ten thousand rows are in pages of 500: `npm run test:paging` reads those. */
const ROWS = 2_000;
const PAGE = 100;

describe('a list of payables that grows while it is read', () => {
  beforeEach(found);

  it.each(['$skip', 'nextPageLink'])('shows all of them once by %s', async (way) => {
    const made = await make('debit', ROWS);
    const seen: string[] = [];
    let link: string | null = '';
    while (link !== null) {
      const query = way === '$skip' || link === '' ? `?$top=${PAGE}&$skip=${seen.length}` : '';
      const page: PageOf<Item> =
        query === ''
          ? await client.follow<Item>(link)
          : ((await client.get(`/schedules/debit${query}`)).body as PageOf<Item>);
      seen.push(...page.items.map(({ scheduleId }) => scheduleId));
      link = page.nextPageLink;
      if (seen.length < ROWS) made.push(...(await make('debit', 7)));
    }
    expect(seen).toEqual(made);
  });
});

describe('the plan of a page', () => {
  async function planOf(
    list: ListDeclaration,
    request: { top: number; skipToken?: string; orderBy?: string; filter?: string },
  ): Promise<string> {
    const reading = new ListReading(client.company.organization, list, { skip: 0, ...request });
    return explained(reading.pageStatement());
  }

  async function explained(statement: Prisma.Sql): Promise<string> {
    const rows = await testing.database.prisma.$queryRaw<Record<string, string>[]>(
      Prisma.sql`explain ${statement}`,
    );
    return rows.flatMap((row) => Object.values(row)).join('\n');
  }

  async function secondPage(list: ListDeclaration): Promise<string> {
    const reading = new ListReading(client.company.organization, list, { top: 100, skip: 0 });
    const [row] = await testing.database.prisma.$queryRaw<never[]>(reading.pageStatement());
    return reading.tokenAfter(row!, 1);
  }

  beforeAll(async () => {
    await found();
    await make('debit', 3000);
    await make('credit', 3000);
    // Others have more: walking everybody's schedules must not look cheap.
    await make('debit', 12_000, await FinanceClient.of(testing));
    await testing.database.prisma.$executeRaw`
      insert into stakeholder (id, organization_id, kind, name, document, document_type)
      select gen_random_uuid(), ${client.company.organization.id}::uuid, 'customer', 'Cliente ' || i,
        (10000000000 + i)::text, 'Cpf'
      from generate_series(1, 5000) i`;
    await testing.database.prisma.$executeRaw`analyze`;
  });

  it.each([
    ['payables', debitSchedules, /Index Scan using schedule_organization_id_kind_id_idx/],
    ['overdue receivables', overdueCredit, /using schedule_open_organization_id_kind_(due_date_)?id_idx/],
    [
      'the payable due first',
      openDebitSchedules,
      /Index Scan using schedule_open_organization_id_kind_due_date_id_idx/,
    ],
  ])(
    'of %s uses an index made for it, and the next page begins behind the last row',
    async (_name, declare, index) => {
      const list = declare(client.company.organization, TODAY);
      const top = declare === openDebitSchedules ? 1 : 100;
      const first = await planOf(list, { top });
      expect(first).toMatch(index);
      expect(first).not.toContain('Seq Scan on schedule');
      const next = await planOf(list, { top, skipToken: await secondPage(list) });
      // Which index begins behind the last row is the planner's to say: rows lie in the order of the primary key, too.
      expect(next).not.toContain('Seq Scan on schedule');
      expect(next).toMatch(/Index Cond: .*ROW\(|Index Cond: .*id > |using schedule_open/);
    },
  );

  it('of payables by due date uses the index of due dates', async () => {
    const list = debitSchedules(client.company.organization, TODAY);
    const plan = await planOf(list, { top: 1, orderBy: 'dueDate' });
    expect(plan).toMatch(/Index Scan using schedule_organization_id_kind_due_date_id_idx/);
    expect(plan).not.toContain('Sort');
  });

  it.each([`document/number eq '10000000523'`, `document/number in ('10000000523','10000000524')`])(
    'of customers with a document goes to it, among however many: %s',
    async (filter) => {
      const plan = await planOf(customers(client.company.organization), { top: 100, filter });
      expect(plan).toMatch(/stakeholder_organization_id_kind_document_key[\s\S]*Index Cond: .*document = /);
    },
  );

  it('of entries begins with the newest of the organization, and the next page behind the last row', async () => {
    const [newest] = await book(client, 600);
    // Others have more, and newer ones.
    await book(await FinanceClient.of(testing), 12_000);
    await testing.database.prisma.$executeRaw`analyze entry`;
    const { id } = client.company.organization;
    const planAfter = (after?: string): Promise<string> =>
      explained(listStatement(id, { reversed: false }, { limit: 100, after }));
    expect(await planAfter()).toMatch(/Index Scan Backward using entry_organization_id_id_idx/);
    // As above: the primary key leads there, too.
    expect(await planAfter(newest!.id)).toMatch(/Index Scan Backward using entry_.*\n\s+Index Cond: .*id < /);
  });
});
