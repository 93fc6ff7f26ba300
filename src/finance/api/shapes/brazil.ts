const NAMES = new Set(['', 'br', 'bra', 'brasil', 'brazil']);

/** Whether an address stands in Brazil: its country says so, or says nothing. */
export function isBrazil(country: string | null | undefined): boolean {
  return NAMES.has((country ?? '').trim().toLowerCase());
}

/** A Brazilian postcode. */
export const CEP = { form: /^\d{5}-?\d{3}$/, message: 'must be eight digits' };
