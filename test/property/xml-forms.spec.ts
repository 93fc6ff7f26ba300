import 'reflect-metadata';
import { XMLParser } from 'fast-xml-parser';
import fc, { type Arbitrary } from 'fast-check';
import { AccountShape, AccountUpdateShape, TransferShape } from '../../src/finance/api/shapes/accounts.dto';
import { CostCenterShape } from '../../src/finance/api/shapes/cost-centers.dto';
import { CustomerShape } from '../../src/finance/api/shapes/customers.dto';
import { DirectRegistrationShape, PaymentDeletionShape } from '../../src/finance/api/shapes/payments.dto';
import { ScheduledReceiptShape } from '../../src/finance/api/shapes/receipts.dto';
import { CreditScheduleShape } from '../../src/finance/api/shapes/schedules.dto';
import { kindOf, nestedOf, type WireKind } from '../../src/http/field';
import { fieldsOf, readDto } from '../../src/http/read-dto';
import { XmlError } from '../../src/http/xml/parse-xml';
import { writeXml, xmlOf } from '../../src/http/xml/write-xml';
import { parseXmlAs } from '../../src/http/xml/xml-json';
import { parseJsonBytes, type LosslessJson } from '../../src/kernel/lossless-json';
import { propertyRuns } from '../support/property-runs';
import { anyText } from '../support/any-text';

type Shape = new () => object;

const SHAPES: readonly (readonly [string, Shape])[] = [
  CustomerShape,
  CreditScheduleShape,
  DirectRegistrationShape,
  ScheduledReceiptShape,
  CostCenterShape,
  TransferShape,
  PaymentDeletionShape,
  AccountShape,
  AccountUpdateShape,
].map((shape) => [shape.name, shape]);

const CONTEXT = {
  organization: {
    id: '0190a1b2-0000-7000-8000-000000000001',
    slug: 'shop',
    name: 'Shop',
    timeZone: 'America/Sao_Paulo',
    currency: 'BRL',
  },
};

/** What XML can hold at all. */
const POSSIBLE = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;
const text: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '  Lia  ', '007', '00012345', '01310-100', '&<>', ']]>', '"\'', 'a\r\nb\rc', '\t', '&amp;'],
    ...['<b/>', '<![CDATA[x]]>', 'Itaú 日本 😀', 'true', 'null', '1e5', '\u0085\u2028', '2026-01-31'],
    ...['52998224725', '0190a1b2-0000-7000-8000-000000000002', 'ByDate', 'e\u0301'],
  ),
  anyText({ maxLength: 12 }).filter((sample) => POSSIBLE.test(sample)),
  fc.string({ unit: fc.constantFrom(...'&<>]["\' \r\n\t;#a0é😀'), maxLength: 12 }),
);
const plainNumber: Arbitrary<string> = fc.oneof(
  fc.constantFrom('0', '-0', '0.1', '0.10', '999999999999.99', '-1500.75', '12345678901234567890.123', '1'),
  fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  fc.integer().map(String),
);
const anyNumber: Arbitrary<string> = fc.oneof(
  plainNumber,
  fc.constantFrom('1e2', '1.25E+2', '5e-1', '-12e-2'),
);

/** JSON text of a record of the shape, with its numbers as written. */
function recordOf(shape: Shape, number: Arbitrary<string>): Arbitrary<string> {
  const fields = Object.fromEntries(
    [...fieldsOf(shape)].map((name) => [
      name,
      fc.oneof({ weight: 5, arbitrary: fieldOf(shape, name, number) }, nulls),
    ]),
  );
  return fc.record(fields, { requiredKeys: [] }).map(objectText);
}

const nulls = fc.constant('null');

