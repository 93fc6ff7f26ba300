import { Prisma } from '../../../database/client/client';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Organization } from '../../../kernel/organization';
import { keptCount } from '../counts/counts.repository';
import { column, optional, type Columns } from './columns.sql';
import type { ListDeclaration } from './list.repository';

/** Joined on their primary keys, so that the count does without those that no filter asks for. */
const NAMED = Prisma.sql`left join stakeholder t on t.id = s.stakeholder_id
  left join category c on c.id = s.category_id
  left join cost_center e on e.id = s.cost_center_id`;

const STAKEHOLDER_AND_CATEGORY: Columns = {
  'stakeholder/id': column('guid', 's.stakeholder_id'),
  'stakeholder/name': column('text', 't.name'),
  'stakeholder/isDeleted': column('boolean', '(t.deleted_at is not null)'),
  'category/id': optional('guid', 'c.id'),
  'category/name': optional('text', 'c.name'),
  'category/isDeleted': optional('boolean', 'case when c.id is not null then c.deleted_at is not null end'),
};

/** @param today the organization's, as a `date` */
function fullView(today: Prisma.Sql): Columns {
  const isDued = Prisma.sql`(s.open_minor > 0 and s.due_date < ${today})`;
  return {
    scheduleId: column('guid', 's.id'),
    description: column('text', 's.description'),
    reference: optional('text', 's.reference'),
    value: column('money', 's.value_minor'),
    openValue: column('money', 's.open_minor'),
    scheduleDate: column('date', 's.schedule_date'),
    accrualDate: column('date', 's.accrual_date'),
    dueDate: column('date', 's.due_date'),
    ...STAKEHOLDER_AND_CATEGORY,
    'costCenter/id': optional('guid', 'e.id'),
    'costCenter/description': optional('text', 'e.description'),
    'costCenter/isDeleted': optional(
      'boolean',
      'case when e.id is not null then e.deleted_at is not null end',
    ),
    isDued: column('boolean', isDued),
    isPaid: column('boolean', '(s.open_minor = 0)'),
    isFlagged: column('boolean', 's.is_flagged'),
    isEntry: column('boolean', '(s.open_minor = 0)'),
    type: column('text', `case s.kind when 'credit' then 'Credit' else 'Debit' end`),
  };
}

/** An entry is what changes a schedule: what is open of it. */
const UPDATED = `greatest(s.created_at, (select max(u.created_at) from entry u where u.debit_id = s.id),
  (select max(u.created_at) from entry u where u.credit_id = s.id))`;

/** What a schedule has and its item does not show. Ponte issues no invoices, and nothing hides a schedule. */
const UNSHOWN: Columns = {
  'stakeholder/cpfCnpj': optional('text', 't.document'),
  'stakeholder/email': optional('text', 't.email'),
  'stakeholder/phone': optional('text', 't.phone'),
  'client/id': column('guid', 's.stakeholder_id'),
  'client/name': column('text', 't.name'),
  'client/cpfCnpj': optional('text', 't.document'),
  'category/type': optional('text', 'c.type'),
  'category/referenceCode': optional('text', 'c.reference_code'),
  'costCenter/externalCode': optional('text', 'e.external_code'),
  createDate: column('instant', 's.created_at'),
  updateDate: column('instant', UPDATED),
  hasInvoice: column('boolean', 'false'),
  isArchived: column('boolean', 'false'),
};

function literal(day: CalendarDate): Prisma.Sql {
  return Prisma.sql`${day.toString()}::date`;
}

/** Payables (operation 11). */
export function debitSchedules(organization: Organization, today: CalendarDate): ListDeclaration {
  return { ...payables(organization, today), kept: keptCount(organization.id, 'payable') };
}

/** Receivables. */
export function creditSchedules(organization: Organization, today: CalendarDate): ListDeclaration {
  return schedulesOfKind(organization, today, 'credit');
}

function payables(organization: Organization, today: CalendarDate): ListDeclaration {
  return schedulesOfKind(organization, today, 'debit');
}

function schedulesOfKind(
  { id }: Organization,
  today: CalendarDate,
  kind: 'credit' | 'debit',
): ListDeclaration {
  return {
    name: `${kind}-schedules`,
    columns: fullView(literal(today)),
    hidden: UNSHOWN,
    from: Prisma.sql`schedule s ${NAMED}`,
    where: Prisma.sql`s.organization_id = ${id}::uuid and s.kind = ${Prisma.raw(`'${kind}'`)}`,
    identifier: Prisma.sql`s.id`,
  };
}

