/**
 * Brazilian taxpayer numbers: CPF (people) and CNPJ (companies), the alphanumeric CNPJ in use since July
 * 2026 included. Check digits as published by Receita Federal: in a CNPJ each character's value is its
 * ASCII code less 48.
 */
export type TaxIdType = 'Cpf' | 'Cnpj';

export class TaxIdError extends Error {
  override readonly name = 'TaxIdError';
}

const ZERO = 0x30;
const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const PUNCTUATION = /[\s./-]/g;

/** Without punctuation, in upper case; letters that are not ASCII stay as they are, though `ſ` has the upper case `S`. */
function bareNumber(text: string): string {
  const bare = text.replace(PUNCTUATION, '');
  return /[a-z]/.test(bare) ? bare.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : bare;
}

/** Whether the character at `index` is the check digit of those before it, the last of which has the last weight. */
function isChecked(text: string, index: number, weights: readonly number[]): boolean {
  let sum = 0;
  for (let at = 0; at < index; at += 1) {
    sum += (text.charCodeAt(at) - ZERO) * (weights[weights.length - index + at] ?? 0);
  }
  const rest = sum % 11;
  return text.charCodeAt(index) - ZERO === (rest < 2 ? 0 : 11 - rest);
}

function isCpf(text: string): boolean {
  if (!/^\d{11}$/.test(text) || /^(\d)\1{10}$/.test(text)) return false;
  return isChecked(text, 9, CPF_WEIGHTS) && isChecked(text, 10, CPF_WEIGHTS);
}

function isCnpj(text: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(text) || /^(\d)\1{13}$/.test(text)) return false;
  return isChecked(text, 12, CNPJ_WEIGHTS) && isChecked(text, 13, CNPJ_WEIGHTS);
}

export class TaxId {
  private constructor(
    /** Without punctuation, upper case: 11 digits (CPF) or 14 characters (CNPJ). */
    readonly number: string,
    readonly type: TaxIdType,
  ) {}

  /**
   * Takes a CPF or CNPJ with or without punctuation.
   * @throws TaxIdError when it is neither; the message never contains the number itself.
   */
  static parse(text: string): TaxId {
    const bare = bareNumber(text);
    if (isCpf(bare)) return new TaxId(bare, 'Cpf');
    if (isCnpj(bare)) return new TaxId(bare, 'Cnpj');
    if (/^\d{11}$/.test(bare)) throw new TaxIdError('not a valid CPF: its check digits do not match');
    if (/^[0-9A-Z]{12}\d{2}$/.test(bare))
      throw new TaxIdError('not a valid CNPJ: its check digits do not match');
    throw new TaxIdError('neither a CPF (11 digits) nor a CNPJ (14 characters)');
  }

  /** Whether the text would be taken by {@link TaxId.parse}. */
  static isValid(text: string): boolean {
    const bare = bareNumber(text);
    return isCpf(bare) || isCnpj(bare);
  }
}
