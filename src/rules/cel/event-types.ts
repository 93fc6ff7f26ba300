import type { BillFacts, SupplierFacts } from '../../events/bill';
import type {
  AddressFacts,
  CanonicalEvent,
  ChargeFacts,
  CustomerFacts,
  DisputeFacts,
  EditFacts,
  EventType,
  OrderFacts,
  OrderLine,
  PaymentFacts,
  PaymentTerm,
  PayoutFacts,
  PayoutLine,
  RefundFacts,
  ReturnedItem,
} from '../../events/event';
import type { FeeFacts } from '../../events/fee';
import type { PlannedSettlement, SettlementFacts } from '../../events/settlement';
import { subjectNameOf, subjectOf, type Subjects } from '../../events/subject';
import { unpaidDecrease } from '../../events/unpaid-decrease';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import {
  bool,
  boundedList,
  double,
  emptyableObject,
  factType,
  flag,
  int,
  list,
  object,
  plain,
  possibleInt,
  possibleList,
  text,
  texts,
  type FactType,
  type Field,
} from './facts';
import { Instalment } from './functions';

const money = plain<Money>('Money');
const optionalMoney = plain<Money | undefined>('Money');
const instant = plain<Date>('Instant');
const optionalInstant = plain<Date | undefined>('Instant');
const date = plain<CalendarDate>('Date');
const optionalDate = plain<CalendarDate | undefined>('Date');

export const ADDRESS = factType<Partial<AddressFacts>>('Address', {
  line1: text,
  number: text,
  line2: text,
  district: text,
  city: text,
  state: text,
  zipCode: text,
  country: text,
});

const CUSTOMER = factType<CustomerFacts>('Customer', {
  key: text,
  name: text,
  document: text,
  email: text,
  phone: text,
  address: emptyableObject<AddressFacts>(ADDRESS),
});

const PLANNED_SETTLEMENT = factType<PlannedSettlement>('PlannedSettlement', {
  key: text,
  number: int,
  value: money,
  fee: optionalMoney,
  on: date,
});

const PAYMENT = factType<PaymentFacts>('Payment', {
  key: text,
  gateway: text,
  method: text,
  brand: text,
  value: money,
  fee: optionalMoney,
  net: optionalMoney,
  instalments: possibleInt,
  settlements: possibleList(PLANNED_SETTLEMENT),
  storeCredit: flag,
  paidAt: instant,
  datedBy: text,
});

const CHARGE = factType<ChargeFacts>('Charge', {
  key: text,
  gateway: text,
  method: text,
  value: money,
  dueDate: optionalDate,
  expiresAt: optionalInstant,
  line: text,
});

/** An edit, and what is worked out of its order when a rule asks for it. */
interface Edit extends EditFacts {
  unpaidDecrease: () => Money;
}

const EDIT = factType<Edit>('Edit', {
  key: text,
  value: money,
  unpaidDecrease: { type: 'Money', read: (made) => made() },
  editedAt: instant,
});

const RETURNED_ITEM = factType<ReturnedItem>('ReturnedItem', { title: text, sku: text, quantity: double });

const REFUND = factType<RefundFacts>('Refund', {
  key: text,
  value: money,
  paymentKey: text,
  returned: possibleList(RETURNED_ITEM),
  gateway: text,
  storeCredit: flag,
  refundedAt: instant,
});

const PAYOUT_LINE = factType<PayoutLine>('PayoutLine', { kind: text, value: money, orderKey: text });

const PAYOUT = factType<PayoutFacts>('Payout', {
  key: text,
  source: text,
  id: text,
  gateway: text,
  value: money,
  fee: optionalMoney,
  lines: possibleList(PAYOUT_LINE),
  paidAt: instant,
  test: bool,
});

const LINE = factType<OrderLine>('Line', {
  title: text,
  sku: text,
  quantity: double,
  price: money,
  discount: optionalMoney,
  tax: optionalMoney,
  giftCard: flag,
});

/** What was agreed, as the parts of an amount are that a rule splits; absent: none. */
const terms: Field<PaymentTerm[] | undefined> = {
  type: 'list<Instalment>',
  read: (fact, name) =>
    boundedList(fact ?? [], name).map(
      ({ value, dueDate }, index) => new Instalment(value, dueDate, BigInt(index + 1)),
    ),
  makes: true,
};

type OrderOfRules = Omit<OrderFacts, 'edits'> & { edits?: Edit[] };

