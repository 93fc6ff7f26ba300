import type { Transaction } from '../../../database/transaction';
import type { ChangeType } from '../../../feed/changes/change-types';
import { appendChanges } from '../../../feed/changes/changes.repository';
import { grouped } from '../../../kernel/grouped';
import type { Organization } from '../../../kernel/organization';
import { readRecords, type RecordKind } from './changed-records.repository';

/** How the record of each change is shown. */
const KINDS = {
  'customer.created': 'stakeholder',
  'customer.updated': 'stakeholder',
  'credit-schedule.created': 'schedule',
  'debit-schedule.created': 'schedule',
  'receipt.registered': 'movement',
  'discount.registered': 'movement',
  'payment.registered': 'movement',
  'payment.deleted': 'movement',
  'transfer.made': 'transfer',
  'account.created': 'account',
  'account.updated': 'account',
  'balance.changed': 'balance',
  'cost-center.created': 'costCenter',
  'cost-center.updated': 'costCenter',
  'cost-center.removed': 'costCenter',
  'schedule.paid': 'schedule',
  'schedule.reopened': 'schedule',
  'schedule.overdue': 'schedule',
} as const satisfies Partial<Record<ChangeType, RecordKind>>;

/** What happened to a record of Ponte's own books. */
export interface RecordChange {
  type: keyof typeof KINDS;
  /** UUID of the record. */
  id: string;
  /** How the record is shown; absent: as its type says. */
  shownAs?: RecordKind;
  /** What `data` says beside the record. */
  besides?: object;
}

/** The same, with whose record it is and why it happened. */
export interface CausedChange extends RecordChange {
  organization: Organization;
  /** Business key of the effect, where one did it. */
  businessKey?: string;
  /** UUID of the delivery, where one caused it. */
  deliveryId?: string;
}

/**
 * Announces records that the caller's transaction wrote, each as it stands now. To be called after
 * they were written; see `appendChanges`. The number of statements does not grow with that of the changes.
 */
export async function announce(tx: Transaction, changes: readonly CausedChange[], now: Date): Promise<void> {
  const kinds = [...grouped(changes, kindOf)];
  const found = await Promise.all(
    kinds.map(async ([kind, own]) => [kind, await readRecords(tx, kind, own, now)] as const),
  );
  const records = new Map(found);
  const complete = changes.map((change) => {
    const { organization, type, id, businessKey, deliveryId, besides } = change;
    const record = records.get(kindOf(change))?.get(id);
    if (!record) throw new Error(`a record that was just written is not there: ${type}`);
    const data = { ...record, ...besides };
    return { organizationId: organization.id, type, recordId: id, businessKey, deliveryId, data };
  });
  await appendChanges(tx, complete, now);
}

/** Schedules of which nothing is open any more. @param ids UUIDs */
export function schedulesPaid(ids: readonly string[]): RecordChange[] {
  return ids.map((id) => ({ type: 'schedule.paid', id }));
}

/** Accounts that were opened, each with its first balance. @param ids UUIDs */
export function accountsOpened(ids: readonly string[]): RecordChange[] {
  return ids.flatMap((id) => [
    { type: 'account.created', id },
    { type: 'balance.changed', id },
  ]);
}

function kindOf({ type, shownAs }: RecordChange): RecordKind {
  return shownAs ?? KINDS[type];
}

/** As {@link announce}, for one organization's own request. */
export async function announceOwn(
  tx: Transaction,
  organization: Organization,
  changes: readonly RecordChange[],
  now: Date,
): Promise<void> {
  await announce(
    tx,
    changes.map((change) => ({ ...change, organization })),
    now,
  );
}
