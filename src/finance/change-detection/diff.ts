import type { ChangeType } from '../../feed/changes/change-types';
import type { Organization } from '../../kernel/organization';
import { matchesAnnounced } from './matches-announced';
import { amountOf, type Item, scheduleFacts, type Observation, type ListingKind } from './observation';

/** A record as it was last observed. */
export interface Remembered {
  readonly data: Item;
  readonly digest: string;
  /** The due date, `YYYY-MM-DD`, for which it was announced to be overdue. */
  readonly announcedDue?: string;
  /** It was announced to be removed. */
  readonly gone: boolean;
}

/** What else decides what is announced. */
export interface Circumstances {
  readonly organization: Organization;
  /** What Ponte itself last announced of the record since it was last observed, under the name that would be announced now. */
  readonly announced?: Item;
  /** Whether what is open became less by just what Ponte itself received. */
  readonly openExplained: boolean;
  /** Whether what is observed first may have been so for long. */
  readonly old: boolean;
}

/** One thing to be announced of a record. */
export interface DetectedChange {
  readonly type: ChangeType;
  readonly data: object;
}

/** Under which names Ponte itself announces a kind of record: created and changed. */
const NAMES = {
  accounts: ['account.created', 'account.updated'],
  'cost-centers': ['cost-center.created', 'cost-center.updated'],
} as const satisfies Partial<Record<ListingKind, readonly [ChangeType, ChangeType]>>;

const REMOVED: Partial<Record<ListingKind, ChangeType>> = {
  accounts: 'account.removed',
  'cost-centers': 'cost-center.removed',
  'debit-schedules': 'schedule.removed',
  'customer-schedules': 'schedule.removed',
};

/** What is announced of an observed record, in the order in which it is announced. Pure. */
export function diff(
  kind: ListingKind,
  before: Remembered | undefined,
  after: Observation,
  circumstances: Circumstances,
): DetectedChange[] {
  const known = before?.gone === false ? before : undefined;
  switch (kind) {
    case 'accounts':
    case 'cost-centers':
      return ofRecord(NAMES[kind], known, after, circumstances);
    case 'balances':
      return ofBalance(known?.data, after, circumstances);
    case 'debit-schedules':
      return [...ofPayable(before, after, circumstances), ...ofOverdue(before, after)];
    case 'overdue-credit':
      return ofOverdue(before, after);
    case 'customer-schedules':
      return ofReceivable(before, after, circumstances);
  }
}

/** What is announced of a record that is no longer listed; undefined: nothing. */
export function removalOf(kind: ListingKind, data: object): DetectedChange | undefined {
  const type = REMOVED[kind];
  return type && { type, data };
}

/** What Ponte announced last may have been undone before the poll: then the record is as it was, and not as announced. */
function ofRecord(
  [created, updated]: readonly [ChangeType, ChangeType],
  known: Remembered | undefined,
  { data, digest }: Observation,
  { announced, organization }: Circumstances,
): DetectedChange[] {
  const isAsAnnounced = announced
    ? matchesAnnounced(announced, data, known?.data, organization)
    : known?.digest === digest;
  return isAsAnnounced ? [] : [{ type: known ? updated : created, data }];
}

function ofBalance(
  known: Item | undefined,
  { data }: Observation,
  { organization: { currency } }: Circumstances,
): DetectedChange[] {
  if (!known) return [{ type: 'balance.changed', data }];
  if (amountOf(known['balance'], currency) === amountOf(data['balance'], currency)) return [];
  return [{ type: 'balance.changed', data: { ...data, balanceBefore: known['balance'] } }];
}

function ofPayable(
  before: Remembered | undefined,
  after: Observation,
  circumstances: Circumstances,
): DetectedChange[] {
  if (before?.gone === false) return ofSchedule(before.data, after, circumstances);
  const { announced, organization } = circumstances;
  const { data } = after;
  const isAsAnnounced =
    announced && scheduleFacts(announced, organization).terms === scheduleFacts(data, organization).terms;
  const type = announced ? 'schedule.changed' : 'debit-schedule.created';
  return [...(isAsAnnounced ? [] : [{ type, data } as const]), ...ofPaid(after, circumstances)];
}

function ofReceivable(
  before: Remembered | undefined,
  after: Observation,
  circumstances: Circumstances,
): DetectedChange[] {
  if (before?.gone) return [{ type: 'schedule.changed', data: after.data }];
  if (before) return ofSchedule(before.data, after, circumstances);
  return circumstances.old ? [] : ofPaid(after, circumstances);
}

function ofPaid({ data }: Observation, { organization }: Circumstances): DetectedChange[] {
  return scheduleFacts(data, organization).open <= 0n ? [{ type: 'schedule.paid', data }] : [];
}

function ofSchedule(
  known: Item,
  { data }: Observation,
  { organization, openExplained }: Circumstances,
): DetectedChange[] {
  const [before, after] = [scheduleFacts(known, organization), scheduleFacts(data, organization)];
  const [wasPaid, isPaid] = [before.open <= 0n, after.open <= 0n];
  const openChanged = wasPaid === isPaid && before.open !== after.open && !openExplained;
  return [
    ...(before.terms !== after.terms || openChanged ? [{ type: 'schedule.changed', data } as const] : []),
    ...(!wasPaid && isPaid ? [{ type: 'schedule.paid', data } as const] : []),
    ...(wasPaid && !isPaid ? [{ type: 'schedule.reopened', data } as const] : []),
  ];
}

/** Once for each due date, for ever. */
function ofOverdue(before: Remembered | undefined, { due, data }: Observation): DetectedChange[] {
  return due === undefined || due === before?.announcedDue ? [] : [{ type: 'schedule.overdue', data }];
}
