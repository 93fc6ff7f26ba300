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
  'cost-center.updated': 'costCenter',
} as const satisfies Partial<Record<ChangeType, RecordKind>>;

/** What happened to a record of Ponte's own books. */
export interface RecordChange {
  type: keyof typeof KINDS;
  /** UUID of the record. */
  id: string;
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
 * Tells connectors of records that the caller's transaction wrote, each as it stands now. To be called after
 * they were written; see `appendChanges`. The number of statements does not grow with that of the changes.
 */
export async function announce(tx: Transaction, changes: readonly CausedChange[], now: Date): Promise<void> {
  const kinds = [...grouped(changes, ({ type }) => KINDS[type])];
  const found = await Promise.all(kinds.map(([kind, own]) => readRecords(tx, kind, own, now)));
  const records = new Map(found.flatMap((own) => [...own]));
  const told = changes.map(({ organization, type, id, businessKey, deliveryId }) => {
    const data = records.get(id);
    if (!data) throw new Error(`a record that was just written is not there: ${type}`);
    return { organizationId: organization.id, type, recordId: id, businessKey, deliveryId, data };
  });
  await appendChanges(tx, told, now);
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
