/** A person as a message or an operator names them. */
export interface PersonNamed {
  /** CPF, CNPJ or another number, with or without punctuation. */
  readonly document?: string;
  readonly email?: string;
  readonly phone?: string;
  /** Business keys of customers of a shop. */
  readonly customerKeys?: readonly string[];
  /** Business keys of orders that are theirs. */
  readonly orderKeys?: readonly string[];
  /** Identifiers of customers in the finance system. */
  readonly records?: readonly string[];
}

export const PRIVACY_EVENTS = ['privacy.erase', 'privacy.export', 'privacy.erase-shop'] as const;

/**
 * What a shop asks for about personal data. Ponte itself acts on it, and no rule does: a rule that is missing must not keep a
 * person's data.
 */
export interface PrivacyEvent {
  readonly type: (typeof PRIVACY_EVENTS)[number];
  /** What it is about, without personal data: the business key of the customer, or the source. */
  readonly key: string;
  /** Nobody, where the whole shop is meant. */
  readonly person: PersonNamed;
  /** Whether a person has to act on it; else Ponte erases by itself. */
  readonly byPerson: boolean;
}
