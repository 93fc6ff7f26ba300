import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { amountOfUnits } from '../mapping/minor-units';
import { divideSale, type Shares } from '../mapping/shares';
import { moneyOr, sumOf } from '../mapping/sums';
import type { Payload } from '../payload';

/** Kiwify takes every payment itself. */
export const GATEWAY = 'kiwify';
/** What people call it. */
export const PLATFORM = 'Kiwify';

/** More people than ever share one sale. */
const MOST_STORES = 200;
const PRODUCER = 'producer';

/** The sale's `Commissions`. @throws UnreadablePayload */
export function sharesOf(order: Payload, currencyElse: string): Shares {
  const place = order.at('Commissions');
  const currency = place.currency('currency') ?? currencyElse;
  const charged = amountOfUnits(place, 'charge_amount', currency) ?? place.missing('charge_amount');
  const priceCurrency = place.currency('product_base_price_currency') ?? currency;
  const price = priceCurrency === currency ? amountOfUnits(place, 'product_base_price', currency) : undefined;
  const own = amountOfUnits(place, 'my_commission', currency);
  const others = othersOf(place, currency);
  return divideSale(
    PLATFORM,
    defined({
      charged,
      others,
      price,
      own,
      fee: namedFee(place, currency),
    }),
  );
}

/** What co-producers and affiliates get. */
function othersOf(place: Payload, currency: string): Money {
  const minor = place
    .items('commissioned_stores', MOST_STORES)
    .filter((store) => store.text('type') !== PRODUCER)
    .map((store) => (amountOfUnits(store, 'value', currency) ?? store.missing('value')).minor);
  return moneyOr(sumOf(minor), currency, () => place.fail('commissioned_stores', 'is too much'));
}

/** The fee that Kiwify names; undefined where it names none, or one in another currency. */
function namedFee(place: Payload, currency: string): Money | undefined {
  const feeCurrency = place.currency('kiwify_fee_currency') ?? currency;
  return feeCurrency === currency ? amountOfUnits(place, 'kiwify_fee', currency) : undefined;
}
