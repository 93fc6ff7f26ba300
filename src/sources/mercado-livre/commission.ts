import type { Money } from '../../kernel/money';
import { moneyOf, partOf, quantityOf } from '../mapping/lines';
import type { Payload } from '../payload';

const MILLION = 1_000_000n;

/** What Mercado Livre keeps of an order for having sold it. */
export interface Commission {
  /** Undefined where it is nothing, or not told. */
  readonly value: Money | undefined;
  readonly differences: string[];
}

/**
 * The fee of one piece times the pieces, over all items.
 * @throws UnreadablePayload where an item has no quantity
 */
export function commissionOf(items: readonly Payload[], currency: string): Commission {
  const fees = items.map((item) => feeOf(item, currency));
  const isTold = fees.length > 0 && fees.every((fee) => fee !== undefined);
  return isTold
    ? { value: moneyOf(fees, currency), differences: [] }
    : {
        value: undefined,
        differences: [
          'Mercado Livre does not tell its commission for all of the order: enter it from the statement (faturamento).',
        ],
      };
}

/** In minor units; undefined where it is not told, or not to the cent. */
function feeOf(item: Payload, currency: string): bigint | undefined {
  const fee = item.has('sale_fee') ? partOf(item, 'sale_fee', currency) : undefined;
  if (fee === undefined || fee < 0n) return undefined;
  const scaled = fee * quantityOf(item, 'quantity');
  return scaled % MILLION === 0n ? scaled / MILLION : undefined;
}