/**
 * Receivables and payables of any organizations, each dued or not by the day where its organization is.
 * @param now a `timestamptz`
 */
export function allSchedules(organizationId: string, now: Prisma.Sql): ListDeclaration {
  const today = Prisma.sql`(${now} at time zone o.time_zone)::date`;
  return {
    name: 'schedules',
    columns: fullView(today),
    from: Prisma.sql`schedule s ${NAMED} join organization o on o.id = s.organization_id`,
    where: Prisma.sql`s.organization_id = ${organizationId}::uuid`,
    identifier: Prisma.sql`s.id`,
  };
}

/** Payables with something open, the one due first in front (operation 18). */
export function openDebitSchedules(organization: Organization, today: CalendarDate): ListDeclaration {
  return openOf(payables(organization, today));
}

/** Receivables with something open, the one due first in front. */
export function openCreditSchedules(organization: Organization, today: CalendarDate): ListDeclaration {
  return openOf(creditSchedules(organization, today));
}

function openOf(list: ListDeclaration): ListDeclaration {
  return {
    ...list,
    name: `open-${list.name}`,
    where: Prisma.sql`${list.where} and s.open_minor > 0`,
    order: [{ path: 'dueDate', descending: false }],
  };
}

/** Schedules of one customer, by due date (operation 13). */
export function schedulesOf({ id }: Organization, today: CalendarDate, customerId: string): ListDeclaration {
  return {
    name: 'customer-schedules',
    columns: fullView(literal(today)),
    hidden: UNSHOWN,
    from: Prisma.sql`schedule s ${NAMED}`,
    where: Prisma.sql`s.organization_id = ${id}::uuid and s.stakeholder_id = ${customerId}::uuid`,
    identifier: Prisma.sql`s.id`,
    order: [{ path: 'dueDate', descending: false }],
  };
}

/**
 * Of the entry that is expected, for as long as it is: the name-based UUID (version 3) of `expected-entry` in the
 * namespace of the schedule's own UUID. Made in SQL, so that a filter can ask for it.
 */
const EXPECTED_ENTRY_ID = `(select (substr(h, 1, 12) || '3' || substr(h, 14, 3)
    || translate(substr(h, 17, 1), '0123456789abcdef', '89ab89ab89ab89ab') || substr(h, 18))::uuid
  from md5(uuid_send(s.id) || convert_to('expected-entry', 'UTF8')) as h)`;

/**
 * Receivables that are open and were due before today, as the entries they should have become, the one due first in front
 * (operation 12): a page reads no others, and what becomes overdue meanwhile comes last.
 */
export function overdueCredit({ id }: Organization, today: CalendarDate): ListDeclaration {
  return {
    name: 'overdue-receivables',
    columns: {
      entryId: column('guid', EXPECTED_ENTRY_ID),
      scheduleId: column('guid', 's.id'),
      'account/id': optional('guid', 'a.id'),
      'account/name': optional('text', 'a.name'),
      'account/isDeleted': optional('boolean', 'case when a.id is not null then false end'),
      ...STAKEHOLDER_AND_CATEGORY,
      date: column('date', 's.due_date'),
      identifier: optional('text', 'null::text'),
      value: column('money', 's.open_minor'),
      description: column('text', 's.description'),
      reference: optional('text', 's.reference'),
      isReconciliated: column('boolean', 'false'),
      isTransfer: column('boolean', 'false'),
      isFlagged: column('boolean', 's.is_flagged'),
    },
    hidden: { ...fullView(literal(today)), ...UNSHOWN },
    from: Prisma.sql`schedule s ${NAMED}
      left join organization o on o.id = s.organization_id
      left join account a on a.id = o.default_account_id`,
    where: Prisma.sql`s.organization_id = ${id}::uuid and s.kind = 'credit' and s.open_minor > 0
      and s.due_date < ${today.toString()}::date`,
    identifier: Prisma.sql`s.id`,
    order: [{ path: 'date', descending: false }],
    kept: keptCount(id, 'open_receivable', today),
  };
}
