import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import { filledText } from '../../../kernel/text';
import {
  type AccountEntries,
  type AccountEntriesRequest,
  type AccountEntry,
  BookDetailsPort,
  type Instalment,
  MOST_SETTLEMENTS,
  readCursor,
  type Settlement,
  writeCursor,
} from '../../api/ports/book-details.port';
import { PaymentsPort } from '../../api/ports/payments.port';
import { ReceiptsPort } from '../../api/ports/receipts.port';
import type { MovementView } from '../../api/shapes/schedules.dto';
import { dayOfWire, minorOfWire } from '../../api/shapes/wire';

const PAGE_SIZE = 500;
const LATEST_FIRST = 'date desc,entryId desc';
/** More than any account has entries. */
const MAX_PASSED = 1_000_000_000;

/** How many of each a walk along an account has passed. */
interface Passed {
  receipts: number;
  payments: number;
}

/** Details of books that a remote service keeps, out of the listings that its interface has. */
@Injectable()
export class BookDetailsRemote extends BookDetailsPort {
  constructor(
    private readonly receipts: ReceiptsPort,
    private readonly payments: PaymentsPort,
  ) {
    super();
  }

  /** Two listings in one order, of which the later entries are taken. */
  override async entries(
    organization: Organization,
    accountId: string,
    { from, to, limit, after }: AccountEntriesRequest,
  ): Promise<AccountEntries> {
    const passed = passedOf(after);
    const filter = [
      `account/id eq ${accountId}`,
      ...(from ? [`date ge ${from.toString()}`] : []),
      ...(to ? [`date le ${to.toString()}`] : []),
    ].join(' and ');
    const list = { top: limit + 1, filter, orderBy: LATEST_FIRST };
    const [receipts, payments] = await Promise.all([
      this.receipts.list(organization, { ...list, skip: passed.receipts }),
      this.payments.list(organization, { ...list, skip: passed.payments }),
    ]);
    const received = receipts.items.map((item) => entryOf(item, 'receipt', organization));
    const paid = payments.items.map((item) => entryOf(item, 'payment', organization));
    // A walk that passes some of each would miss others.
    if (![received, paid].every(isLatestFirst)) throw misbehaved('it takes no order by date');
    const found = [...received, ...paid];
    const asAsked = ({ date }: AccountEntry): boolean =>
      !(from && date.compare(from) < 0) && !(to && date.compare(to) > 0);
    const isOfAccount = ({ account }: MovementView): boolean => account.id?.toLowerCase() === accountId;
    if (![...receipts.items, ...payments.items].every(isOfAccount) || !found.every(asAsked))
      throw misbehaved('it takes no filter by account or day');
    const shown = found.sort(latestFirst).slice(0, limit);
    const count = (kind: AccountEntry['kind']): number => shown.filter((entry) => entry.kind === kind).length;
    const next = [passed.receipts + count('receipt'), passed.payments + count('payment')];
    return { items: shown, ...(found.length > limit && { next: writeCursor(next) }) };
  }

  override async settlements(
    organization: Organization,
    customerId: string,
    schedules: readonly string[],
  ): Promise<Settlement[] | undefined> {
    if (schedules.length === 0) return [];
    const wanted = new Set(schedules);
    const found = new Map<string, Settlement>();
    let skipToken: string | undefined;
    for (let read = 0; read < MOST_SETTLEMENTS; read += PAGE_SIZE) {
      const { items, next } = await this.receipts.list(organization, {
        ...{ top: PAGE_SIZE, skip: 0, filter: `stakeholder/id eq ${customerId}` },
        ...(skipToken !== undefined && { skipToken }),
      });
      for (const item of items) {
        const schedule = item.scheduleId?.toLowerCase();
        if (schedule === undefined || !wanted.has(schedule)) continue;
        const { stakeholder: _, ...entry } = entryOf(item, 'receipt', organization);
        found.set(entry.id, { ...entry, kind: 'receipt', schedule });
      }
      if (next === undefined) return [...found.values()];
      skipToken = next;
    }
    return undefined;
  }

  override instalments(): Promise<Map<string, Instalment>> {
    return Promise.resolve(new Map<string, Instalment>());
  }

  override defaultAccount(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

function latestFirst(left: AccountEntry, right: AccountEntry): number {
  return right.date.compare(left.date) || (left.id < right.id ? 1 : -1);
}

function isLatestFirst(entries: readonly AccountEntry[]): boolean {
  return entries.slice(1).every((entry, index) => {
    const before = entries[index];
    return before !== undefined && latestFirst(before, entry) < 0;
  });
}

function misbehaved(why: string): Problem {
  return new Problem(
    'finance-misbehaved',
    `the finance service lists receipts and payments otherwise than asked: ${why}`,
  );
}

/** @throws Problem malformed-request */
function passedOf(after: string | undefined): Passed {
  if (after === undefined) return { receipts: 0, payments: 0 };
  const [receipts, payments] = readCursor(after) ?? [];
  if (!isPassed(receipts) || !isPassed(payments))
    throw new Problem('malformed-request', 'after must be what the page before has as after');
  return { receipts, payments };
}

function isPassed(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < MAX_PASSED;
}

/** @throws Problem finance-misbehaved */
function entryOf(
  item: MovementView,
  kind: 'receipt' | 'payment',
  { currency, timeZone }: Organization,
): AccountEntry {
  const minor = minorOfWire(item.value, currency);
  const { id, name } = item.stakeholder;
  return {
    id: item.entryId.toLowerCase(),
    kind,
    date: dayOfWire(item.date, timeZone),
    minor: kind === 'receipt' ? minor : -minor,
    description: filledText(item.description) ?? '',
    stakeholder: id === undefined ? null : { id: id.toLowerCase(), name: name ?? '' },
    schedule: item.scheduleId?.toLowerCase() ?? null,
    reference: item.reference ?? null,
    identifier: item.identifier ?? null,
  };
}
