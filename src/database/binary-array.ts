import type { CalendarDate } from '../kernel/calendar-date';

/*
 * Columns of many rows as PostgreSQL's arrays in their binary form (array_recv), which the driver sends as it is:
 * PostgreSQL reads an element of it in a quarter of the time that it takes to read its text. In SQL: `$1::uuid[]`.
 * Nothing becomes NULL. Labels of enums have no fixed type: see `plainArray`.
 */

/** Object identifiers of PostgreSQL's built-in types (pg_type.dat); they are the same in every version. */
const OID = { bool: 16, int8: 20, int4: 23, text: 25, date: 1082, timestamptz: 1184, uuid: 2950 };
/** Bytes: dimensions, whether anything is NULL, type, number of elements, first subscript. */
const HEADER = 20;
/** Of an array without elements, which has no dimension. */
const EMPTY_HEADER = 12;
/** Bytes before each element: how many it has. */
const LENGTH = 4;
const NULL_LENGTH = -1;
/** Most bytes of UTF-8 for a code unit of JavaScript. */
const WIDEST = 3;
/** Up to this length a text is copied faster here than by Node. */
const SHORT = 64;
const ASCII = 0x7f;

type Nullable<T> = readonly (T | null | undefined)[];

/** @throws Error for a text that is no UUID, with the SQLSTATE that PostgreSQL has for it */
export function uuidArray(values: Nullable<string>): Buffer {
  return fixedArray(values, OID.uuid, 16, writeUuid);
}

/** @param values whole numbers of 32 bits */
export function intArray(values: Nullable<number>): Buffer {
  return fixedArray(values, OID.int4, 4, writeInt);
}

export function bigintArray(values: Nullable<bigint>): Buffer {
  return fixedArray(values, OID.int8, 8, writeBigint);
}

export function booleanArray(values: Nullable<boolean>): Buffer {
  return fixedArray(values, OID.bool, 1, writeBoolean);
}

export function dateArray(values: Nullable<CalendarDate>): Buffer {
  return fixedArray(values, OID.date, 4, writeDate);
}

/** Points in time, to the millisecond. */
export function instantArray(values: Nullable<Date>): Buffer {
  return fixedArray(values, OID.timestamptz, 8, writeInstant);
}

export function textArray(values: Nullable<string>): Buffer {
  let most = HEADER;
  for (const value of values) most += LENGTH + WIDEST * (value?.length ?? 0);
  const buffer = Buffer.allocUnsafe(most);
  let end = begin(buffer, OID.text, values);
  for (const value of values) {
    const bytes = value == null ? NULL_LENGTH : writeText(buffer, value, end + LENGTH);
    writeInt(buffer, bytes, end);
    end += LENGTH + Math.max(bytes, 0);
  }
  return buffer.subarray(0, end);
}

/** An array of elements that have so many bytes each. */
function fixedArray<T>(
  values: Nullable<T>,
  type: number,
  bytes: number,
  write: (buffer: Buffer, value: T, at: number) => void,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER + values.length * (LENGTH + bytes));
  let end = begin(buffer, type, values);
  let last: T | null | undefined = null;
  for (const value of values) {
    if (value === null || value === undefined) {
      writeInt(buffer, NULL_LENGTH, end);
      end += LENGTH;
      last = null;
      continue;
    }
    // Many rows of one organization, order or day stand side by side.
    if (value === last) buffer.copyWithin(end, end - LENGTH - bytes, end);
    else {
      writeInt(buffer, bytes, end);
      write(buffer, value, end + LENGTH);
    }
    last = value;
    end += LENGTH + bytes;
  }
  return buffer.subarray(0, end);
}

/** Writes what stands before the elements. @returns where they begin */
function begin(buffer: Buffer, type: number, values: Nullable<unknown>): number {
  writeInt(buffer, values.length === 0 ? 0 : 1, 0);
  // Whether anything is NULL: PostgreSQL finds that out by itself.
  writeInt(buffer, 0, 4);
  writeInt(buffer, type, 8);
  if (values.length === 0) return EMPTY_HEADER;
  writeInt(buffer, values.length, 12);
  writeInt(buffer, 1, 16);
  return HEADER;
}

