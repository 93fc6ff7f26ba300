import { TaxId } from '../../kernel/tax-id';
import type { Payload } from '../payload';

const DOCUMENT_NAMES = [
  'cnpj',
  'cpf',
  'cpfcnpj',
  'cnpjcpf',
  'cpfoucnpj',
  'document',
  'documento',
  'documentnumber',
  'taxid',
];
const INSTALMENT_NAMES = [
  'installments',
  'instalments',
  'parcelas',
  'numberofinstallments',
  'numerodeparcelas',
  'numparcelas',
  'mpinstallments',
];

/** More instalments than any card or shop offers; a larger number is a mistake. */
export const MAX_INSTALMENTS = 120;

const NOT_ASCII = /[^\0-\x7f]/;

/** One spelling for `CPF/CNPJ`, `_billing_cpf`, `Número de parcelas`: letters and digits, without `billing`. */
function bare(name: string): string {
  const plain = NOT_ASCII.test(name) ? name.normalize('NFD') : name;
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
    .replace(/^billing/, '');
}

/** Fields that a shop or its plugins add of their own: a list of names and values of any kind. */
export class CustomFields {
  private readonly entries: { name: string; value: string }[] = [];

  /** From a list of objects that hold a name and a value, such as `note_attributes` or `meta_data`. */
  constructor(items: readonly Payload[], nameKey: string, valueKey: string) {
    for (const item of items) {
      const name = item.textIfAny(nameKey);
      const value = item.textIfAny(valueKey);
      if (name !== undefined && value !== undefined) this.entries.push({ name: bare(name), value });
    }
  }

  /** What may be a CPF or CNPJ, best guess first. @param preferred a field's name that goes before the usual ones */
  documents(preferred?: string): string[] {
    return this.valuesOf(DOCUMENT_NAMES, preferred);
  }

  /** What may say how many instalments, best guess first. */
  instalments(preferred?: string): string[] {
    return this.valuesOf(INSTALMENT_NAMES, preferred);
  }

  private valuesOf(names: readonly string[], preferred?: string): string[] {
    const wanted = preferred === undefined ? names : [bare(preferred), ...names];
    const values: string[] = [];
    for (const name of wanted)
      for (const entry of this.entries) if (entry.name === name) values.push(entry.value);
    return values;
  }
}

/**
 * The customer's document: the first candidate that is a valid CPF or CNPJ; else the first candidate as it
 * is, so that a rule refuses it by name; else a company field that happens to hold a valid one.
 */
export function chooseDocument(
  candidates: readonly (string | undefined)[],
  companies: readonly (string | undefined)[] = [],
): string | undefined {
  const present = candidates.filter((candidate) => candidate !== undefined);
  const isValid = (text: string | undefined): text is string => text !== undefined && TaxId.isValid(text);
  return present.find(isValid) ?? present[0] ?? companies.find(isValid);
}

/** How many instalments a text such as `3`, `3x` or `3x de R$ 33,34` says; undefined when it says none. */
export function parseInstalments(text: string): number | undefined {
  const match = /^(\d{1,3})\s*(?:(?:x|vezes|parcelas?|instal+ments?)(?:\W.*)?)?$/i.exec(text.trim());
  const count = Number(match?.[1] ?? 0);
  return count >= 1 && count <= MAX_INSTALMENTS ? count : undefined;
}

/** The number of instalments from the first candidate, 1 when there is none; and what is odd about it. */
export function readInstalments(candidates: readonly (string | undefined)[]): {
  instalments: number;
  differences: string[];
} {
  const text = candidates.find((candidate) => candidate !== undefined);
  if (text === undefined) return { instalments: 1, differences: [] };
  const instalments = parseInstalments(text);
  return instalments === undefined
    ? { instalments: 1, differences: ['The number of instalments cannot be read; one is assumed.'] }
    : { instalments, differences: [] };
}