function objectText(fields: object): string {
  return `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${String(value)}`)
    .join(',')}}`;
}

function fieldOf(shape: Shape, name: string, number: Arbitrary<string>): Arbitrary<string> {
  const nested = nestedOf(shape.prototype as object, name);
  if (nested?.max !== undefined)
    return fc
      .array(fc.oneof({ weight: 9, arbitrary: recordOf(nested.type(), number) }, nulls), { maxLength: 4 })
      .map((items) => `[${items.join(',')}]`);
  if (nested) return recordOf(nested.type(), number);
  const kinds: Record<WireKind, Arbitrary<string>> = {
    text: text.map((sample) => JSON.stringify(sample)),
    number,
    flag: fc.constantFrom('true', 'false'),
    texts: fc.array(text, { maxLength: 3 }).map((samples) => JSON.stringify(samples)),
  };
  return kinds[kindOf(shape.prototype as object, name)];
}

const jsonOf = (source: string): LosslessJson => parseJsonBytes(Buffer.from(source, 'utf8'));

describe.each(SHAPES)('a %s', (_name, shape) => {
  it('reads from XML as what its JSON says, to the last digit', () => {
    fc.assert(
      fc.property(recordOf(shape, plainNumber), (source) => {
        const json = jsonOf(source);
        expect(parseXmlAs(shape, Buffer.from(xmlOf('record', json), 'utf8'))).toEqual(json);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('comes to the same record, errors and ignored fields in either form', () => {
    const extras = fc.record(
      { extra: text, Name: fc.array(text), __proto: fc.record({ a: text }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(recordOf(shape, anyNumber), extras, (source, extra) => {
        const more = objectText(
          Object.fromEntries(Object.entries(extra).map(([name, value]) => [name, JSON.stringify(value)])),
        );
        const json = jsonOf(`{${[source.slice(1, -1), more.slice(1, -1)].filter(Boolean).join(',')}}`);
        const xml = parseXmlAs(shape, Buffer.from(xmlOf('record', json), 'utf8'));
        expect(readDto(shape, xml, CONTEXT)).toEqual(readDto(shape, json, CONTEXT));
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('is documented as what its text in XML is taken for', () => {
    const kinds: Record<string, WireKind> = {
      Number: 'number',
      integer: 'number',
      Boolean: 'flag',
      String: 'text',
    };
    const check = (type: Shape): void => {
      for (const name of fieldsOf(type)) {
        const prototype = type.prototype as object;
        const nested = nestedOf(prototype, name);
        if (nested) check(nested.type());
        else {
          const documented = Reflect.getMetadata('swagger/apiModelProperties', prototype, name) as {
            type: string | { name: string };
          };
          const { type: wire } = documented;
          expect([name, kindOf(prototype, name)]).toEqual([
            name,
            kinds[typeof wire === 'string' ? wire : wire.name],
          ]);
        }
      }
    };
    check(shape);
  });

  it('is read or refused, whatever the bytes', () => {
    const names = fc.constantFrom(...fieldsOf(shape), 'item', 'x');
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc
        .tuple(
          names,
          fc.oneof(
            { maxDepth: 4 },
            text,
            fc.array(tie('tree')).map((trees) => trees.join('')),
          ),
        )
        .map(([name, content]) => `<${name}>${content}</${name}>`),
    }));
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 5 }), (trees) => {
        try {
          readDto(shape, parseXmlAs(shape, Buffer.from(`<c>${trees.join('')}</c>`)), CONTEXT);
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('a reply', () => {
  const name = fc.constantFrom(
    'id',
    'name',
    'value',
    'items',
    'isDeleted',
    'bank',
    'nextPageLink',
    'x-y',
    'a_1',
  );
  const possible = text.filter((sample) => POSSIBLE.test(sample));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      possible,
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(1e21, 1e-7, 5e-324, 1.7e308, 0.1),
      ),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 5 }),
    ),
  }));
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    parseTagValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    processEntities: true,
    htmlEntities: true,
  });

  it('says in XML what it says in JSON, as another parser reads it', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (reply) => {
        const xml = writeXml('Reply', reply);
        const root = (parser.parse(xml) as Node[]).find((node) => 'Reply' in node)!;
        const json = JSON.parse(JSON.stringify(reply)) as unknown;
        expect(valueOf(root, 'Reply', json)).toEqual(json);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('holds no number with an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const [, written] = /<n>(.*)<\/n>/.exec(writeXml('n', number)) ?? [];
        expect(written).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(written)).toBe(number === 0 ? 0 : number);
      }),
    );
  });
});

type Node = Record<string, unknown>;

/** A node as JSON, its kinds taken from what is expected; what is not there, or there twice, will not equal. */
function valueOf(node: Node, name: string, expected: unknown): unknown {
  const attributes = (node[':@'] ?? {}) as Record<string, string>;
  if (attributes['@_xsi:nil'] === 'true') return null;
  const content = node[name] as Node[];
  if (Array.isArray(expected))
    return content.map((child, index) => valueOf(child, 'item', (expected as unknown[])[index]));
  if (typeof expected === 'object' && expected !== null) {
    const entries = content.map((child) => {
      const [field = ''] = Object.keys(child).filter((key) => key !== ':@');
      return [field, valueOf(child, field, (expected as Record<string, unknown>)[field])] as const;
    });
    expect(new Set(entries.map(([field]) => field)).size).toBe(entries.length);
    return Object.fromEntries(entries);
  }
  const written = content.map((piece) => String(piece['#text'])).join('');
  if (typeof expected === 'number') return Number(written);
  return typeof expected === 'boolean' ? written === 'true' : written;
}
