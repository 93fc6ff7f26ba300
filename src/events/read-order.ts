import type { LosslessJson } from '../kernel/lossless-json';
import type {
  AddressFacts,
  ChargeFacts,
  CustomerFacts,
  EditFacts,
  OrderFacts,
  OrderLine,
  PaymentFacts,
  PaymentTerm,
  RefundFacts,
  ReturnedItem,
} from './event';
import { MOST_EDITS, MOST_LINES, MOST_PAYMENTS, MOST_REFUNDS, MOST_SETTLEMENTS, MOST_TERMS } from './limits';
import type { PlannedSettlement } from './settlement';
import { type Faults, listOf, needed, objectOf, possible } from './shape';
import { change, count, day, flag, instant, money, name, positiveMoney, quantity, text } from './values';

/** A sentence for each line, and a few more. */
const MOST_DIFFERENCES = MOST_LINES + 100;

const address = objectOf<AddressFacts>({
  line1: possible(text),
  number: possible(text),
  line2: possible(text),
  district: possible(text),
  city: possible(text),
  state: possible(text),
  zipCode: possible(text),
  country: possible(text),
});

/** A customer, of an order or by itself. */
export const readCustomer = objectOf<CustomerFacts>({
  key: needed(name),
  name: needed(name),
  document: possible(text),
  email: possible(text),
  phone: possible(text),
  address: possible(address),
});

const settlement = objectOf<PlannedSettlement>({
  key: needed(name),
  number: needed(count),
  value: needed(positiveMoney),
  fee: possible(money),
  on: needed(day),
});

const payment = objectOf<PaymentFacts>({
  key: needed(name),
  gateway: needed(text),
  method: needed(text),
  brand: possible(text),
  value: needed(money),
  fee: possible(money),
  net: possible(money),
  instalments: possible(count),
  settlements: possible(listOf(settlement, MOST_SETTLEMENTS)),
  storeCredit: possible(flag),
  paidAt: needed(instant),
  datedBy: possible(text),
});

const charge = objectOf<ChargeFacts>({
  key: needed(name),
  gateway: needed(text),
  method: needed(text),
  value: needed(positiveMoney),
  dueDate: possible(day),
  expiresAt: possible(instant),
  line: possible(text),
});

const term = objectOf<PaymentTerm>({ value: needed(positiveMoney), dueDate: needed(day) });

const edit = objectOf<EditFacts>({ key: needed(name), value: needed(change), editedAt: needed(instant) });

const returned = objectOf<ReturnedItem>({
  title: needed(text),
  sku: possible(text),
  quantity: needed(quantity),
});

const refund = objectOf<RefundFacts>({
  key: needed(name),
  value: needed(positiveMoney),
  paymentKey: possible(name),
  returned: possible(listOf(returned, MOST_LINES)),
  gateway: possible(text),
  storeCredit: possible(flag),
  refundedAt: needed(instant),
});

const line = objectOf<OrderLine>({
  title: needed(text),
  sku: possible(text),
  quantity: needed(quantity),
  price: needed(money),
  discount: possible(money),
  tax: possible(money),
  giftCard: possible(flag),
});

/** An order as JSON has it: without `payments` it has those that `payment` tells of. */
type Written = Omit<OrderFacts, 'payments'> & { payments?: PaymentFacts[] };

const written = objectOf<Written>({
  key: needed(name),
  source: needed(name),
  id: needed(name),
  number: needed(name),
  total: needed(money),
  discount: possible(money),
  shipping: possible(money),
  tax: possible(money),
  tip: possible(money),
  commission: possible(money),
  marketplace: possible(text),
  createdAt: needed(instant),
  updatedAt: possible(instant),
  cancelledAt: possible(instant),
  paidAt: possible(instant),
  instalments: needed(count),
  terms: possible(listOf(term, MOST_TERMS)),
  test: needed(flag),
  customer: needed(readCustomer),
  payment: possible(payment),
  payments: possible(listOf(payment, MOST_PAYMENTS)),
  charge: possible(charge),
  refunds: needed(listOf(refund, MOST_REFUNDS)),
  edits: possible(listOf(edit, MOST_EDITS)),
  lines: needed(listOf(line, MOST_LINES)),
  differences: needed(listOf(text, MOST_DIFFERENCES)),
});

/** An order. @returns undefined where it cannot be read; `faults` then says why */
export function readOrder(json: LosslessJson, pointer: string, faults: Faults): OrderFacts | undefined {
  const order = written(json, pointer, faults);
  if (order === undefined) return undefined;
  return { ...order, payments: order.payments ?? (order.payment ? [order.payment] : []) };
}
