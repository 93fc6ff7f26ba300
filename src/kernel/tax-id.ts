/**
 * Brazilian taxpayer numbers: CPF (people) and CNPJ (companies), the alphanumeric CNPJ in use since July
 * 2026 included. Check digits as published by Receita Federal: in a CNPJ each character's value is its
 * ASCII code less 48.
 */
export type TaxIdType = 'Cpf' | 'Cnpj';

export class TaxIdError extends Error {
  override readonly name = 'TaxIdError';
}

const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const PUNCTUATION = /[\s./-]/g;

/** Without punctuation, in upper case; letters that are not ASCII stay as they are, though `ſ` has the upper case `S`. */
function bareNumber(text: string): string {
  return text.replace(PUNCTUATION, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

function checkDigit(values: number[], weights: number[]): number {
  const sum = values.reduce((total, value, index) => total + value * (weights[index] ?? 0), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

function valuesOf(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0) - 48);
}

function isCpf(text: string): boolean {
  if (!/^\d{11}$/.test(text) || /^(\d)\1{10}$/.test(text)) return false;
  const values = valuesOf(text);
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    return checkDigit(values.slice(0, length), weights) === values[length];
  });
}

function isCnpj(text: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(text) || /^(\d)\1{13}$/.test(text)) return false;
  const values = valuesOf(text);
  return [12, 13].every(
    (length) => checkDigit(values.slice(0, length), CNPJ_WEIGHTS.slice(13 - length)) === values[length],
  );
}

export class TaxId {
  private constructor(
    /** Without punctuation, upper case: 11 digits (CPF) or 14 characters (CNPJ). */
    readonly number: string,
    readonly type: TaxIdType,
  ) {}

  /**
   * Takes a CPF or CNPJ with or without punctuation.
   * @throws TaxIdError when it is neither; the message never holds the number itself.
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
    try {
      TaxId.parse(text);
      return true;
    } catch {
      return false;
    }
  }
}
