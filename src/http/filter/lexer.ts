import { CalendarDate } from '../../kernel/calendar-date';
import { unreadableOption } from './list-option-problem';

export type LiteralType = 'guid' | 'date' | 'date-time' | 'number' | 'text';

export interface Token {
  readonly kind: LiteralType | 'name' | 'punctuation' | 'end';
  /** As written; a text without its quotes, a guid in lower case. */
  readonly text: string;
  /** Of its first character, from 1. */
  readonly position: number;
}

/** Longest `$filter` or `$orderby`, in characters. */
export const MAX_CHARACTERS = 2000;

const HEX = '[0-9a-f]';
/** Tried in this order: a guid may begin like a number or like a name. */
const FORMS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['guid', new RegExp(`${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}(?![\\w-])`, 'iy')],
  [
    'date-time',
    /\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?![\w:.-])/iy,
  ],
  ['date', /\d{4}-\d\d-\d\d(?![\w:-])/y],
  ['number', /[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?(?![\w.])/iy],
  ['name', /[a-z_]\w*/iy],
  ['punctuation', /[(),/]/y],
];
/** A value behind the name of its type, as older clients of OData write it: `guid'…'`, `datetime'…'`. */
const TYPED = /(guid|datetimeoffset|datetime|date)'([^']*)'/iy;
const SPACE = /[ \t\r\n]*/y;
const TEXT = /'((?:[^']|'')*)'/y;

/**
 * The tokens of a `$filter` or `$orderby`, with one of kind `end` last.
 * @throws Problem malformed-request with the position of what is no token
 */
export function tokensOf(option: string, source: string): Token[] {
  if (source.length > MAX_CHARACTERS)
    throw unreadableOption(option, MAX_CHARACTERS + 1, `more than ${MAX_CHARACTERS} characters`);
  const tokens: Token[] = [];
  let offset = skipSpace(source, 0);
  while (offset < source.length) {
    const { token, end } = tokenAt(option, source, offset);
    tokens.push(token);
    offset = skipSpace(source, end);
  }
  return [...tokens, { kind: 'end', text: '', position: source.length + 1 }];
}

function skipSpace(source: string, offset: number): number {
  SPACE.lastIndex = offset;
  SPACE.test(source);
  return SPACE.lastIndex;
}

function tokenAt(option: string, source: string, offset: number): { token: Token; end: number } {
  const position = offset + 1;
  if (source[offset] === "'") return textAt(option, source, offset);
  TYPED.lastIndex = offset;
  const typed = TYPED.exec(source);
  if (typed) return { token: typedToken(option, typed, position), end: offset + typed[0].length };
  for (const [kind, form] of FORMS) {
    form.lastIndex = offset;
    const written = form.exec(source)?.[0];
    if (written === undefined) continue;
    if (kind === 'date' || kind === 'date-time') refuseNoDay(option, written, position);
    const text = kind === 'guid' ? written.toLowerCase() : written;
    return { token: { kind, text, position }, end: offset + written.length };
  }
  throw unreadableOption(option, position, 'this is no name, value or sign of a filter');
}

function textAt(option: string, source: string, offset: number): { token: Token; end: number } {
  TEXT.lastIndex = offset;
  const match = TEXT.exec(source);
  if (!match) throw unreadableOption(option, offset + 1, 'the text has no closing quote');
  // No stored text contains this character, and the database takes none.
  const zero = match[0].indexOf('\0');
  if (zero >= 0) throw unreadableOption(option, offset + zero + 1, 'a text cannot hold the character U+0000');
  const text = (match[1] ?? '').replaceAll("''", "'");
  return { token: { kind: 'text', text, position: offset + 1 }, end: offset + match[0].length };
}

function typedToken(option: string, [, name = '', text = '']: RegExpExecArray, position: number): Token {
  const kinds: readonly LiteralType[] = name.toLowerCase() === 'guid' ? ['guid'] : ['date-time', 'date'];
  const value = valueIn(text, kinds);
  if (!value) throw unreadableOption(option, position, `the value is no ${kinds.join(' or ')}`);
  if (value.kind !== 'guid') refuseNoDay(option, value.text, position);
  return { ...value, position };
}

/**
 * A text as a value of one of these kinds, if all of it is one: clients quote what need not be quoted.
 * @returns undefined where it is none, or names a day that is not from 1900 to 9999
 */
export function literalIn(text: string, kinds: readonly LiteralType[]): Omit<Token, 'position'> | undefined {
  const value = valueIn(text, kinds);
  return value &&
    (value.kind === 'guid' || value.kind === 'number' || CalendarDate.isDay(value.text.slice(0, 10)))
    ? value
    : undefined;
}

function valueIn(
  text: string,
  kinds: readonly LiteralType[],
): { kind: LiteralType; text: string } | undefined {
  for (const [kind, form] of FORMS) {
    const wanted = kinds.find((each) => each === kind);
    if (!wanted) continue;
    form.lastIndex = 0;
    if (form.exec(text)?.[0] === text && text !== '')
      return { kind: wanted, text: wanted === 'guid' ? text.toLowerCase() : text };
  }
  return undefined;
}

function refuseNoDay(option: string, written: string, position: number): void {
  // The time and the offset are for whoever knows the organization's zone.
  if (!CalendarDate.isDay(written.slice(0, 10)))
    throw unreadableOption(option, position, 'there is no such day from 1900 to 9999');
}
