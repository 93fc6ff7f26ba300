import type { Money } from '../../kernel/money';
import type { CustomFields } from '../mapping/custom-fields';
import { definedOnly } from '../mapping/defined';
import { fullPaymentKey } from '../mapping/keys';
import type { AwaitedCharge } from '../mapping/order-events';
import { parseDay, parseInstant } from '../instant';
import type { Payload } from '../payload';
import { asaasCharge } from './asaas';
import { instantOf } from './dates';

/** Ways to pay that are paid after the order is placed, as gateways' plugins name them. */
const PAID_LATER =
  /boleto|bolbradesco|billet|[-_]ticket\b|\bpix\b|_pix|pix_|^bacs$|^cheque$|transfer|dep[oó]sito/i;

/**
 * What an order that is not paid waits for: a boleto, a Pix or a transfer, where its gateway or the plugin's fields say
 * so. It waited in vain where its status is `failed`; that of a card only says that the buyer may try another.
 * @param own fields that plugins add
 */
export function awaitedCharge(
  order: Payload,
  status: string,
  key: string,
  total: Money,
  own: CustomFields,
  zone: string,
): AwaitedCharge | undefined {
  if (!['pending', 'on-hold', 'failed'].includes(status) || !total.isPositive) return undefined;
  const gateway = order.text('payment_method') ?? '';
  const method = order.text('payment_method_title') ?? '';
  const asaas = asaasCharge(own, zone);
  const line = own.chargeLine() ?? asaas.line;
  if (line === undefined && !PAID_LATER.test(gateway) && !PAID_LATER.test(method)) return undefined;
  const due = own.chargeDueDate();
  const expiry = own.chargeExpiry();
  const createdAt = instantOf(order, 'date_created', zone) ?? order.missing('date_created_gmt');
  const expired = status === 'failed';
  return {
    charge: {
      ...{ key: fullPaymentKey(key), gateway, method, value: total },
      ...definedOnly({
        dueDate: due === undefined ? asaas.dueDate : parseDay(due, zone),
        expiresAt: expiry === undefined ? asaas.expiresAt : parseInstant(expiry, zone),
        line,
      }),
    },
    at: expired ? (instantOf(order, 'date_modified', zone) ?? createdAt) : createdAt,
    expired,
  };
}
