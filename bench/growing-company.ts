import type { Database } from '../src/database/database';
import type { Organization } from '../src/kernel/organization';
import { Company } from '../test/support/company';

/*
 * A company that has kept its books for a longer or a shorter time. Every day brings fifty schedules, four
 * receivables to one payable, and as many movements of money; so a week has the same number of them in small
 * books and in large ones, and a million entries are twenty-seven years. A customer has about fifty schedules
 * over the years: there are more customers in larger books, and no larger ones. Whatever was due five days ago
 * is paid, but for one in fifty. Identifiers ascend with time, as real ones do.
 */

const SCHEDULES_A_DAY = 50;
const SCHEDULES_OF_A_CUSTOMER = 50;
const SUPPLIERS = 40;
const ACCOUNTS = 5;

export interface GrowingCompany {
  organization: Organization;
  /** UUIDs of some of its customers. */
  customers: string[];
  /** UUIDs. */
  accounts: string[];
}

/** Founds a company with `entries` ledger entries in an empty database, set by set, with balances that follow. */
export async function growCompany(database: Database, entries: number): Promise<GrowingCompany> {
  const { organization } = await Company.found(database);
  const schedules = Math.round(entries / 2);
  const customers = Math.max(1, Math.round(schedules / SCHEDULES_OF_A_CUSTOMER));
  const run = (sql: string): Promise<number> => database.prisma.$executeRawUnsafe(sql);
  const org = `'${organization.id}'::uuid`;

  await run(`insert into account (id, organization_id, name, open_balance_minor, opened_on)
    select ${id('a', 'i')}, ${org}, 'Account ' || i, 0, '1950-01-01' from generate_series(1, ${ACCOUNTS}) as i`);
  await run(`insert into stakeholder (id, organization_id, kind, name)
    select ${id('b', 'i')}, ${org}, 'customer'::stakeholder_kind, 'Customer ' || i from generate_series(1, ${customers}) as i
    union all
    select ${id('c', 'i')}, ${org}, 'supplier', 'Supplier ' || i from generate_series(1, ${SUPPLIERS}) as i`);
  await run(`insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor,
      open_minor, schedule_date, accrual_date, due_date, group_id)
    select ${id('d', 'i')}, ${org}, kind, who, 'Order ' || i, value,
      case when due < current_date - 5 and i % 50 <> 7 then 0 else value end, due - 30, due, due, ${id('d', 'i')}
    from (
      select i, 1000 + i * 7919 % 100000 as value,
        current_date + 30 - ((${schedules} - i) / ${SCHEDULES_A_DAY})::int as due,
        (case when i % 5 = 0 then 'debit' else 'credit' end)::schedule_kind as kind,
        case when i % 5 = 0 then ${id('c', `i % ${SUPPLIERS} + 1`)} else ${id('b', `i * 31 % ${customers} + 1`)} end as who
      from generate_series(1::bigint, ${schedules}) as i
    ) as s`);
  await run(`insert into entry (id, organization_id, kind, date, amount_minor, debit_book, debit_id,
      credit_book, credit_id, stakeholder_id, description)
    select ${id('e', 'row_number() over (order by s.id)')}, ${org},
      (case s.kind when 'credit' then 'receivable' else 'payable' end)::entry_kind, due_date, value_minor,
      (case s.kind when 'credit' then 'receivable' else 'expense' end)::book,
      case s.kind when 'credit' then s.id else ${NO_CATEGORY} end,
      (case s.kind when 'credit' then 'income' else 'payable' end)::book,
      case s.kind when 'credit' then ${NO_CATEGORY} else s.id end, stakeholder_id, description
    from schedule s`);
  const settled = await run(`insert into entry (id, organization_id, kind, date, amount_minor, debit_book,
      debit_id, credit_book, credit_id, stakeholder_id, description)
    select ${id('f', 'n')}, ${org}, (case kind when 'credit' then 'receipt' else 'payment' end)::entry_kind,
      due_date, value_minor, (case kind when 'credit' then 'account' else 'payable' end)::book,
      case kind when 'credit' then account else id end,
      (case kind when 'credit' then 'receivable' else 'account' end)::book,
      case kind when 'credit' then id else account end, stakeholder_id, description
    from (
      select s.*, row_number() over (order by id) as n,
        ${id('a', `row_number() over (order by id) % ${ACCOUNTS} + 1`)} as account
      from schedule s where open_minor = 0
    ) as paid`);
  // Sales over the counter make up the number.
  const direct = entries - schedules - settled;
  await run(`insert into entry (id, organization_id, kind, date, amount_minor, debit_book, debit_id,
      credit_book, credit_id)
    select ${id('9', 'i')}, ${org}, 'receipt', current_date - i % ${Math.ceil(schedules / SCHEDULES_A_DAY)}, 500 + i % 1000,
      'account', ${id('a', `i % ${ACCOUNTS} + 1`)}, 'income', ${NO_CATEGORY}
    from generate_series(1, ${direct}) as i`);
  await run(`insert into account_balance (account_id, balance_minor)
    select id, sum(minor) from (
      select debit_id as id, amount_minor as minor from entry where debit_book = 'account'
      union all
      select credit_id, -amount_minor from entry where credit_book = 'account'
    ) as sides group by id`);
  await run('vacuum analyze');

  const some = await database.prisma.stakeholder.findMany({
    where: { organizationId: organization.id, kind: 'customer' },
    select: { id: true },
    take: 200,
  });
  const accounts = await database.prisma.account.findMany({ where: { organizationId: organization.id } });
  return {
    organization,
    customers: some.map((customer) => customer.id),
    accounts: accounts.map((account) => account.id),
  };
}

const NO_CATEGORY = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** SQL of an identifier: of one table by a hexadecimal digit, and the number of the row. */
function id(table: string, number: string): string {
  return `('01900000-000${table}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}