const ORDER = factType<OrderOfRules>('Order', {
  key: text,
  source: text,
  id: text,
  number: text,
  total: money,
  discount: optionalMoney,
  shipping: optionalMoney,
  tax: optionalMoney,
  tip: optionalMoney,
  commission: optionalMoney,
  marketplace: text,
  createdAt: instant,
  updatedAt: optionalInstant,
  cancelledAt: optionalInstant,
  paidAt: optionalInstant,
  instalments: int,
  terms,
  test: bool,
  customer: object(CUSTOMER),
  payment: object(PAYMENT),
  payments: list(PAYMENT),
  charge: object(CHARGE),
  refunds: list(REFUND),
  edits: possibleList(EDIT),
  lines: list(LINE),
  differences: texts,
});

const DISPUTE = factType<DisputeFacts>('Dispute', {
  key: text,
  source: text,
  id: text,
  orderKey: text,
  gateway: text,
  value: money,
  fee: optionalMoney,
  state: text,
  openedAt: instant,
  closedAt: optionalInstant,
  test: bool,
});

const FEE = factType<FeeFacts>('Fee', {
  key: text,
  source: text,
  id: text,
  gateway: text,
  value: money,
  returned: flag,
  description: text,
  chargedAt: instant,
  test: bool,
});

const SETTLEMENT = factType<SettlementFacts>('Settlement', {
  key: text,
  source: text,
  id: text,
  orderKey: text,
  paymentKey: text,
  gateway: text,
  number: int,
  of: int,
  value: money,
  fee: optionalMoney,
  feeAnnounced: flag,
  settledAt: instant,
  test: bool,
});

const SUPPLIER = factType<SupplierFacts>('Supplier', { name: text, document: text });

const BILL = factType<BillFacts>('Bill', {
  key: text,
  source: text,
  id: text,
  supplier: object(SUPPLIER),
  value: money,
  paidAt: instant,
  description: text,
  category: text,
  test: bool,
});

type EventFacts = Pick<CanonicalEvent, 'type' | 'key' | 'occurredAt'>;

const EVENT = factType<EventFacts>('Event', { type: text, key: text, occurredAt: instant });

type OrganizationFacts = Pick<Organization, 'slug' | 'name' | 'timeZone' | 'currency'>;

const ORGANIZATION = factType<OrganizationFacts>('Organization', {
  slug: text,
  name: text,
  timeZone: text,
  currency: text,
});

/** Every type made of facts, in the order in which they refer to each other. */
export const FACT_TYPES: readonly FactType<never>[] = [
  ADDRESS,
  CUSTOMER,
  PLANNED_SETTLEMENT,
  PAYMENT,
  CHARGE,
  EDIT,
  RETURNED_ITEM,
  REFUND,
  LINE,
  ORDER,
  SETTLEMENT,
  PAYOUT_LINE,
  PAYOUT,
  DISPUTE,
  FEE,
  SUPPLIER,
  BILL,
  EVENT,
  ORGANIZATION,
];

/** Names of a type's fields, for "did you mean". */
export function fieldNamesOf(type: string): readonly string[] {
  return Object.keys(FACT_TYPES.find(({ name }) => name === type)?.fields ?? {});
}

function withUnpaidDecreases(order: OrderFacts): OrderOfRules {
  const { edits } = order;
  if (edits === undefined) return order as OrderOfRules;
  return {
    ...order,
    edits: edits.map((edit) => ({ ...edit, unpaidDecrease: () => unpaidDecrease(order, edit) })),
  };
}

/** The type of the variable that has what an event is about, by its name. */
const SUBJECTS: { readonly [K in keyof Subjects]: Pick<FactType<Subjects[K]>, 'name' | 'of'> } = {
  order: { name: ORDER.name, of: (order) => ORDER.of(withUnpaidDecreases(order)) },
  customer: CUSTOMER,
  settlement: SETTLEMENT,
  payout: PAYOUT,
  dispute: DISPUTE,
  fee: FEE,
  bill: BILL,
};

/** What an event of this type brings, by CEL type. */
export function eventVariables(type: EventType): Readonly<Record<string, string>> {
  const name = subjectNameOf(type);
  return { [name]: SUBJECTS[name].name, event: EVENT.name, org: ORGANIZATION.name };
}

/** Names that events of another type bring. */
export function otherSubjects(type: EventType): string[] {
  return Object.keys(SUBJECTS).filter((name) => name !== subjectNameOf(type));
}

/** The values for {@link eventVariables}. */
export function eventValues(event: CanonicalEvent, organization: Organization): Record<string, unknown> {
  const [name, facts] = subjectOf(event);
  const type: Pick<FactType<never>, 'of'> = SUBJECTS[name];
  return { event: EVENT.of(event), org: ORGANIZATION.of(organization), [name]: type.of(facts as never) };
}
