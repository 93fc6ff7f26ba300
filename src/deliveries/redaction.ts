import { isLosslessNumber, type LosslessJson } from '../kernel/lossless-json';
import { TaxId } from '../kernel/tax-id';

/**
 * Takes out of a webhook's JSON what could be about a person, and leaves its shape. What stays is named here, by its
 * key and by the kind of its value; everything else is hidden, so that a field nobody thought of is hidden, too.
 */

const HIDDEN = { text: '[hidden]', number: '[hidden number]', flag: '[hidden flag]' } as const;

/** What a value may be, to stay. */
type Kind = 'identifier' | 'business-key' | 'amount' | 'instant' | 'word' | 'flag';

interface Place {
  key: string;
  /** Somewhere within what describes a person. */
  ofPerson: boolean;
  /** Beside a name of its own, as in `{ "name": "CPF", "value": "…" }`: only that name says what it is. */
  named: boolean;
}

const FITS: Readonly<Record<Exclude<Kind, 'flag'>, (text: string) => boolean>> = {
  identifier: (text) => /^[\w.:/-]{1,200}$/.test(text) && /\d/.test(text) && !holdsTaxId(text),
  'business-key': (text) =>
    /^[a-z0-9-]{1,63}\/(order|customer|payout|dispute)\/[\w.:/-]{1,300}$/.test(text) && !holdsTaxId(text),
  amount: (text) => /^-?\d{1,9}(\.\d{1,8})?$/.test(text),
  instant: (text) => /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text),
  word: (text) => /^[A-Za-z][\w./-]{0,39}$/.test(text) && !/\d{5}/.test(text),
};

/** Written with its punctuation, whatever its check digits say. */
const WRITTEN_TAX_ID = /\d{3}\.\d{3}\.\d{3}-?\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/?[\dA-Z]{4}-?\d{2}/i;

function holdsTaxId(text: string): boolean {
  return (
    [text, ...text.split(/[^0-9A-Za-z]+/), ...text.split(/\D+/)].some((part) => TaxId.isValid(part)) ||
    WRITTEN_TAX_ID.test(text)
  );
}

const IDENTIFIERS = wordSet('uuid number order_number sku');
/** Identifiers of people and of their devices and cards. */
const PERSONAL_IDENTIFIER =
  /tax|national|doc|mail|phone|session|token|device|passport|visitor|browser|user|social|ip_/;
const AMOUNTS = wordSet(
  'price total subtotal amount discount discounts tax taxes fee fees tip cost balance value quantity count rate',
  'instalments installments instalment grams weight position index',
);
const WORDS = wordSet('status currency type kind topic event gateway method source');
const FLAGS = wordSet(
  'test taxable taxes_included prices_include_tax estimated_taxes confirmed closed paid cancelled refunded gift_card',
  'requires_shipping product_exists restock needs_payment',
);
/** What the name beside a value is called. */
const NAMES = wordSet('name key label title display_name display_key field attribute');
const BIRTH = /birth|born|nasc|dob/;
/** What describes people, the papers and cards that name them, and what a shop adds as it likes. */
const PERSONS = wordSet(
  'customers? buyers? clients? persons? people recipients? contacts? payers? users? consumers? (card)?holders?',
  'receivers? senders? employees? staff guests? participants? billing address(es)? destination e?mails? phones?',
  'documents? docs? identifications? identity passports? cpf cnpj cards? bank iban pix notes? meta metadata',
  'properties attributes custom fields extra additional information answers',
);
const PERSON = new RegExp(`(^|_)(${[...PERSONS].join('|')})(_|$)|^shipping$`);
/** How people who write programs name fields; other keys may be data: an address, a number, a name. */
const FIELD_NAME = /^[a-z_$][\w$.:-]{0,59}$/;

/** @returns the same shape, with what may be about a person replaced by `[hidden]`, `[hidden number]`, `[hidden flag]` */
export function redact(json: LosslessJson): LosslessJson {
  return hide(json, { key: '', ofPerson: false, named: false });
}

function hide(value: LosslessJson, place: Place): LosslessJson {
  if (value === null || value === '') return value;
  if (isLosslessNumber(value)) return staysText(value.toString(), place) ? value : HIDDEN.number;
  if (typeof value === 'string') return staysText(value, place) ? value : HIDDEN.text;
  if (typeof value === 'boolean')
    return kindOf(place.key) === 'flag' && !place.ofPerson && !place.named ? value : HIDDEN.flag;
  if (Array.isArray(value)) return value.map((item) => hide(item, place));
  return hideMembers(value, place);
}

function hideMembers(members: { [key: string]: LosslessJson }, { ofPerson }: Place): LosslessJson {
  const named = isPair(members);
  let hiddenKeys = 0;
  const shown = Object.entries(members).map(([name, value]): [string, LosslessJson] => {
    const key = snakeCase(name);
    const isFieldName = FIELD_NAME.test(name) && !/\d{5}/.test(name);
    const place = { key: isFieldName ? key : '', ofPerson: ofPerson || PERSON.test(key), named };
    const isLeaf = typeof value !== 'object' || value === null || isLosslessNumber(value);
    // `customer_id` says nothing of a customer that `id` within `customer` does not say.
    const own = isLeaf ? { ...place, ofPerson } : place;
    return [isFieldName ? name : `[hidden ${(hiddenKeys += 1)}]`, hide(value, own)];
  });
  return Object.fromEntries(shown);
}

/** A value whose meaning stands in a name beside it. A business key names the whole, not the value. */
function isPair(members: { [key: string]: LosslessJson }): boolean {
  const names = Object.keys(members).filter((name) => NAMES.has(snakeCase(name)));
  return names.some((name) => {
    const said = members[name];
    return name !== 'key' || typeof said !== 'string' || !FITS['business-key'](said);
  });
}

function staysText(text: string, { key, ofPerson, named }: Place): boolean {
  const kind = kindOf(key);
  if (kind === undefined || kind === 'flag') return false;
  if (named && key === 'value') return false;
  if (ofPerson && !staysOfPerson(kind, key)) return false;
  return FITS[kind](text);
}

/** Of a person, what distinguishes records and when they were written. */
function staysOfPerson(kind: Kind, key: string): boolean {
  return (
    kind === 'business-key' ||
    (kind === 'identifier' && (key === 'id' || key.endsWith('_id'))) ||
    (kind === 'instant' && ['created_at', 'updated_at'].includes(key))
  );
}

function kindOf(key: string): Kind | undefined {
  const words = key.split('_');
  const last = words.at(-1) ?? '';
  if (key === 'key') return 'business-key';
  if (FLAGS.has(key)) return 'flag';
  if (last === 'id') return PERSONAL_IDENTIFIER.test(key) ? undefined : 'identifier';
  if (IDENTIFIERS.has(key)) return 'identifier';
  if (words.some((word) => ['at', 'on', 'date', 'timestamp', 'gmt'].includes(word)) && !BIRTH.test(key))
    return 'instant';
  if (WORDS.has(last) || words.includes('currency')) return 'word';
  return AMOUNTS.has(last) ? 'amount' : undefined;
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.:\s]/g, '_')
    .toLowerCase();
}

function wordSet(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
