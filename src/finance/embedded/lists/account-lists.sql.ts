import { Prisma } from '../../../database/client/client';
import type { Organization } from '../../../kernel/organization';
import { column, optional, type Columns } from './columns.sql';
import type { ListDeclaration } from './list.repository';

/** The rolled-up balance plus the deltas since, as `readBalances` of the ledger adds them up. */
const BALANCE = `(
  coalesce((select r.balance_minor from account_balance r where r.account_id = a.id), 0)
  + coalesce((select sum(d.delta_minor) from account_balance_delta d where d.account_id = a.id), 0))::bigint`;

/**
 * What an account has and neither list shows. Ponte reads no bank's pages, so what it knows of a bank balance is the
 * books'; entries of every account can be reconciled, and none is archived.
 */
const UNSHOWN: Columns = {
  type: optional('text', 'a.type'),
  bankAgency: optional('text', 'a.agency'),
  bankAccount: optional('text', 'a.number'),
  bankBalance: column('money', BALANCE),
  isReconcilable: column('boolean', 'true'),
  isArchived: column('boolean', 'false'),
  isDeleted: column('boolean', 'false'),
  createDate: column('instant', 'a.created_at'),
  updateDate: column('instant', 'coalesce(a.updated_at, a.created_at)'),
};

const BANK: Columns = {
  'bank/id': optional('guid', 'b.id'),
  'bank/code': optional('text', 'b.code'),
  'bank/name': optional('text', 'b.name'),
  'bank/color': optional('text', 'b.color'),
  'bank/scrapingEnabled': optional('boolean', 'case when b.id is not null then false end'),
  'bank/bankNumber': optional('text', 'b.code'),
};

const SHOWN: Columns = {
  id: column('guid', 'a.id'),
  name: column('text', 'a.name'),
  openBalance: column('money', 'a.open_balance_minor'),
  dateOfOpenBalance: column('date', 'a.opened_on'),
  isVirtual: column('boolean', '(a.virtual_details is not null)'),
};

/** Accounts (operation 16). */
export function accounts({ id }: Organization): ListDeclaration {
  return {
    name: 'accounts',
    columns: SHOWN,
    hidden: { balance: column('money', BALANCE), ...UNSHOWN, ...BANK },
    from: Prisma.sql`account a left join bank b on b.id = a.bank_id`,
    where: Prisma.sql`a.organization_id = ${id}::uuid`,
    identifier: Prisma.sql`a.id`,
  };
}

/** As {@link accountBalances}, each account with the balance that was announced last, to be read where that is written. */
export function announcedBalances(organization: Organization): ListDeclaration {
  const { columns, where, identifier } = accountBalances(organization);
  return {
    name: 'announced-balances',
    columns: { ...columns, balance: column('money', 'k.announced_minor') },
    from: Prisma.sql`account a join account_balance k on k.account_id = a.id left join bank b on b.id = a.bank_id`,
    where,
    identifier,
  };
}

/** Accounts with their balances and banks (operation 15). */
export function accountBalances({ id }: Organization): ListDeclaration {
  return {
    name: 'account-balances',
    columns: {
      accountId: column('guid', 'a.id'),
      accountName: column('text', 'a.name'),
      balance: column('money', BALANCE),
      ...BANK,
    },
    hidden: { ...SHOWN, ...UNSHOWN },
    from: Prisma.sql`account a left join bank b on b.id = a.bank_id`,
    where: Prisma.sql`a.organization_id = ${id}::uuid`,
    identifier: Prisma.sql`a.id`,
  };
}
