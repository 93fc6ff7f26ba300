import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Organization } from '../../../kernel/organization';

export const ACCOUNT_ENTRY_KINDS = ['opening', 'receipt', 'payment', 'transfer'] as const;

/** What moved the balance of one account. */
export interface AccountEntry {
  id: string;
  kind: (typeof ACCOUNT_ENTRY_KINDS)[number];
  date: CalendarDate;
  /** Minor units: below zero where money left the account. */
  minor: bigint;
  description: string;
  stakeholder: { id: string; name: string } | null;
  /** UUID of the receivable or payable that it settles. */
  schedule: string | null;
  reference: string | null;
  identifier: string | null;
}

/** Which entries of an account are asked for. */
export interface AccountEntriesRequest {
  /** The first day. */
  from?: CalendarDate;
  /** The last day. */
  to?: CalendarDate;
  /** Entries at most, from 1. */
  limit: number;
  /** What the page before has as `next`. */
  after?: string;
}

export interface AccountEntries {
  items: AccountEntry[];
  /** Absent where none follow. */
  next?: string;
}

/** What a receivable was settled by, wholly or in part. */
export interface Settlement {
  id: string;
  /** UUID of the receivable. */
  schedule: string;
  kind: 'receipt' | 'discount';
  date: CalendarDate;
  /** Minor units, above zero. */
  minor: bigint;
  description: string;
  reference: string | null;
  identifier: string | null;
}

/** Which instalment of how many. */
export interface Instalment {
  number: number;
  count: number;
}

/** Settlements of one customer at most; where there are more, none are given. */
export const MOST_SETTLEMENTS = 10_000;

/** What operators are shown of the books that no operation of the finance interface gives by itself. Nothing is changed. */
export abstract class BookDetailsPort {
  /**
   * Entries of an account, the latest day first, without what was taken back. Of a remote service receipts and payments
   * alone: its interface lists neither transfers nor opening balances.
   * @param accountId of the organization
   * @throws Problem `malformed-request` for an `after` that cannot be read
   */
  abstract entries(
    organization: Organization,
    accountId: string,
    request: AccountEntriesRequest,
  ): Promise<AccountEntries>;

  /**
   * What receivables of one customer were settled by, without what was taken back, in no order. A remote service does
   * not list discounts.
   * @param schedules UUIDs of receivables of that customer
   * @returns undefined where there are more than {@link MOST_SETTLEMENTS}
   */
  abstract settlements(
    organization: Organization,
    customerId: string,
    schedules: readonly string[],
  ): Promise<Settlement[] | undefined>;

  /** Which instalments receivables are, by UUID; without those of one alone. A remote service does not tell. */
  abstract instalments(
    organization: Organization,
    schedules: readonly string[],
  ): Promise<Map<string, Instalment>>;

  /** UUID of the account that is taken where none is named; null: none is set. undefined: a remote service does not tell. */
  abstract defaultAccount(organization: Organization): Promise<string | null | undefined>;
}

/** A cursor of {@link AccountEntries}. */
export function writeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @returns what {@link writeCursor} was given, unchecked; undefined where it did not make the text */
export function readCursor(text: string): unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? (parts as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
