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
  'additionalcpfcnpj',
  'customerdocument',
  'rmpagbankcustomerdocument',
];
const INSTALMENT_NAMES = [
  'installments',
  'instalments',
  'parcelas',
  'numberofinstallments',
  'numerodeparcelas',
  'numparcelas',
  'ccinstallments',
  'mpinstallments',
  'pagbankcreditcardinstallments',
  'pagbankcardinstallments',
  'wcredetransactioninstallments',
  'wcredeinstallments',
  'wcmaxipagotransactioninstallments',
  'virteredeinstallments',
];
/** What the name of a field ends with that holds a number of instalments. */
const LIKE_INSTALMENTS = /(?:instal+ments|parcelas)$/;
/** What such a name holds besides where it says what a card would allow, not what the buyer chose. */
const OFFERED = /max|min|free|juros|interest|available|allowed|limit/;

/** More instalments than any card or shop offers; a larger number is a mistake. */
export const MAX_INSTALMENTS = 120;

/**
 * Longest name of a field that is read, in UTF-16 units: longer than any that Ponte knows or is told of. To bring
 * combining marks into order takes time by the square of their number, so a longer name is not even begun.
 */
const LONGEST_NAME = 100;
/** Longest text that may say how many instalments. */
const LONGEST_INSTALMENTS = 200;

const NOT_ASCII = /[^\0-\x7f]/;

/** One spelling for `CPF/CNPJ`, `_billing_cpf`, `Número de parcelas`: letters and digits, without `billing`. */
function bare(name: string): string {
  if (name.length > LONGEST_NAME) return '';
  const plain = NOT_ASCII.test(name) ? name.normalize('NFD') : name;
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
    .replace(/^billing/, '');
}

/** Most fields of a shop's own that are read. */
const MOST_FIELDS = 1_000;

/** Fields that a shop or its plugins add of their own: a list of names and values of any kind. */
export class CustomFields {
  /** No name is empty. */
  private readonly entries: { name: string; value: string }[] = [];

  /**
   * From the list below `key` of objects that hold a name and a `value`, such as `note_attributes` or `meta_data`. Of a
   * long one the first thousand are read: plugins add without end, and what is looked for is seldom last.
   */
  constructor(place: Payload, key: string, nameKey: string) {
    for (const item of place.firstItems(key, MOST_FIELDS)) {
      const name = item.textIfAny(nameKey);
      const value = item.textIfAny('value');
      if (name === undefined || value === undefined) continue;
      const known = bare(name);
      if (known !== '') this.entries.push({ name: known, value });
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

  /** What the first of these names has, as a plugin wrote it; undefined when none wrote it. @param names as {@link bare} spells them */
  first(names: readonly string[]): string | undefined {
    return this.valuesOf(names)[0];
  }

  /** A sentence where the list below `key` is longer than what is read of it; none where it is not. */
  static leftOut(place: Payload, key: string): string[] {
    const count = place.countOf(key);
    return count > MOST_FIELDS
      ? [
          `Of ${count} fields in ${key} the first ${MOST_FIELDS} are read; a document or instalments may be missed.`,
        ]
      : [];
  }

  /**
   * A sentence about each field that seems to hold a number of instalments above one, under a name that is not known.
   * @param preferred a field's name that is known besides the usual ones
   */
  unreadInstalments(preferred?: string): string[] {
    const known = [preferred === undefined ? '' : bare(preferred), ...INSTALMENT_NAMES];
    const seems = ({ name, value }: { name: string; value: string }): boolean =>
      LIKE_INSTALMENTS.test(name) && !OFFERED.test(name) && (parseInstalments(value) ?? 1) > 1;
    const names = this.entries.filter(seems).map(({ name }) => name);
    return [...new Set(names)]
      .filter((name) => !known.includes(name))
      .map(
        (name) => `The field ${name} seems to hold the number of instalments; instalmentsField may name it.`,
      );
  }

  /** Whether one of the fields has this value, both compared without regard to letter case and punctuation. */
  says(name: string, value: string): boolean {
    const wanted = bare(name);
    return this.entries.some((entry) => entry.name === wanted && entry.value.toLowerCase() === value);
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
  if (text.length > LONGEST_INSTALMENTS) return undefined;
  const match = /^(\d{1,3})\s*(?:(?:x|vezes|parcelas?|instal+ments?)(?:\W.*)?)?$/i.exec(text.trim());
  const count = Number(match?.[1] ?? 0);
  return count >= 1 && count <= MAX_INSTALMENTS ? count : undefined;
}

/**
 * The number of instalments that a field has; undefined where it is absent.
 * @throws UnreadablePayload where it is no such number
 */
export function instalmentsIn(place: Payload, key: string): number | undefined {
  const text = place.text(key);
  if (text === undefined) return undefined;
  return parseInstalments(text) ?? place.fail(key, 'is not a number of instalments');
}

/**
 * The number of instalments from the first candidate, 1 when there is none; and what is odd about it.
 * @param unread sentences about fields that are no candidates; told when there is no candidate
 */
export function readInstalments(
  candidates: readonly (string | undefined)[],
  unread: readonly string[] = [],
): { instalments: number; differences: string[] } {
  const text = candidates.find((candidate) => candidate !== undefined);
  if (text === undefined) return { instalments: 1, differences: [...unread] };
  const instalments = parseInstalments(text);
  return instalments === undefined
    ? { instalments: 1, differences: ['The number of instalments cannot be read; one is assumed.'] }
    : { instalments, differences: [] };
}
