import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { cpfNumber } from '../../test/support/documents';
import { type LosslessJson, parseJsonBytes, writeJson } from '../kernel/lossless-json';
import { PROVIDERS } from '../sources/registry';
import { redact } from './redaction';
import { propertyRuns } from '../../test/support/property-runs';

const FIXTURES = join(__dirname, '../../test/fixtures');

function redacted(value: unknown): unknown {
  return JSON.parse(writeJson(redact(parseJsonBytes(Buffer.from(JSON.stringify(value)))))) as unknown;
}

/** What a list of people's data might contain; each differs from everything a shop says of an order. */
const PERSONAL = [
  ...['Helena Moura Prado', 'helena.prado@example.com', '+55 31 97777-0155', 'Rua Sergipe', 'São Paulo'],
  ...['123.456.789-00', '11.222.333/0001-81', 'Bearer eyJhbGciOi', '2001:db8::17 seen', 'entregar à vizinha'],
];

describe('a body that is shown', () => {
  it('keeps its shape, identifiers, amounts, instants, states and flags', () => {
    const order = {
      id: 6100000000001,
      admin_graphql_api_id: 'gid://shopify/Order/6100000000001',
      order_number: 1001,
      total_price: '1000.00',
      currency: 'BRL',
      financial_status: 'paid',
      test: false,
      created_at: '2026-07-15T14:30:02-03:00',
      cancelled_at: null,
      note: '',
      tags: [],
      line_items: [{ id: 5, sku: 'CUR-1', quantity: 1, price: '1000.00', taxable: true }],
      total_price_set: { shop_money: { amount: '1000.00', currency_code: 'BRL' } },
    };
    expect(redacted(order)).toEqual(order);
  });

  it('keeps every digit of a number', () => {
    const text = '{"id":12345678901234567890123,"total":100.10}';
    expect(writeJson(redact(parseJsonBytes(Buffer.from(text))))).toBe(text);
  });

  it('hides everything of a person but what distinguishes records', () => {
    const customer = {
      id: 77,
      key: 'standard/customer/77',
      created_at: '2026-01-01T00:00:00Z',
      name: 'Helena',
      number: 1440,
      state: 'MG',
      birthDate: '1985-01-31',
      total_spent: '10.00',
      verified_email: true,
      address: { zipCode: '30130-171', location: { id: 5, status: 'home' } },
    };
    expect(redacted({ customer, customer_id: 77 })).toEqual({
      customer: {
        ...{ id: 77, key: 'standard/customer/77', created_at: '2026-01-01T00:00:00Z' },
        ...{ name: '[hidden]', number: '[hidden number]', state: '[hidden]', birthDate: '[hidden]' },
        ...{ total_spent: '[hidden]', verified_email: '[hidden flag]' },
        address: { zipCode: '[hidden]', location: { id: 5, status: '[hidden]' } },
      },
      customer_id: 77,
    });
  });

  it('hides what it does not know', () => {
    expect(
      redacted({ surprise: 'x', other: 5, third: true, checkout_token: 'a1', session_id: 'a1' }),
    ).toEqual({
      ...{ surprise: '[hidden]', other: '[hidden number]', third: '[hidden flag]' },
      ...{ checkout_token: '[hidden]', session_id: '[hidden]' },
    });
  });

  it('hides the value beside a name, whatever it looks like', () => {
    const pair = { name: 'phone', value: '977770155' };
    expect(redacted({ note_attributes: [pair], total: { value: '9.00' } })).toEqual({
      note_attributes: [{ name: '[hidden]', value: '[hidden]' }],
      total: { value: '9.00' },
    });
    expect(redacted({ extras: [{ key: '_billing_phone', value: '977770155' }] })).toEqual({
      extras: [{ key: '[hidden]', value: '[hidden]' }],
    });
  });

  it('shows what a payment amounts to, whose business key stands beside', () => {
    const payment = { key: 'shop/order/1/payment/2', gateway: 'pagarme', value: '10.00' };
    expect(redacted({ payment })).toEqual({ payment });
  });

  it('hides keys that are data', () => {
    expect(redacted({ 'helena@example.com': 1, 'Maria Silva': 2, a5531977770155: 3 })).toEqual({
      '[hidden 1]': '[hidden number]',
      '[hidden 2]': '[hidden number]',
      '[hidden 3]': '[hidden number]',
    });
  });

  it('hides a taxpayer number that stands where an identifier would', () => {
    const cpf = cpfNumber(77_001).replace(/\D/g, '');
    const texts = { id: cpf, buyer_id: `c-${cpf}`, key: `shop/customer/${cpf}`, uuid: '123.456.789-00' };
    const ids = { ...texts, order_id: Number(cpf) };
    expect(Object.values(redacted(ids) as object)).toEqual([
      ...Array<string>(4).fill('[hidden]'),
      '[hidden number]',
    ]);
  });

  const KEYS = [
    ...[
      'id',
      'order_id',
      'uuid',
      'number',
      'sku',
      'key',
      'value',
      'total',
      'price',
      'amount',
      'quantity',
      'name',
    ],
    ...[
      'created_at',
      'date',
      'status',
      'type',
      'currency',
      'gateway',
      'method',
      'source',
      'test',
      'customer',
      'x',
    ],
  ];

  it('contains no word about a person, wherever it stood', () => {
    const leaf = fc.constantFrom(...PERSONAL, ...[1, 2, 3].map((n) => cpfNumber(n)));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5, depthIdentifier: 'tree' },
        leaf,
        fc.array(tie('tree'), { maxLength: 3, depthIdentifier: 'tree' }),
        fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), leaf), tie('tree'), {
          maxKeys: 4,
          depthIdentifier: 'tree',
        }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify(redacted({ root: value }));
        for (const word of PERSONAL) expect(text).not.toContain(word);
        expect(text).not.toMatch(/\d{3}\.?\d{3}\.?\d{3}-?\d{2}/);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('shows nobody of the fixtures, and what each order came to', () => {
    const files = PROVIDERS.map(({ id }) => join(FIXTURES, id)).flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.json') && name !== 'cases.json')
        .map((name) => join(folder, name)),
    );
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const json = parseJsonBytes(readFileSync(file));
      const text = writeJson(redact(json));
      for (const secret of personalTexts(json))
        expect([file, text.includes(JSON.stringify(secret))]).toEqual([file, false]);
    }
  });
});

const OF_A_PERSON =
  /name$|mail|phone|address|document|cpf|cnpj|city|zip|postcode|note|token|company(?!Id$)|(?:^|_)ip$|agent/i;

/** Texts under keys that are surely about a person, wherever they stand. */
function personalTexts(json: LosslessJson, key = ''): string[] {
  if (typeof json === 'string') return OF_A_PERSON.test(key) && json !== '' ? [json] : [];
  if (Array.isArray(json)) return json.flatMap((item) => personalTexts(item, key));
  if (typeof json !== 'object' || json === null || 'isLosslessNumber' in json) return [];
  return Object.entries(json).flatMap(([name, value]) => personalTexts(value, name));
}
