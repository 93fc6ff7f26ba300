import fc from 'fast-check';
import { ERASED } from '../kernel/erased';
import { parseJsonBytes, writeJson } from '../kernel/lossless-json';
import { TextEraser } from './erase-texts';
import { type Identifiers, learn, noIdentifiers, phoneDigits } from './identifiers';

function knownOf(facts: Parameters<typeof learn>[1]): Identifiers {
  const known = noIdentifiers();
  learn(known, facts);
  return known;
}

const ANA = {
  ...{ name: 'Ana Conceição', document: '529.982.247-25', email: 'Ana.Lima+loja@Example.com' },
  ...{
    phone: '+55 (11) 98765-4321',
    address: { line1: 'Rua das Flores, 12', city: 'Santos', zipCode: '11010-000' },
  },
};
const eraser = new TextEraser(knownOf(ANA));

describe('what a person is recognised by', () => {
  it.each([
    ...['52998224725', '529.982.247-25', 'cpf=529 982 247 25;', '"529982247-25"'],
    ...['ana.lima+loja@example.com', 'ANA.LIMA+LOJA@EXAMPLE.COM', 'mail=ana.lima%2Bloja%40example.com&x=1'],
    ...[
      '"ana.lima+loja\\u0040example.com"',
      '11987654321',
      '+5511987654321',
      '(11) 98765-4321',
      '011 98765 4321',
    ],
    ...['tel:+55-11-98765-4321', '5511987654321'],
  ])('is found in the spelling %s', (text) => {
    expect(eraser.names(text)).toBe(true);
  });

  it.each([
    ...['152998224725', '529982247250', 'A52998224725', '9119876543210', '11987654322', '1198765432'],
    ...[
      'dana.lima+loja@example.com',
      'x.ana.lima+loja@example.com',
      'ana.lima+loja@example.com.br',
      'ana.lima+loja@example.commerce',
      'ana.lima@example.com',
      'Ana Conceição',
    ],
    ...['', 'R$ 5.299,82', '2026-11-25T00:00:00Z'],
  ])('is not found in %s', (text) => {
    expect(eraser.names(text)).toBe(false);
  });

  it('has telephone numbers without the country, and nothing that is too short', () => {
    expect(['+55 11 98765-4321', '011 3333-4444', '190', '5511987654321'].map(phoneDigits)).toEqual([
      ...['11987654321', '1133334444', undefined, '11987654321'],
    ]);
  });

  it.each([
    ...[
      '12345678000195',
      '12.345.678/0001-95',
      '"cnpj":"12.345.678\\/0001-95"',
      '\\"12.345.678\\\\/0001-95\\"',
    ],
    ...['"12.345.678\\u002F0001-95"', 'cnpj=12.345.678%2F0001-95&x=1'],
  ])('a CNPJ is found in the spelling %s', (text) => {
    const company = new TextEraser(knownOf({ name: 'Zilda Reis', document: '12.345.678/0001-95' }));
    expect(company.names(text)).toBe(true);
    expect(company.names(text.replace('0001', '0002'))).toBe(false);
  });

  it('finds any document, e-mail address and number in any text around it', () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{10}$/);
    const email = fc.stringMatching(/^[a-z][a-z0-9._+-]{0,12}[a-z0-9]@[a-z]{3,9}\.com$/);
    const around = fc.constantFrom('', ' ', '"', '<', '>', ': ', ', ', '\n', '(', ')');
    fc.assert(
      fc.property(digits, email, around, around, (number, address, before, after) => {
        const one = new TextEraser(knownOf({ document: number, email: address }));
        for (const text of [number, address, address.toUpperCase()])
          expect(one.text(`${before}${text}${after}`, false)).toBe(`${before}${ERASED}${after}`);
      }),
    );
  });
});

describe('erasing texts', () => {
  it('takes names and addresses only from what is theirs, whatever their case and accents', () => {
    const text = 'Venda para ANA  CONCEICAO, Rua das Flores, 12';
    expect(eraser.text(text, true)).toBe(`Venda para ${ERASED}, ${ERASED}`);
    expect(eraser.text(text, false)).toBe(text);
    expect(eraser.text('Anabela Conceição', true)).toBe('Anabela Conceição');
  });

  it('takes all of an object that is about them, and leaves what is about others to the digit', () => {
    const json = `{"value":64.20,"big":12345678901234567890,"customer":{"name":"A. Lima","email":"ana.lima+loja@example.com",
      "phone":"13 3333-0000"},"other":{"name":"Bia","email":"bia@example.com"},"phones":[11987654321]}`;
    const after = writeJson(eraser.json(parseJsonBytes(Buffer.from(json)), false, 'absent'));
    expect(after).toBe(
      `{"value":64.20,"big":12345678901234567890,"customer":{"name":"${ERASED}"},"other":{"name":"Bia","email":"bia@example.com"},"phones":[null]}`,
    );
    expect(
      writeJson(eraser.json(parseJsonBytes(Buffer.from('{"name":"Bia","email":null}')), true, 'null')),
    ).toBe('{"name":"Bia","email":null}');
  });

  it('does the same again for what was erased', () => {
    const once = eraser.text('Ana Conceição <ana.lima+loja@example.com> 529.982.247-25', true);
    expect(eraser.text(once, true)).toBe(once);
    expect(once).not.toMatch(/ana|conc|529/i);
  });

  it('gives a business key another one, and takes no longer key for it', () => {
    const renamed = new TextEraser(noIdentifiers(), { 'customer/key/loja/customer/12': 'customer/erased/1' });
    expect(renamed.text('customer/key/loja/customer/12', false)).toBe('customer/erased/1');
    expect(renamed.text('customer/key/loja/customer/123', false)).toBe('customer/key/loja/customer/123');
  });
});
