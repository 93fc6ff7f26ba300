import fc from 'fast-check';
import { mutations } from '../../support/mutations';
import type { Random } from '../../support/random';
import { casesOf, readFixture } from '../../support/source-cases';
import { PROVIDERS, SOURCES, type SourceSlug } from './target';

/** A body that is going to be signed, with what its headers say. */
export interface Mutant {
  source: SourceSlug;
  topic: string;
  id: string;
  body: Buffer;
  /** What was done to it, for whoever repeats it. */
  how: string;
}

/** JSON texts at the edges of what anybody reads: numbers, dates, texts, structures. */
export const EXTREMES: readonly string[] = [
  ...['1e400', '-1e400', '1e-400', '-0', '-0.0', '0.000000001', '1E+2', '9007199254740993', '2147483648'],
  ...['99999999999999999999999999', '999999999999.99', '"999999999999.99"', '"9999999999999999999.99"'],
  ...[`${'9'.repeat(400)}`, `"${'9'.repeat(400)}.00"`, `0.${'0'.repeat(400)}1`, '"0x10"', '"1_000"'],
  ...['"1.234,56"', '"1,234.56"', '" 10.00 "', '"+10.00"', '"-10.00"', '"10."', '".5"', '"Infinity"'],
  ...['"1900-01-01"', '"9999-12-31"', '"0000-01-01"', '"-000001-01-01"', '"+275760-09-13T00:00:00Z"'],
  ...['"1900-01-01T00:00:00"', '"9999-12-31T23:59:59.999-12:00"', '"0001-01-01T00:00:00+14:00"'],
  ...['"2026-02-29"', '"2026-13-01T00:00:00Z"', '"2026-01-01T24:00:00Z"', '"2026-01-01T23:59:60Z"'],
  ...[
    '"2026-10-18T00:00:00"',
    '"2026-01-01T00:00:00.123456789Z"',
    '"20260101"',
    '"1785000000"',
    '1785000000',
  ],
  ...['"2026-01-01 00:00:00"', '"2026-01-01T00:00:00+99:99"', '"Thu, 01 Jan 2026 00:00:00 GMT"', '"now"'],
  ...['"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u202e\\u200b\\ufeff"', '"a\\u0300\\u0315"', '"\\n"'],
  ...['"%00"', '"../../etc"', '"a/b/c"', '"\'; drop table entry; --"', '"${order.total}"', '"{{7*7}}"'],
  ...['null', 'true', 'false', '[]', '{}', '""', '" "', '[null]', '[[]]', '{"": ""}', '{"id": null}'],
  ...['{"__proto__": {"id": 7}}', '{"constructor": {"prototype": 1}}', '{"toString": 1, "valueOf": 2}'],
  ...['{"length": 1000000000}', '{"toJSON": 1}', '{"then": 1}', '{"isLosslessNumber": true, "value": "x"}'],
  ...['"BRL"', '"brl"', '"JPY"', '"XXX"', '"KWD"', '"12345678909"', '"00000000000"', '"52998224725"'],
  ...['"America/Sao_Paulo"', '"america/SAO_paulo"', '"Etc/GMT+12"', '"-03:00"', '"UTC"', '"Asia/Nowhere"'],
];

const LONG: readonly string[] = [
  ...['a', ' ', '.', '9', '(', '\\u0301', '\\u200b', '\\ud83d\\ude00', '\\u0130', '-', '/'].map(
    (text) => `"${text.repeat(3_000)}"`,
  ),
  `${'['.repeat(300)}${']'.repeat(300)}`,
  `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
  `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
  `[${Array.from({ length: 2_000 }, (_, index) => `{"id":${index}}`).join(',')}]`,
];

const TOPICS = [
  '',
  'orders/paid',
  'order.paid',
  'order.updated',
  'ORDERS/PAID',
  'x'.repeat(2_000),
  '../x',
  '\u00e9\u00ff',
];

type Change = (text: string, random: Random) => string | Buffer;

/** What is done to the text of a body. */
const CHANGES: Readonly<Record<string, Change>> = {
  replace: (text, random) => replaceValues(text, random, EXTREMES, random.between(1, 4)),
  lengthen: (text, random) => replaceValues(text, random, LONG, 1),
  duplicate: duplicateMember,
  grow: growList,
  nest: (text, random) => nestValue(text, random, random.between(1, 80)),
  move: moveValue,
  rename: renameMember,
  truncate: (text, random) => text.slice(0, random.between(0, text.length)),
  bytes: flipBytes,
  encode: encoded,
};
const NAMES = Object.keys(CHANGES);

/** Signed bodies that no shop would send: half of them by the changes of the property tests, half by harsher ones. */
export function makeMutants(count: number, random: Random): Mutant[] {
  const origins = SOURCES.flatMap((source) =>
    casesOf(PROVIDERS[source]).map(({ file, topic }) => {
      const body = readFixture(PROVIDERS[source], file);
      return { source, topic, file, body, gentle: gentleOnes(body, count, random) };
    }),
  );
  return Array.from({ length: count }, (_, index) => {
    const { source, topic, file, body, gentle } = random.pick(origins);
    const name = random.next() < 0.4 ? 'mutations' : random.pick(NAMES);
    const numbered = random.next() < 0.6 ? withOwnId(body.toString('utf8'), index) : body.toString('utf8');
    const changed = name === 'mutations' ? gentle() : CHANGES[name]!(numbered, random);
    return {
      source,
      topic: random.next() < 0.93 ? topic : random.pick(TOPICS),
      id:
        random.next() < 0.97
          ? `mutant-${index}`
          : random.pick(['', ' ', 'x'.repeat(3_000), 'mutant-1', '\u00fc']),
      body: Buffer.isBuffer(changed) ? changed : Buffer.from(changed, 'utf8'),
      how: `${name} ${file}`,
    };
  });
}

