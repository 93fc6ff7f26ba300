import type { Organization } from '../../../kernel/organization';

/**
 * Stands for an output of an earlier step of the same run: `{ "$ref": "customer.id" }`. It is filled in
 * when that step's effect has been applied, because only then the record's identifier is known for sure.
 */
export interface Reference {
  $ref: `${string}.${string}`;
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value;
}

/** Operations that change the finance system, as rules and `/v1` ask for them. */
export interface EffectInputs {
  /** Finds the customer with the same document, else creates one. */
  'customer.ensure': CustomerInput;
  /** One receivable, or one for each instalment, created together. */
  'credit-schedule.create': CreditScheduleInput;
  /** One payment spread over schedules, oldest due date first, as one receipt a schedule. */
  'receipt.allocate': ReceiptAllocationInput;
}

export type EffectOperation = keyof EffectInputs;

export interface AddressInput {
  line1?: string;
  line2?: string;
  number?: string;
  district?: string;
  city?: string;
  state?: string;
  zipCode?: string;
  country?: string;
}

/** Text fields are trimmed; an absent field is absent, never an empty string. */
export interface CustomerInput {
  name: string;
  /** CPF or CNPJ, checked, without punctuation. */
  document?: string;
  email?: string;
  phone?: string;
  address?: AddressInput;
}

export interface CreditScheduleInput {
  /** A customer's UUID. */
  customer: string | Reference;
  /** Decimal text in the organization's currency: `100.00`. */
  value: string;
  /** `YYYY-MM-DD` */
  dueDate: string;
  description: string;
  /** The business reference every instalment carries: how the records are found again. */
  reference: string;
  /** A category's UUID or reference code; absent: none. */
  category?: string;
  /** A cost center's UUID or external code; absent: none. */
  costCenter?: string;
  /** Two or more; their values add up to `value`. Absent: one schedule. */
  instalments?: { value: string; dueDate: string; description?: string }[];
}

export interface ReceiptAllocationInput {
  /** Schedules' UUIDs, or the `all` output of the step that created them. */
  schedules: string[] | Reference;
  /** Decimal text in the organization's currency. */
  value: string;
  /** `YYYY-MM-DD` */
  date: string;
  /** An account's UUID or code. */
  account: string;
  /** The payment's business key: written to each receipt's `identifier`. */
  identifier: string;
}

/**
 * One change to make in the finance system, as data.
 */
export type PlannedEffect = {
  [O in EffectOperation]: {
    /** Business key, unique in the organization for ever: the same key is the same effect. */
    key: string;
    operation: O;
    input: EffectInputs[O];
    /** Decimal text: what this effect amounts to. A later event with the same key and another amount needs a person. */
    amount?: string;
  };
}[EffectOperation];

/** A planned effect whose references are filled in, on its way to an applier. */
export interface EffectRequest {
  organization: Organization;
  effect: PlannedEffect;
  /** The run that asks, for the trail from record to delivery. */
  runId: string;
  /** The step's id in the rule. */
  step: string;
  /** The delivery that the run is about; absent where there is none. */
  deliveryId?: string;
  /**
   * Of `customer.ensure`: keys of the receivables that the customer will owe. Where one of them exists, whoever owes it
   * is the customer: one order has one customer, whatever its later events say of them.
   */
  bookedAs?: readonly string[];
  /** The rule that asks; absent where none does. */
  rule?: { name: string; version: number };
  /** Whether the dates are facts; absent or false: some may be inferred. */
  datesKnown?: boolean;
  /** Why nothing can be made: the effect is refused with this sentence unless one of {@link bookedAs} exists. */
  onlyIfBooked?: string;
}

export const ATTENTION_CODES = [
  'payment-left-over',
  'amount-differs',
  'refund-not-booked',
  'cancellation-not-booked',
  'order-differs',
  'key-shared',
  'customer-differs',
  'content-differs',
] as const;

/** Something a person must look at although nothing failed: money left over, an amount that changed. */
export interface Attention {
  code: (typeof ATTENTION_CODES)[number];
  /** A sentence for a person, with amounts. */
  detail: string;
  /** Decimal text of the amount in question. */
  amount: string;
  /** Absent: the organization's. */
  currency?: string;
}

/** Named identifiers of what an effect made or found: `id`, and `all` for schedules and receipts. */
export interface EffectOutput {
  id?: string;
  all?: string[];
}

export type EffectResult =
  | {
      /** `applied` now, or `existing`: applied before under the same key. */
      state: 'applied' | 'existing';
      output: EffectOutput;
      attention: Attention[];
    }
  | { state: 'refused'; code: string; reason: string };