/** Byte by byte, which is faster than Node's own: it checks the value and the place. */
function writeInt(buffer: Buffer, value: number, at: number): void {
  buffer[at] = value >>> 24;
  buffer[at + 1] = value >>> 16;
  buffer[at + 2] = value >>> 8;
  buffer[at + 3] = value;
}

const WORD = 2 ** 32;

function writeBigint(buffer: Buffer, value: bigint, at: number): void {
  const number = Number(value);
  if (Number.isSafeInteger(number)) writeSafeInteger(buffer, number, at);
  else buffer.writeBigInt64BE(value, at);
}

/** As eight bytes. */
function writeSafeInteger(buffer: Buffer, value: number, at: number): void {
  writeInt(buffer, Math.floor(value / WORD), at);
  writeInt(buffer, value % WORD, at + LENGTH);
}

function writeBoolean(buffer: Buffer, value: boolean, at: number): void {
  buffer[at] = value ? 1 : 0;
}

const DAY_MS = 86_400_000;
/** PostgreSQL counts days and microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const FIRST_DAY = EPOCH_MS / DAY_MS;

function writeInstant(buffer: Buffer, value: Date, at: number): void {
  writeSafeInteger(buffer, (value.getTime() - EPOCH_MS) * 1_000, at);
}

function writeDate(buffer: Buffer, { year, month, day }: CalendarDate, at: number): void {
  writeInt(buffer, Date.UTC(year, month - 1, day) / DAY_MS - FIRST_DAY, at);
}

/** @returns how many bytes it has */
function writeText(buffer: Buffer, text: string, at: number): number {
  const { length } = text;
  if (length > SHORT) return buffer.write(text, at);
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > ASCII) return buffer.write(text, at);
    buffer[at + index] = code;
  }
  return length;
}

const UUID_LENGTH = 36;
/** SQLSTATE of what PostgreSQL would say of it. */
const INVALID_TEXT = '22P02';
/** So far below zero that no other digit makes up for it. */
const NO_DIGIT = -1_000;
/** The value of a hexadecimal digit, by its code. */
const DIGITS = Int32Array.from({ length: ASCII + 1 }, (_, code) =>
  /[0-9a-f]/i.test(String.fromCharCode(code)) ? parseInt(String.fromCharCode(code), 16) : NO_DIGIT,
);

/** Without a loop or a call for each byte, which take twice as long: most of what is sent for an order are identifiers. */
function writeUuid(buffer: Buffer, id: string, at: number): void {
  const checked =
    (buffer[at] = byteOf(id, 0)) |
    (buffer[at + 1] = byteOf(id, 2)) |
    (buffer[at + 2] = byteOf(id, 4)) |
    (buffer[at + 3] = byteOf(id, 6)) |
    (buffer[at + 4] = byteOf(id, 9)) |
    (buffer[at + 5] = byteOf(id, 11)) |
    (buffer[at + 6] = byteOf(id, 14)) |
    (buffer[at + 7] = byteOf(id, 16)) |
    (buffer[at + 8] = byteOf(id, 19)) |
    (buffer[at + 9] = byteOf(id, 21)) |
    (buffer[at + 10] = byteOf(id, 24)) |
    (buffer[at + 11] = byteOf(id, 26)) |
    (buffer[at + 12] = byteOf(id, 28)) |
    (buffer[at + 13] = byteOf(id, 30)) |
    (buffer[at + 14] = byteOf(id, 32)) |
    (buffer[at + 15] = byteOf(id, 34));
  if (checked < 0 || id.length !== UUID_LENGTH || !hasHyphens(id))
    throw Object.assign(new Error('not a UUID'), { code: INVALID_TEXT });
}

/** Below zero where there are no two digits. */
function byteOf(id: string, place: number): number {
  return ((DIGITS[id.charCodeAt(place)] ?? NO_DIGIT) << 4) + (DIGITS[id.charCodeAt(place + 1)] ?? NO_DIGIT);
}

function hasHyphens(id: string): boolean {
  return id[8] === '-' && id[13] === '-' && id[18] === '-' && id[23] === '-';
}