function gentleOnes(body: Buffer, count: number, random: Random): () => string {
  const made = fc.sample(mutations(body), { numRuns: Math.min(count, 400), seed: random.between(0, 1e9) });
  return () => random.pick(made);
}

/** As an order of its own, so that not all wait for one another in a lane. */
function withOwnId(text: string, index: number): string {
  return text.replace(/("id":\s*"?)[\w-]+/, (_, before: string) => `${before}${8_100_000_000_000 + index}`);
}

type Slot = { holder: object; key: string };

/** Every place of a value in the tree; the root has none. */
function slotsOf(root: unknown): Slot[] {
  if (typeof root !== 'object' || root === null) return [];
  return Object.keys(root).flatMap((key) => [
    { holder: root, key },
    ...slotsOf(Reflect.get(root, key) as unknown),
  ]);
}

function replaceValues(text: string, random: Random, texts: readonly string[], times: number): string {
  const root: unknown = JSON.parse(text);
  const chosen: string[] = [];
  for (let time = 0; time < times; time += 1) {
    const slots = slotsOf(root);
    if (slots.length === 0) break;
    const { holder, key } = random.pick(slots);
    Reflect.set(holder, key, `@@${chosen.push(random.pick(texts)) - 1}@@`);
  }
  return JSON.stringify(root).replace(/"@@(\d+)@@"/g, (_, index: string) => chosen[Number(index)]!);
}

function duplicateMember(text: string, random: Random): string {
  const members = [...text.matchAll(/"(\w+)":/g)];
  if (members.length === 0) return text;
  const { index, 0: member } = random.pick(members);
  return `${text.slice(0, index)}${member}${random.pick(EXTREMES)},${text.slice(index)}`;
}

function growList(text: string, random: Random): string {
  const root: unknown = JSON.parse(text);
  const lists = slotsOf(root).filter(({ holder, key }) => Array.isArray(Reflect.get(holder, key)));
  if (lists.length === 0) return text;
  const { holder, key } = random.pick(lists);
  const list = Reflect.get(holder, key) as unknown[];
  const member = list[0] ?? { id: 1, amount: '1.00', name: 'x', value: 'y' };
  Reflect.set(
    holder,
    key,
    Array.from({ length: random.between(2, 400) }, () => member),
  );
  return JSON.stringify(root);
}

function nestValue(text: string, random: Random, levels: number): string {
  const root: unknown = JSON.parse(text);
  const slots = slotsOf(root);
  if (slots.length === 0) return text;
  const { holder, key } = random.pick(slots);
  let value = Reflect.get(holder, key) as unknown;
  for (let level = 0; level < levels; level += 1) value = random.next() < 0.5 ? [value] : { [key]: value };
  Reflect.set(holder, key, value);
  return JSON.stringify(root);
}

/** One value stands where another stood. */
function moveValue(text: string, random: Random): string {
  const root: unknown = JSON.parse(text);
  const slots = slotsOf(root);
  if (slots.length === 0) return text;
  const from = random.pick(slots);
  const to = random.pick(slots);
  Reflect.set(to.holder, to.key, structuredClone(Reflect.get(from.holder, from.key) as unknown));
  return JSON.stringify(root);
}

function renameMember(text: string, random: Random): string {
  const root: unknown = JSON.parse(text);
  const slots = slotsOf(root).filter(({ holder }) => !Array.isArray(holder));
  if (slots.length === 0) return text;
  const { holder, key } = random.pick(slots);
  const value: unknown = Reflect.get(holder, key);
  Reflect.deleteProperty(holder, key);
  const name = random.pick([
    '__proto__',
    '',
    key.toUpperCase(),
    `${key} `,
    'k'.repeat(5_000),
    '\u0000',
    'id',
  ]);
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  return JSON.stringify(root);
}

function flipBytes(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  for (let time = random.between(1, 6); time > 0 && bytes.length > 0; time -= 1)
    bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
  return bytes;
}

function encoded(text: string, random: Random): Buffer {
  return random.pick([
    () => Buffer.from(`\ufeff${text}`, 'utf8'),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text.replace(/[aeo]/g, '\u00e9'), 'latin1'),
    () => Buffer.from(`${text}\n${text}`, 'utf8'),
    () => Buffer.from(`${text}garbage`, 'utf8'),
    () => Buffer.from(`payload=${encodeURIComponent(text)}`, 'utf8'),
    () => Buffer.concat([Buffer.from(text, 'utf8'), Buffer.alloc(50)]),
    () => Buffer.from(JSON.stringify(text), 'utf8'),
    () => Buffer.from(`[${text}]`, 'utf8'),
  ])();
}
