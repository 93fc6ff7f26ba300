import { Problem } from '../../../kernel/problem';
import { TaxId, TaxIdError } from '../../../kernel/tax-id';
import type { Outcome } from '../ports/outcome';
import { isBrazil } from '../shapes/brazil';

export interface TaxDocument {
  /** Without punctuation, upper case. */
  number: string;
  type: 'Cpf' | 'Cnpj' | 'Foreign';
}

const PUNCTUATION = /[\s./-]/g;

/** A document as it is stored and compared: without punctuation, upper case. It is not checked. */
export function bareDocument(number: string): string {
  return number.replace(PUNCTUATION, '').toUpperCase();
}

/**
 * Reads a customer's document. What is neither CPF nor CNPJ is taken as `Foreign` only where the address names
 * a country other than Brazil. The problem never holds the number itself.
 */
export function readDocument(number: string, country: string | null | undefined): Outcome<TaxDocument> {
  try {
    const { number: bare, type } = TaxId.parse(number);
    return { number: bare, type };
  } catch (error) {
    if (!(error instanceof TaxIdError)) throw error;
    const foreign = bareDocument(number);
    if (foreign !== '' && !isBrazil(country)) {
      return { number: foreign, type: 'Foreign' };
    }
    return new Problem('validation-failed', `the customer's document is ${error.message}`, {
      errors: [{ pointer: '/document/number', code: 'tax-id', message: `is ${error.message}` }],
    });
  }
}
