import type { Money } from '../../kernel/money';
import { brazilianInstant } from '../mapping/brazilian-dates';
import { defined } from '../mapping/defined';
import { moneyOr, sumOf } from '../mapping/sums';
import type { Payload } from '../payload';
import type { DateZones } from '../source';
import { codeIn, codeOf } from './message';

/** What payments are called that came to no account of which Omie says the number. */
const GATEWAY = 'omie';
/** The one currency that Omie has. */
export const CURRENCY = 'BRL';

/** The account that money came to, as the table of accounts may name it. @param account Omie's number of it */
export function gatewayOf(account?: string): string {
  return account === undefined ? GATEWAY : `${GATEWAY}-${account}`;
}

const MOST_ENTRIES = 200;

/** Money that moved for a title (baixa): a receivable that was paid, or a bill. */
export interface Moved {
  readonly id: string;
  /** What moved, all included. Never negative. */
  readonly cash: Money;
  /** The part of it that the title itself is paid with: without interest and fines. Never negative. */
  readonly principal: Money;
  /** Interest and fines (juros e multa) that moved besides, in cents. */
  readonly late: bigint;
  /** What the title was made less by (desconto), in cents. */
  readonly discount: bigint;
  readonly at: Date;
  /** Omie's number of the account (conta corrente); absent: Omie does not say. */
  readonly account?: string;
}

/** One entry as Omie has it, in cents. */
interface Entry {
  readonly place: Payload;
  readonly stated: bigint;
  readonly late: bigint;
  readonly discount: bigint;
}

/**
 * The money that moved for a title. What an entry states may be the part of the title that it pays, or what reached the account:
 * where interest, fines or a discount make these differ, the title's summary has to tell which of the two it is.
 * @throws UnreadablePayload also where the summary agrees with neither
 */
export function readMoved(title: Payload, zones: DateZones): Moved[] {
  const entries = title.items('lancamentos', MOST_ENTRIES).map(readEntry);
  const isPlain = entries.every(({ late, discount }) => late === 0n && discount === 0n);
  const statesCash = !isPlain && saysCash(title, entries);
  return entries.map((entry) => {
    const { place, stated, late, discount } = entry;
    return defined({
      id: codeOf(place, 'nCodLanc'),
      cash: moneyIn(entry, statesCash ? stated : stated + late - discount),
      principal: moneyIn(entry, statesCash ? stated - late : stated - discount),
      ...{ late, discount },
      at: brazilianInstant(place, 'dDtLanc', zones) ?? place.missing('dDtLanc'),
      account: codeIn(place, 'nCodCC'),
    });
  });
}

function readEntry(place: Payload): Entry {
  const stated = (place.amount('nValLanc', CURRENCY) ?? place.missing('nValLanc')).minor;
  return {
    place,
    stated,
    late: centsOf(place, 'nJuros') + centsOf(place, 'nMulta'),
    discount: centsOf(place, 'nDesconto'),
  };
}

/** Whether the entries state what reached the account, by the title's summary. */
function saysCash(title: Payload, entries: readonly Entry[]): boolean {
  const summary = title.at('resumo');
  const principal = centsOf(summary, 'nValPago');
  const cash = centsOf(summary, 'nValLiquido');
  const late = centsOf(summary, 'nJuros') + centsOf(summary, 'nMulta');
  const discount = centsOf(summary, 'nDesconto');
  const sum = (of: (entry: Entry) => bigint): bigint => sumOf(entries.map(of));
  const agrees =
    cash === principal + late - discount &&
    late === sum((entry) => entry.late) &&
    discount === sum((entry) => entry.discount);
  const stated = sum((entry) => entry.stated);
  if (!agrees || (stated !== principal && stated !== cash))
    return title.fail('resumo', 'does not come to what its entries (lancamentos) say');
  return stated !== principal;
}

function centsOf(place: Payload, key: string): bigint {
  return place.amount(key, CURRENCY)?.minor ?? 0n;
}

function moneyIn({ place }: Entry, minor: bigint): Money {
  if (minor < 0n) return place.fail('nDesconto', 'is more than what was paid');
  return moneyOr(minor, CURRENCY, () => place.fail('nValLanc', 'is too much'));
}
