import type { Database } from '../../src/database/database';
import { postEntries } from '../../src/finance/embedded/ledger/posting';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import { Company } from './company';
import type { TestingApp } from './testing-app';

/** Identifiers of one record of every kind that requests can name. */
export interface Names {
  customer: string;
  account: string;
  otherAccount: string;
  bank: string;
  categoryIn: string;
  categoryOut: string;
  costCenter: string;
  receivable: string;
  payable: string;
  payment: string;
}

/** A company with one record of every kind; its texts all contain `mark`. */
export async function openBooks(
  testing: TestingApp,
  mark: string,
): Promise<{ company: Company; names: Names; document: string }> {
  const company = await Company.found(testing.database);
  const organizationId = company.organization.id;
  const { prisma } = testing.database;
  const only = { where: { organizationId } };
  const account = await prisma.account.findFirstOrThrow(only);
  const categoryOut = await prisma.category.findFirstOrThrow({ where: { organizationId, type: 'out' } });
  const categoryIn = await prisma.category.findFirstOrThrow({ where: { organizationId, type: 'in' } });
  const document = '12ABC34501DE35';
  const customer = await company.customer({ name: `${mark} customer`, document });
  const [receivable = ''] = await company.schedules({ customer, dueDate: '2026-02-01', description: mark });
  const supplier = newId();
  await prisma.stakeholder.create({
    data: { id: supplier, organizationId, kind: 'supplier', name: `${mark} supplier` },
  });
  const otherAccount = newId();
  await prisma.account.create({
    data: {
      id: otherAccount,
      organizationId,
      name: `${mark} account`,
      openBalanceMinor: 0n,
      openedOn: account.openedOn,
      balance: { create: { balanceMinor: 0n } },
    },
  });
  await prisma.costCenter.create({
    data: { id: newId(), organizationId, description: `${mark} center`, externalCode: mark },
  });
  const [payable, payment] = await payableWithPayment(company, supplier, account.id, categoryOut.id, mark);
  const costCenter = await prisma.costCenter.findFirstOrThrow({
    where: { organizationId, externalCode: mark },
  });
  const bank = await prisma.bank.findFirstOrThrow(only);
  return {
    company,
    document,
    names: {
      customer,
      account: account.id,
      otherAccount,
      bank: bank.id,
      categoryIn: categoryIn.id,
      categoryOut: categoryOut.id,
      costCenter: costCenter.id,
      receivable,
      payable,
      payment,
    },
  };
}

/** 100.00 to be paid, of which 40.00 is paid. */
async function payableWithPayment(
  { database, organization }: Company,
  stakeholderId: string,
  accountId: string,
  categoryId: string,
  mark: string,
): Promise<[payable: string, payment: string]> {
  const [id, payment] = [newId(), newId()];
  const day = new Date('2026-02-01');
  const entry = { organizationId: organization.id, date: CalendarDate.parse('2026-03-01'), stakeholderId };
  const side = { book: 'payable', id } as const;
  await database.transaction(async (tx) => {
    await tx.schedule.create({
      data: {
        id,
        organizationId: organization.id,
        kind: 'debit',
        stakeholderId,
        description: `${mark} payable`,
        valueMinor: 10_000n,
        openMinor: 0n,
        scheduleDate: day,
        accrualDate: day,
        dueDate: day,
        categoryId,
        groupId: id,
      },
    });
    await postEntries(tx, [
      {
        ...entry,
        id: newId(),
        kind: 'payable',
        amountMinor: 10_000n,
        debit: { book: 'expense', id: categoryId },
        credit: side,
      },
    ]);
    await postEntries(tx, [
      {
        ...entry,
        id: payment,
        kind: 'payment',
        amountMinor: 4_000n,
        debit: side,
        credit: { book: 'account', id: accountId },
      },
    ]);
  });
  return [id, payment];
}

/** No record: when the next call to an organization's finance service may leave. */
const PACE = 'finance_pace';

/** The statement that reads them, of each database once: to look for the tables takes longer than to read them. */
const statements = new WeakMap<Database, Promise<string>>();

async function statementFor({ prisma }: Database): Promise<string> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select table_name::text as name from information_schema.columns
    where column_name = 'organization_id' and table_name <> ${PACE} and table_schema = current_schema()
    order by 1`;
  const selects = tables.map(
    ({ name }) =>
      `select '${name}' as name, coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]')::text as text
       from "${name}" t where organization_id = $1::uuid`,
  );
  return selects.join(' union all ');
}

/** Every row that belongs to an organization, table by table, as text. */
export async function rowsOf({ database, organization }: Company): Promise<Record<string, string>> {
  const { prisma } = database;
  if (!statements.has(database)) statements.set(database, statementFor(database));
  const tables = await prisma.$queryRawUnsafe<{ name: string; text: string }[]>(
    await statements.get(database)!,
    organization.id,
  );
  const rows = Object.fromEntries(tables.map(({ name, text }) => [name, text]));
  const [balances] = await prisma.$queryRaw<{ text: string }[]>`
    select jsonb_agg(jsonb_build_array(a.id, coalesce(b.balance_minor, 0) + coalesce(
      (select sum(d.delta_minor) from account_balance_delta d where d.account_id = a.id), 0)) order by a.id)::text as text
    from account a left join account_balance b on b.account_id = a.id
    where a.organization_id = ${organization.id}::uuid`;
  return { ...rows, balances: balances?.text ?? '' };
}
