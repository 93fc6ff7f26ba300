import { grouped } from '../../kernel/grouped';
import { type Money, MoneyError } from '../../kernel/money';

/** How many items a message lists one by one. */
export const MOST_LISTED = 25;
/** How many items one message counts. */
export const MOST_ITEMS = 5_000;
/** Characters of a business key that are shown. */
const MOST_OF_KEY = 200;
/** A key that a shop made of an e-mail address. */
const ADDRESS = /[^\s/@]+@[^\s/]+/g;

export type ItemKind = 'attention' | 'dead-letter' | 'completeness';

/** Something that needs a person, with nothing that a shop or a customer wrote but keys. */
export interface OpenItem {
  readonly kind: ItemKind;
  /** UUID of the item of attention, the delivery, or the source. */
  readonly id: string;
  /** What it is just now: sent again when that is another. */
  readonly version: string;
  readonly code: string;
  /** What it is about; null: that was not understood. */
  readonly businessKey: string | null;
  /** Null: no amount is part of it. */
  readonly amount: Money | null;
  readonly since: Date;
  /** Slug; null: it is about no one source. */
  readonly source: string | null;
  /** Of `completeness`: how many differences there are, and of which days (`YYYY-MM-DD`). */
  readonly differing?: { readonly count: number; readonly from: string; readonly to: string };
}

/** All that one message says. */
export interface Digest {
  readonly organization: { readonly slug: string; readonly name: string; readonly timeZone: string };
  /** Name of the subscription. */
  readonly subscription: string;
  /** The oldest first; {@link MOST_ITEMS} at most. */
  readonly items: readonly OpenItem[];
  /** Whether there are more, which the next message has. */
  readonly hasMore: boolean;
}

/** What a digest says of one code. */
export interface Total {
  readonly code: string;
  readonly count: number;
  /** One for each currency, by its code; those of nothing, and larger ones than the books could have, are left out. */
  readonly sums: readonly Money[];
}

/** Counts and sums by code: the most frequent first. */
export function totalsOf(items: readonly OpenItem[]): Total[] {
  return [...grouped(items, ({ code }) => code)]
    .map(([code, those]) => ({ code, count: those.length, sums: sumsOf(those) }))
    .sort((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
}

function sumsOf(items: readonly OpenItem[]): Money[] {
  const amounts = items.flatMap(({ amount }) => (amount === null || amount.isZero ? [] : [amount]));
  return [...grouped(amounts, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, those]) => sumOf(those) ?? []);
}

function sumOf(amounts: readonly Money[]): Money | undefined {
  try {
    return amounts.reduce((sum, amount) => sum.plus(amount));
  } catch (error) {
    if (error instanceof MoneyError) return undefined;
    throw error;
  }
}

/** The key as people see it: cut where it is long, and without what looks like somebody's e-mail address. */
export function shownKey(key: string): string {
  const shown = key.replace(ADDRESS, '…@…');
  return shown.length > MOST_OF_KEY ? `${shown.slice(0, MOST_OF_KEY)}…` : shown;
}

/** Where an operator sees it: a path of the API. */
export function pathOf({ kind, id, source, differing }: OpenItem, organization: string): string {
  const path = `/admin/organizations/${organization}`;
  if (kind === 'attention') return `${path}/attention`;
  if (kind === 'dead-letter') return `${path}/deliveries/${id}`;
  return `${path}/completeness?${new URLSearchParams({ source: source ?? '', from: differing?.from ?? '', to: differing?.to ?? '' }).toString()}`;
}

/** How an operator sees it on the command line. */
export function commandOf({ kind, id, source, differing }: OpenItem, organization: string): string {
  if (kind === 'attention') return `ponte attention list --org ${organization}`;
  if (kind === 'dead-letter') return `ponte deliveries show ${id} --org ${organization}`;
  return `ponte completeness --org ${organization} --source ${source ?? ''} --from ${differing?.from ?? ''} --to ${differing?.to ?? ''}`;
}

/** The commands that list all of an organization's open items of these kinds. */
export function listCommandsOf(items: readonly OpenItem[], organization: string): string[] {
  const kinds = new Set(items.map(({ kind }) => kind));
  return [
    ...(kinds.has('attention') ? [`ponte attention list --org ${organization}`] : []),
    ...(kinds.has('dead-letter') ? [`ponte dead-letters list --org ${organization}`] : []),
    ...(kinds.has('completeness') ? [`ponte sources list --org ${organization}`] : []),
  ];
}
