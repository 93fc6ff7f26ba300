import { isRefused } from '../../api/ports/outcome';
import { readDocument } from '../../api/effects/tax-document';
import type { StakeholderFieldsShape } from '../../api/shapes/customers.dto';

/** The parts that are stored as the interface shapes them. */
export const DETAILS = ['communication', 'address', 'bankAccountInformation', 'companyInformation'] as const;

export type Details = Partial<Record<(typeof DETAILS)[number], object | null>>;

/** What is stored of a customer or supplier, beside whose and what it is. */
export interface StakeholderFields {
  name: string;
  email: string | null;
  phone: string | null;
  /** Without punctuation, upper case. */
  document: string | null;
  documentType: string | null;
  details: Details;
}

/**
 * What is left out keeps its value, null clears; a part is replaced whole.
 * @throws Problem validation-failed for a document that is not one of the country it then has
 */
export function withChanges(
  before: StakeholderFields,
  body: StakeholderFieldsShape & { name?: string },
): StakeholderFields {
  const { name = before.name, email = before.email, phone = before.phone } = body;
  const parts = DETAILS.map((part) => [part, body[part] === undefined ? before.details[part] : body[part]]);
  const details = Object.fromEntries(parts) as Details;
  const country = (details.address as { country?: string | null } | null | undefined)?.country;
  const number = body.document === undefined ? before.document : body.document?.number;
  const document = number ? readDocument(number, country) : undefined;
  if (isRefused(document)) throw document;
  return {
    name,
    email,
    phone,
    document: document?.number ?? null,
    documentType: document?.type ?? null,
    details,
  };
}
