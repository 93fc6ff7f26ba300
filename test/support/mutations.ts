import fc from 'fast-check';
import type { CanonicalEvent } from '../../src/events/event';

type Path = (string | number)[];

/** Takes the place of a value until the text of the JSON is made: values need not be expressible in JavaScript. */
const HOLE = '@@hole@@';

/** JSON texts that payloads should not have, and some that are merely odd. */
const ODD = [
  'null',
  '""',
  '" "',
  '[]',
  '{}',
  'true',
  '-1',
  '-0',
  '0',
  '1e400',
  '1e-400',
  '1.005',
  '99999999999999999999999999',
  '0.30000000000000004',
  '"1,50"',
  '"-5.00"',
  '"999999999999.99"',
  '"1e3"',
  '"NaN"',
  '"\\u0000"',
  '"\\ud800"',
  '"2026-02-30T10:00:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"2026-07-15T10:00:00"',
  '"a/b"',
  '{"__proto__": {"id": 7}, "constructor": 1, "toString": null}',
  '[[[[[[[[{}]]]]]]]]',
  '[null]',
  '[1, "x", {}]',
  '"paid"',
  '"refunded"',
  '"completed"',
];

/** A payload with one or two of its values, at any depth, replaced by something else or taken out. */
export function mutations(body: Buffer): fc.Arbitrary<string> {
  const original: unknown = JSON.parse(body.toString('utf8'));
  const paths = pathsOf(original);
  const replacement = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
  const change = fc.tuple(fc.constantFrom(...paths), replacement);
  return fc
    .array(change, { minLength: 1, maxLength: 2 })
    .map((changes) =>
      changes.reduce((text, [path, value]) => replaced(text, path, value), body.toString('utf8')),
    );
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index): [number, unknown] => [index, item])
    : Object.entries(value);
  const below = entries.flatMap(([key, child]) => pathsOf(child, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

function replaced(text: string, path: Path, value: string | undefined): string {
  const root: unknown = JSON.parse(text);
  let place = root;
  for (const key of path.slice(0, -1)) place = childOf(place, key);
  const last = path.at(-1);
  if (last === undefined || typeof place !== 'object' || place === null) return text;
  if (value === undefined) Reflect.deleteProperty(place, last);
  else Reflect.set(place, last, HOLE);
  return JSON.stringify(root).replace(JSON.stringify(HOLE), () => value ?? 'null');
}

function childOf(place: unknown, key: string | number): unknown {
  return typeof place === 'object' && place !== null ? (Reflect.get(place, key) as unknown) : undefined;
}

/** Every amount in the text, in hundredths without sign, zero among them. */
export function amountsIn(text: string): bigint[] {
  const amounts = [...text.matchAll(/(\d+)(?:\.(\d+))?/g)].map(
    ([, whole = '', fraction = '']) => BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0')),
  );
  return [0n, ...amounts];
}

/** Every whole number in the text and every difference of two of them, zero among them: amounts in minor units. */
export function minorUnitsIn(text: string): bigint[] {
  const numbers = [...new Set(text.match(/\d+/g)?.map(BigInt)), 0n];
  return [...new Set(numbers.flatMap((number) => numbers.map((other) => number - other)))];
}

/** The amounts that would be booked from an event, in minor units. */
export function amountsBookedFrom(event: CanonicalEvent): bigint[] {
  if (event.type === 'customer.updated') return [];
  if (event.type === 'payout.paid') return [event.payout.value.minor];
  if (event.type === 'payment.disputed') return [event.dispute.value.minor];
  if (event.type === 'payment.settled') return [event.settlement.value.minor];
  if (event.type === 'fee.charged') return [event.fee.value.minor];
  if (event.type === 'bill.paid') return [event.bill.value.minor];
  const { total, payments, charge, refunds, edits = [] } = event.order;
  // Payloads say what the total is with its edits.
  const edited = edits.reduce((sum, { value }) => sum + value.minor, total.minor);
  return [edited, ...[...payments, ...refunds, ...(charge ? [charge] : [])].map(({ value }) => value.minor)];
}
