import type {
  AddressFacts,
  CanonicalEvent,
  CustomerFacts,
  DisputeFacts,
  EventType,
  OrderFacts,
  OrderLine,
  PaymentFacts,
  PayoutFacts,
  RefundFacts,
} from '../../events/event';
import type { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import {
  bool,
  double,
  emptyableObject,
  factType,
  flag,
  int,
  list,
  object,
  plain,
  text,
  texts,
  type Fact,
  type FactType,
} from './facts';

const money = plain<Money>('Money');
const optionalMoney = plain<Money | undefined>('Money');
const instant = plain<Date>('Instant');
const optionalInstant = plain<Date | undefined>('Instant');

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

const PAYMENT = factType<PaymentFacts>('Payment', {
  key: text,
  gateway: text,
  method: text,
  value: money,
  fee: optionalMoney,
  storeCredit: flag,
  paidAt: instant,
  datedBy: text,
});

const REFUND = factType<RefundFacts>('Refund', {
  key: text,
  value: money,
  gateway: text,
  storeCredit: flag,
  refundedAt: instant,
});

const PAYOUT = factType<PayoutFacts>('Payout', {
  key: text,
  source: text,
  id: text,
  gateway: text,
  value: money,
  paidAt: instant,
  test: bool,
});

const LINE = factType<OrderLine>('Line', { title: text, sku: text, quantity: double, price: money });

const ORDER = factType<OrderFacts>('Order', {
  key: text,
  source: text,
  id: text,
  number: text,
  total: money,
  createdAt: instant,
  updatedAt: optionalInstant,
  cancelledAt: optionalInstant,
  paidAt: optionalInstant,
  instalments: int,
  test: bool,
  customer: object(CUSTOMER),
  payment: object(PAYMENT),
  refunds: list(REFUND),
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
  state: text,
  openedAt: instant,
  closedAt: optionalInstant,
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
  PAYMENT,
  REFUND,
  LINE,
  ORDER,
  PAYOUT,
  DISPUTE,
  EVENT,
  ORGANIZATION,
];

/** Names of a type's fields, for "did you mean". */
export function fieldNamesOf(type: string): readonly string[] {
  return Object.keys(FACT_TYPES.find(({ name }) => name === type)?.fields ?? {});
}

/** The kinds of entities that events are about: the name of the variable, and its type. */
const SUBJECTS = { order: ORDER, customer: CUSTOMER, payout: PAYOUT, dispute: DISPUTE } as const;

/** Which of {@link SUBJECTS} events of a type bring. */
function subjectNameOf(type: EventType): keyof typeof SUBJECTS {
  if (type === 'customer.updated') return 'customer';
  if (type === 'payout.paid') return 'payout';
  return type === 'payment.disputed' ? 'dispute' : 'order';
}

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
  return { ...subjectValue(event), event: EVENT.of(event), org: ORGANIZATION.of(organization) };
}

function subjectValue(event: CanonicalEvent): Record<string, Fact> {
  switch (event.type) {
    case 'customer.updated':
      return { customer: CUSTOMER.of(event.customer) };
    case 'payout.paid':
      return { payout: PAYOUT.of(event.payout) };
    case 'payment.disputed':
      return { dispute: DISPUTE.of(event.dispute) };
    default:
      return { order: ORDER.of(event.order) };
  }
}
