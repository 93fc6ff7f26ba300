import { NO_CATEGORY } from '../../src/finance/embedded/ledger/entry';
import { postEntries } from '../../src/finance/embedded/ledger/posting';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import type { Company } from './company';

export interface PayableFields {
  description?: string;
  reference?: string;
  /** Minor units. */
  minor?: bigint;
  /** Minor units that are paid already. */
  paidMinor?: bigint;
  scheduleDate?: string;
  accrualDate?: string;
  dueDate?: string;
  categoryId?: string;
  costCenterId?: string;
  isFlagged?: boolean;
  /** UUID of a supplier; absent: a new one. */
  stakeholderId?: string;
}

/** A supplier made in the database itself. @returns its UUID */
export async function supplier(
  company: Company,
  fields: {
    name?: string;
    email?: string;
    phone?: string;
    document?: string;
    documentType?: string;
    details?: object;
    deletedAt?: Date;
  } = {},
): Promise<string> {
  const id = newId();
  await company.database.prisma.stakeholder.create({
    data: {
      id,
      organizationId: company.organization.id,
      kind: 'supplier',
      name: 'Gráfica Aurora',
      ...fields,
    },
  });
  return id;
}

/** What the company owes, booked as such. 50.00 due on 20 March 2026 unless said otherwise. @returns its UUID */
export async function payable(company: Company, fields: PayableFields = {}): Promise<string> {
  const id = newId();
  const stakeholderId = fields.stakeholderId ?? (await supplier(company));
  const { id: organizationId } = company.organization;
  const minor = fields.minor ?? 5000n;
  const dueDate = fields.dueDate ?? '2026-03-20';
  const date = CalendarDate.parse(dueDate);
  const account = await company.database.prisma.account.findFirstOrThrow({
    where: { organizationId, code: 'main' },
  });
  await company.database.transaction(async (tx) => {
    await tx.schedule.create({
      data: {
        id,
        organizationId,
        kind: 'debit',
        stakeholderId,
        description: fields.description ?? 'Paper',
        reference: fields.reference,
        valueMinor: minor,
        openMinor: 0n,
        scheduleDate: new Date(fields.scheduleDate ?? '2026-03-01'),
        accrualDate: new Date(fields.accrualDate ?? dueDate),
        dueDate: new Date(dueDate),
        categoryId: fields.categoryId,
        costCenterId: fields.costCenterId,
        isFlagged: fields.isFlagged ?? false,
        groupId: id,
      },
    });
    const expense = { book: 'expense', id: fields.categoryId ?? NO_CATEGORY } as const;
    const owed = { book: 'payable', id } as const;
    const shared = { organizationId, date, stakeholderId };
    await postEntries(tx, [
      { id: newId(), kind: 'payable', amountMinor: minor, debit: expense, credit: owed, ...shared },
    ]);
    if (fields.paidMinor) {
      await postEntries(tx, [
        {
          id: newId(),
          kind: 'payment',
          amountMinor: fields.paidMinor,
          debit: owed,
          credit: { book: 'account', id: account.id },
          ...shared,
        },
      ]);
    }
  });
  return id;
}
