import { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { divideSale, type Shares } from '../mapping/shares';
import { moneyOr, sumOf } from '../mapping/sums';
import type { Payload } from '../payload';
import { currencyIn, PLATFORM, type Sale } from './sale';

/** More people than ever share one sale. */
const MOST_COMMISSIONS = 200;
const PRODUCER = 'PRODUCER';
const MARKETPLACE = 'MARKETPLACE';

interface Commission {
  /** Whose it is: `PRODUCER`, `COPRODUCER`, `AFFILIATE`, `ADDON`, `MARKETPLACE`. */
  readonly source: string;
  readonly value: Money;
}

/**
 * How a sale of this shop's own is divided. Where the commissions are unknown, or in another currency than the buyer paid in, the
 * sale has no fee and nobody else's share, and says so.
 * @param listed what Hotmart's list of commissions has of the sale; undefined: nothing
 * @throws UnreadablePayload
 */
export function sharesOf(sale: Sale, listed: Payload | undefined): Shares {
  const { charged } = sale;
  const { currency } = charged;
  const whole: Omit<Shares, 'differences'> = defined({
    charged,
    price: priceOf(sale),
    others: Money.zero(currency),
  });
  const commissions = commissionsIn(listed);
  const own = commissionOf(sale, commissions, (source) => source === PRODUCER);
  if (own === undefined)
    return {
      ...whole,
      differences: [
        'Hotmart does not say yet what the shop gets of the sale: its fee and the commissions of others are left out.',
      ],
    };
  const other = commissions.find(({ value }) => value.currency !== currency)?.value.currency;
  if (other !== undefined)
    return {
      ...whole,
      differences: [
        `Hotmart pays the commissions in ${other}, but the buyer paid in ${currency}: its fee and the commissions of others are left out.`,
      ],
    };
  const fee = commissionOf(sale, commissions, (source) => source === MARKETPLACE) ?? namedFee(sale);
  const others = commissionOf(sale, commissions, (source) => source !== PRODUCER && source !== MARKETPLACE);
  return divideSale(PLATFORM, defined({ ...whole, own, fee, others: others ?? whole.others }));
}

/** What this shop gets of a sale of somebody else; undefined where Hotmart does not say. @throws UnreadablePayload */
export function commissionAs(sale: Sale, listed: Payload | undefined): Money | undefined {
  return commissionOf(sale, commissionsIn(listed), (source) => source === sale.role);
}

function commissionsIn(listed: Payload | undefined): Commission[] {
  const entries = listed?.items('commissions', MOST_COMMISSIONS) ?? [];
  return entries.map((entry) => {
    const commission = entry.at('commission');
    const currency = currencyIn(commission) ?? commission.missing('currency_value');
    return {
      source: entry.word('source') ?? entry.missing('source'),
      value: commission.amount('value', currency) ?? commission.missing('value'),
    };
  });
}

/** Undefined where there are none. */
function commissionOf(
  { answer }: Sale,
  commissions: readonly Commission[],
  isCounted: (source: string) => boolean,
): Money | undefined {
  const counted = commissions.filter(({ source }) => isCounted(source)).map(({ value }) => value);
  const [first] = counted;
  if (first === undefined) return undefined;
  const alike = counted.filter(({ currency }) => currency === first.currency).map(({ minor }) => minor);
  return moneyOr(sumOf(alike), first.currency, () => answer.fail('commissions', 'come to too much'));
}

/** The fee that the sale itself names; undefined where it names none, or one in another currency. */
function namedFee({ purchase, charged }: Sale): Money | undefined {
  const fee = purchase.at('hotmart_fee');
  return currencyIn(fee) === charged.currency ? fee.amount('total', charged.currency) : undefined;
}

/** What the product costs without the interest of instalments: Hotmart takes its fee of that. */
function priceOf({ purchase, charged }: Sale): Money | undefined {
  const fee = purchase.at('hotmart_fee');
  if (currencyIn(fee) !== charged.currency) return undefined;
  const base = fee.amount('base', charged.currency);
  return base?.isPositive && base.minor <= charged.minor ? base : undefined;
}
