import { Prisma } from '../../../database/client/client';
import type { Organization } from '../../../kernel/organization';
import { column, optional } from './columns.sql';
import type { ListDeclaration } from './list.repository';

/** Money that was received or paid, for a schedule or directly, or what was written off, and not taken back. */
export function registered({ id }: Organization, kind: 'receipt' | 'payment' | 'discount'): ListDeclaration {
  const list = movements(id);
  return {
    ...list,
    name: `${kind}s`,
    where: Prisma.sql`${list.where} and e.kind = ${kind}::entry_kind
      and not exists (select from entry r where r.reverses_id = e.id)`,
  };
}

/** Money that reached or left an account, and what was written off with it, in the form of operation 12. */
export function movements(organizationId: string): ListDeclaration {
  return {
    name: 'movements',
    columns: {
      entryId: column('guid', 'e.id'),
      scheduleId: optional(
        'guid',
        `case when e.debit_book = 'payable' then e.debit_id when e.credit_book = 'receivable' then e.credit_id end`,
      ),
      'account/id': optional('guid', 'a.id'),
      'account/name': optional('text', 'a.name'),
      'account/isDeleted': optional('boolean', 'case when a.id is not null then false end'),
      'stakeholder/id': optional('guid', 't.id'),
      'stakeholder/name': optional('text', 't.name'),
      'stakeholder/isDeleted': optional(
        'boolean',
        'case when t.id is not null then t.deleted_at is not null end',
      ),
      'category/id': optional('guid', 'c.id'),
      'category/name': optional('text', 'c.name'),
      'category/isDeleted': optional(
        'boolean',
        'case when c.id is not null then c.deleted_at is not null end',
      ),
      date: column('date', 'e.date'),
      identifier: optional('text', 'e.identifier'),
      value: column('money', 'e.amount_minor'),
      description: column('text', `coalesce(e.description, '')`),
      reference: optional('text', 'e.reference'),
      isReconciliated: column(
        'boolean',
        '(exists (select from entry_reconciliation b where b.entry_id = e.id))',
      ),
      isTransfer: column('boolean', 'false'),
      isFlagged: column('boolean', 'e.is_flagged'),
    },
    hidden: {
      createDate: column('instant', 'e.created_at'),
      updateDate: column('instant', 'e.created_at'),
      'category/type': optional('text', 'c.type'),
      'client/id': optional('guid', 't.id'),
      'client/name': optional('text', 't.name'),
      'client/cpfCnpj': optional('text', 't.document'),
      'stakeholder/cpfCnpj': optional('text', 't.document'),
      'costCenter/id': optional('guid', 'e.cost_center_id'),
      payingType: optional('text', 'e.paying_type'),
    },
    from: Prisma.sql`entry e
      left join account a on a.id = case when e.debit_book = 'account' then e.debit_id
        when e.credit_book = 'account' then e.credit_id end
      left join stakeholder t on t.id = e.stakeholder_id
      left join category c on c.id = e.category_id`,
    where: Prisma.sql`e.organization_id = ${organizationId}::uuid`,
    identifier: Prisma.sql`e.id`,
  };
}

/** Transfers, in the words of operation 7, as the feed has them. */
export function announcedTransfers(organizationId: string): ListDeclaration {
  return {
    name: 'announced-transfers',
    columns: {
      entryId: column('guid', 'e.id'),
      originAccountId: column('guid', 'e.credit_id'),
      destinyAccountId: column('guid', 'e.debit_id'),
      date: column('date', 'e.date'),
      value: column('money', 'e.amount_minor'),
    },
    from: Prisma.sql`entry e`,
    where: Prisma.sql`e.organization_id = ${organizationId}::uuid and e.kind = 'transfer'`,
    identifier: Prisma.sql`e.id`,
  };
}

/** The same with the texts that effects give them. */
export function transfers({ id }: Organization): ListDeclaration {
  const list = announcedTransfers(id);
  return {
    ...list,
    name: 'transfers',
    columns: {
      ...list.columns,
      description: column('text', `coalesce(e.description, '')`),
      reference: optional('text', 'e.reference'),
    },
    hidden: {
      createDate: column('instant', 'e.created_at'),
      updateDate: column('instant', 'e.created_at'),
    },
  };
}
