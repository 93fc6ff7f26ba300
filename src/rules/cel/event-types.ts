import type {
  AddressFacts,
  CanonicalEvent,
  CustomerFacts,
  EventType,
  OrderFacts,
  OrderLine,
  PaymentFacts,
  RefundFacts,
} from '../../events/event';
import type { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import {
  bool,
  double,
  emptyableObject,
  factType,
  int,
  list,
  object,
  plain,
  text,
  texts,
  type FactType,
} from './facts';

const money = plain<Money>('Money');
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
  paidAt: instant,
  datedBy: text,
});

const REFUND = factType<RefundFacts>('Refund', { key: text, value: money, refundedAt: instant });

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
  EVENT,
  ORGANIZATION,
];

/** Names of a type's fields, for "did you mean". */
export function fieldNamesOf(type: string): readonly string[] {
  return Object.keys(FACT_TYPES.find(({ name }) => name === type)?.fields ?? {});
}

/** What an event of this type brings, by CEL type. */
export function eventVariables(type: EventType): Readonly<Record<string, string>> {
  const subject: Record<string, string> =
    type === 'customer.updated' ? { customer: CUSTOMER.name } : { order: ORDER.name };
  return { ...subject, event: EVENT.name, org: ORGANIZATION.name };
}

/** The values for {@link eventVariables}. */
export function eventValues(event: CanonicalEvent, organization: Organization): Record<string, unknown> {
  const subject =
    event.type === 'customer.updated'
      ? { customer: CUSTOMER.of(event.customer) }
      : { order: ORDER.of(event.order) };
  return { ...subject, event: EVENT.of(event), org: ORGANIZATION.of(organization) };
}
