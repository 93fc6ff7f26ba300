import type { ChargeFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { fullPaymentKey } from '../mapping/keys';
import type { AwaitedCharge } from '../mapping/order-events';
import type { Payload } from '../payload';
import { amountIn } from './transactions';

/** Ways to pay that the buyer pays after ordering. */
const PAID_LATER = ['boleto', 'pix', 'ticket', 'wire_transfer', 'bank_debit'];
/** What is paid until the end of a day, as it is printed on it. */
const DUE_BY_DAY = ['boleto', 'ticket'];
/** States of a transaction that will bring nothing any more. */
const ENDED = ['expired', 'voided'];

/** What an order says of itself besides its transactions. */
export interface Waiting {
  readonly order: Payload;
  readonly orderKey: string;
  readonly total: Money;
  readonly gateway: string;
  /** It will not be paid any more. */
  readonly ended: boolean;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

/** The boleto, Pix or transfer that an order waits for, or waited for in vain; undefined where it waits for none. */
export function awaitedCharge(
  waiting: Waiting,
  transactions: readonly Payload[],
  zone: string,
): AwaitedCharge | undefined {
  const later = transactions.filter((one) => PAID_LATER.includes(methodOf(one)));
  const open = later.findLast((one) => one.text('status') === 'pending');
  const transaction = open ?? later.findLast((one) => ENDED.includes(one.text('status') ?? ''));
  const method = transaction
    ? methodOf(transaction)
    : (waiting.order.loosely('payment_details').textIfAny('method') ?? '');
  if (!PAID_LATER.includes(method)) return undefined;
  const charge = chargeOf(waiting, transaction, method, zone);
  if (!charge.value.isPositive) return undefined;
  const expired = waiting.ended || (transaction !== undefined && open === undefined);
  return { charge, expired, at: expired ? waiting.changedAt : waiting.createdAt };
}

/** How a transaction is paid: `credit_card`, `boleto`, `pix`; empty when it does not say. */
export function methodOf(transaction: Payload): string {
  return transaction.at('payment_method').textIfAny('type') ?? '';
}

function chargeOf(
  { orderKey, total, gateway }: Waiting,
  transaction: Payload | undefined,
  method: string,
  zone: string,
): ChargeFacts {
  const info = transaction?.at('info');
  const [first] = transaction?.firstItems('events', 1) ?? [];
  const byDay = DUE_BY_DAY.includes(method);
  return defined({
    ...{ key: fullPaymentKey(orderKey), gateway, method },
    value: (first && amountIn(first, 'amount', total.currency)) ?? total,
    dueDate: byDay ? info?.day('external_resource_expires_at', zone) : undefined,
    expiresAt: byDay ? undefined : info?.instant('external_resource_expires_at', zone),
    line: info?.text('external_resource_code'),
  });
}
