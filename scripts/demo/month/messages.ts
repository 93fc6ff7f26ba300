import { Draw } from './draw';
import type { RulesInForce } from './expected';
import type { Month, Shop } from './facts';
import { shopifyMessages } from './shopify-messages';
import { orderMessages, otherMessages, settlementMessages } from './standard-messages';
import { wooMessages } from './woocommerce-messages';

/** A webhook before it is signed. */
export interface Message {
  readonly source: Shop;
  readonly topic: string;
  readonly body: Buffer;
  /** Names the delivery: the same one sent again has the same. */
  readonly id: string;
}

const MESSAGES_OF = { shopify: shopifyMessages, woocommerce: wooMessages, standard: orderMessages };

/**
 * Everything that shops and gateways send of the month, in no order; one in six is sent twice, half of them under another
 * id. What acquirers pay of cards is sent where a rule books it.
 */
export function messagesOf(month: Month, rules: RulesInForce, seed: number): Message[] {
  const draw = new Draw(seed);
  const bodies = [
    ...month.orders.flatMap((order) => MESSAGES_OF[order.shop](order)),
    ...otherMessages(month),
    ...(rules.has('payment-settled') ? month.orders.flatMap(settlementMessages) : []),
  ];
  const sent = bodies.map((message, index) => ({ ...message, id: `month-${index + 1}` }));
  const again = sent
    .filter(() => draw.between(1, 6) === 1)
    .map((message) => (draw.between(0, 1) === 0 ? message : { ...message, id: `${message.id}-again` }));
  return draw.shuffled([...sent, ...again]);
}
