/** What a person is recognised by. */
export interface Identifiers {
  /** Without punctuation, in upper case. */
  documents: string[];
  /** In lower case. */
  emails: string[];
  /** Digits alone, without the country code of Brazil. */
  phones: string[];
  /** Texts that stand for a document, such as the digest in a customer's business key. */
  literals: string[];
  /** Of people there are others with the same: looked for only where something else says that it is this person. */
  names: string[];
  /** Lines of addresses, for which the same holds. */
  lines: string[];
}

const SHORTEST_PHONE = 8;
const SHORTEST_NAME = 3;
const SHORTEST_LINE = 5;
/** Of each kind; more than a person has. */
const MOST = 200;

export function noIdentifiers(): Identifiers {
  return { documents: [], emails: [], phones: [], literals: [], names: [], lines: [] };
}

/** The digits of a telephone number without the country code; undefined where that is too short to be one. */
export function phoneDigits(phone: string): string | undefined {
  const all = phone.replace(/\D/g, '').replace(/^0+/, '');
  const digits = all.length > 11 && all.startsWith('55') ? all.slice(2) : all;
  return digits.length >= SHORTEST_PHONE && digits.length <= 15 ? digits : undefined;
}

/** Without punctuation, in upper case; undefined where it is too short to tell anybody apart. */
export function documentNumber(document: string): string | undefined {
  const bare = document.replace(/[\s./-]/g, '').toUpperCase();
  return bare.length >= 5 && bare.length <= 40 ? bare : undefined;
}

export function emailAddress(email: string): string | undefined {
  const bare = email.trim().toLowerCase();
  return /^[^\s@]{1,200}@[^\s@]{3,200}$/.test(bare) ? bare : undefined;
}

/** Adds what is given to `all`, each once. */
export function addTo(all: string[], more: readonly (string | undefined)[]): void {
  for (const one of more) {
    if (one !== undefined && one !== '' && all.length < MOST && !all.includes(one)) all.push(one);
  }
}

/** A person as events and plans have them. */
export interface PersonFacts {
  name?: string;
  document?: string;
  email?: string;
  phone?: string;
  address?: object;
}

/** Adds what is said of the person. */
export function learn(known: Identifiers, { name, document, email, phone, address }: PersonFacts): void {
  addTo(known.documents, [document === undefined ? undefined : documentNumber(document)]);
  addTo(known.emails, [email === undefined ? undefined : emailAddress(email)]);
  addTo(known.phones, [phone === undefined ? undefined : phoneDigits(phone)]);
  addTo(known.names, [name !== undefined && name.trim().length >= SHORTEST_NAME ? name.trim() : undefined]);
  addTo(known.lines, linesOf(address));
}

/** What of an address may lead to somebody: its lines and its code, not the city or the country. */
function linesOf(address: object | undefined): string[] {
  const wanted = /^(line1|line2|street|zipCode|district)$/;
  return Object.entries(address ?? {}).flatMap(([name, value]) =>
    wanted.test(name) && typeof value === 'string' && value.trim().length >= SHORTEST_LINE
      ? [value.trim()]
      : [],
  );
}

/**
 * A regular expression that finds what only this person has, in whatever spelling, as both PostgreSQL and JavaScript
 * understand it; letters of either case are meant. Undefined: nothing is known that would tell them from others.
 */
export function certainPattern({ documents, emails, phones, literals }: Identifiers): string | undefined {
  const parts = [
    ...documents.map(documentPattern),
    ...emails.map(emailPattern),
    ...phones.map(phonePattern),
    ...literals.map(escaped),
  ];
  return parts.length === 0 ? undefined : parts.join('|');
}

/** The same for names and lines of addresses, for JavaScript with the flags `giu`. */
export function uncertainPattern({ names, lines }: Identifiers): string | undefined {
  // The longest first: of a name that is a part of another one, the rest would be left.
  const all = [...names, ...lines].sort((left, right) => right.length - left.length);
  if (all.length === 0) return undefined;
  return `(?<![\\p{L}\\p{N}])(?:${all.map(wordsPattern).join('|')})(?![\\p{L}\\p{N}])`;
}

/** Between two characters of a document; a slash also as JSON and forms may spell it: PHP writes `\/` into every webhook. */
const BETWEEN = '(?:[ .-]|\\\\{0,4}/|\\\\{1,4}u002f|%2f)?';

function documentPattern(number: string): string {
  return `(?<![0-9A-Za-z])${[...number].map(escaped).join(BETWEEN)}(?![0-9A-Za-z])`;
}

function phonePattern(digits: string): string {
  return `(?<![0-9])(?:[+]?55[ .()-]{0,3})?[(]?0?${[...digits].join('[ .()-]{0,3}')}(?![0-9])`;
}

/** Also as a form or JSON may spell it. */
function emailPattern(email: string): string {
  const characters = [...email].map((character) => {
    if (/[a-z0-9]/.test(character)) return character;
    const code = character.charCodeAt(0).toString(16).padStart(2, '0');
    return `(?:${escaped(character)}|%${code}|\\\\{1,2}u00${code})`;
  });
  return `(?<![0-9A-Za-z._+-])${characters.join('')}(?![0-9A-Za-z-]|[.][0-9A-Za-z])`;
}

const ACCENTS = ['aàáâãäå', 'cç', 'eèéêë', 'iìíîï', 'nñ', 'oòóôõö', 'uùúûü', 'yýÿ'];

function wordsPattern(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => [...word].map(letterPattern).join(''))
    .join('\\s+');
}

function letterPattern(letter: string): string {
  const alike = ACCENTS.find((letters) => letters.includes(letter.toLowerCase()));
  return alike === undefined ? escaped(letter) : `[${alike}]`;
}

/** @returns the characters as they are, for a regular expression with or without the flag `u` */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
