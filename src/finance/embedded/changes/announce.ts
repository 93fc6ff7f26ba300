import type { Transaction } from '../../../database/transaction';
import type { ChangeType } from '../../../feed/changes/change-types';
import {
  appendRecords,
  type ChangeOfRecord,
  fillIn,
  numbersOf,
  type UnfilledChange,
} from '../../../feed/changes/changes.repository';
import { grouped } from '../../../kernel/grouped';
import type { Organization } from '../../../kernel/organization';
import { readRecords, type RecordKind } from './changed-records.repository';
import { dataOfRecords, type ShownRecord } from './data-of-records.repository';
import { withoutPerson } from './people-by-identifier';

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
 * they were written; see `appendChanges`. Of people their
 * identifiers are stored alone. The number of statements does not grow with that of the changes: ordinarily it is
 * one, and the records do not leave the database.
 */
export async function announce(tx: Transaction, changes: readonly CausedChange[], now: Date): Promise<void> {
  const shown = changes.map(toShown);
  const unfilled = await appendRecords(tx, shown, now, dataOfRecords(shown, now));
  if (unfilled.length === 0) return;
  const numbers = numbersOf(shown);
  const places = new Map(unfilled.map((place) => [nameOf(place), place]));
  const left = shown.flatMap((change, index) => {
    const { id: organizationId } = change.organization;
    const place = places.get(nameOf({ organizationId, number: numbers[index] ?? 0 }));
    return place ? [{ change, place }] : [];
  });
  await fillInRead(tx, left, now);
}

/** As it is appended, and as its record is shown. */
type ShownChange = ChangeOfRecord & ShownRecord & Pick<CausedChange, 'type'>;

function toShown(change: CausedChange): ShownChange {
  const { type, id, organization, businessKey, deliveryId, besides } = change;
  const kind = kindOf(change);
  const { id: organizationId } = organization;
  return { type, organizationId, recordId: id, businessKey, deliveryId, organization, id, kind, besides };
}

/** What the database cannot show by itself, such as a day long past, is read and shown here. */
async function fillInRead(
  tx: Transaction,
  left: readonly { change: ShownChange; place: UnfilledChange }[],
  now: Date,
): Promise<void> {
  const kinds = [...grouped(left, ({ change }) => change.kind)];
  const found = await Promise.all(
    kinds.map(async ([kind, own]) => {
      const names = own.map(({ change }) => change);
      return [kind, await readRecords(tx, kind, names, now)] as const;
    }),
  );
  const records = new Map(found);
  const filled = left.map(({ change: { kind, id, type, besides }, place }) => {
    const record = records.get(kind)?.get(id);
    if (!record) throw new Error(`a record that was just written is not there: ${type}`);
    return { ...place, data: { ...withoutPerson(kind, record), ...besides } };
  });
  await fillIn(tx, filled);
}

function nameOf({ organizationId, number }: Pick<UnfilledChange, 'organizationId' | 'number'>): string {
  return `${organizationId} ${number}`;
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
