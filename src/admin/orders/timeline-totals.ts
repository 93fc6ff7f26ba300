import type { MoneyFacts } from '../../events/money-facts';
import { formatMinor, Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { isAboutRefund } from '../../sources/mapping/keys';
import type { TimelineSummary } from './timeline.dto';
import { isAbout, type TimelineRecords } from './timeline-records';
import type { BookedRow, TimelineEffectRow } from './timeline.repository';

const RECEIVING = ['receipt.allocate', 'receipt.register', 'transfer.make'];
const WRITE_OFF = 'credit-schedule.write-off';

/**
 * What it comes to, as decimal text in the organization's currency. Of Ponte's own books: as they stand, with what people
 * entered and took back. Of a remote service's: what effects booked, and what was observed to be open.
 * @param facts what the sources say, the newest first
 */
export function timelineTotals(
  { currency }: Organization,
  [facts]: readonly MoneyFacts[],
  records: TimelineRecords,
): Pick<TimelineSummary, 'total' | 'received' | 'refunded' | 'open'> {
  const text = (minor: bigint): string => formatMinor(minor, Money.exponentOf(currency));
  const { received, refunded, open } = records.booked
    ? inOwnBooks(records.booked, records.effects)
    : asApplied(records);
  return {
    total: facts?.currency === currency ? text(BigInt(facts.total)) : null,
    received: text(received),
    refunded: text(refunded),
    open: open === undefined ? null : text(open),
  };
}

interface Totals {
  received: bigint;
  refunded: bigint;
  /** Undefined: it has no receivable, or nobody knows. */
  open: bigint | undefined;
}

function inOwnBooks(booked: readonly BookedRow[], effects: readonly TimelineEffectRow[]): Totals {
  const takenBack = new Set(booked.flatMap(({ reversesId }) => reversesId ?? []));
  const standing = booked.filter(({ id }) => !takenBack.has(id));
  const refunds = new Set(
    effects.filter(({ key }) => isAboutRefund(key)).flatMap(({ output: { id, all } }) => all ?? id ?? []),
  );
  // Receipts by which a sale is written off stand against a payment of the same sum: nobody paid them.
  const writtenOff = new Set(
    effects.filter(({ operation }) => operation === WRITE_OFF).flatMap(({ output: { all } }) => all ?? []),
  );
  const schedules = booked.flatMap(({ openMinor }) => openMinor ?? []);
  return {
    received: sum(
      standing.filter(({ id, type }) => type === 'transfer' || (type === 'receipt' && !writtenOff.has(id))),
    ),
    refunded: sum(standing.filter(({ id, type }) => type === 'payment' && refunds.has(id))),
    open: schedules.length === 0 ? undefined : schedules.reduce((total, minor) => total + minor, 0n),
  };
}

function asApplied(records: TimelineRecords): Totals {
  const applied = records.effects
    .filter((effect) => effect.state === 'applied' && isAbout(effect, records))
    .map(({ key, operation, amountMinor }) => ({ key, operation, minor: amountMinor ?? 0n }));
  return {
    received: sum(applied.filter(({ operation }) => RECEIVING.includes(operation))),
    refunded: sum(
      applied.filter(({ key, operation }) => operation === 'payment.register' && isAboutRefund(key)),
    ),
    open: records.observedOpen,
  };
}

function sum(rows: readonly { minor: bigint }[]): bigint {
  return rows.reduce((total, { minor }) => total + minor, 0n);
}
