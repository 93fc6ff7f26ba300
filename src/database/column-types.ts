import { types } from 'pg';

type Parser = (text: string) => unknown;

/** Object identifiers of PostgreSQL's built-in types (pg_type.dat); they are the same in every version. */
const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  json: 114,
  float8: 701,
  timestamptz: 1184,
  jsonb: 3802,
  int4Array: 1007,
  textArray: 1009,
  int8Array: 1016,
  uuidArray: 2951,
};

const textArray = types.getTypeParser(OID.textArray) as (text: string) => (string | null)[];
const timestamptz = types.getTypeParser(OID.timestamptz) as (text: string) => Date;

function arrayOf(element: Parser): Parser {
  return (text) => textArray(text).map((item) => (item === null ? null : element(item)));
}

function bytes(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}

const PARSERS: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [OID.bool, (text) => text === 't'],
  [OID.bytea, bytes],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.int8, BigInt],
  [OID.float8, Number],
  [OID.json, JSON.parse],
  [OID.jsonb, JSON.parse],
  [OID.timestamptz, timestamptz],
  [OID.int4Array, arrayOf(Number)],
  [OID.int8Array, arrayOf(BigInt)],
  [OID.textArray, textArray],
  [OID.uuidArray, textArray],
]);

const asText: Parser = (text) => text;

/**
 * How `Database.query` reads a column of this type, on both databases: `bigint` for int8, `Buffer` for bytea,
 * `Date` for timestamptz, numbers, booleans, parsed JSON, arrays of int4, int8, text and uuid. Everything else
 * stays the text PostgreSQL sends: `YYYY-MM-DD` for a date, digits for a numeric, the label for an enum.
 */
export function columnParser(oid: number): Parser {
  return PARSERS.get(oid) ?? asText;
}
