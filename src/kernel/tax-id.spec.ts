import fc from 'fast-check';
import { TaxId, TaxIdError } from './tax-id';

const VALID = [
  ['529.982.247-25', '52998224725', 'Cpf'],
  ['52998224725', '52998224725', 'Cpf'],
  [' 417 203 958-88 ', '41720395888', 'Cpf'],
  ['11.222.333/0001-81', '11222333000181', 'Cnpj'],
  ['11222333000181', '11222333000181', 'Cnpj'],
  ['12.ABC.345/01DE-35', '12ABC34501DE35', 'Cnpj'],
  ['12abc34501de35', '12ABC34501DE35', 'Cnpj'],
] as const;

describe('TaxId', () => {
  it.each(VALID)('takes %s', (text, number, type) => {
    expect(TaxId.parse(text)).toMatchObject({ number, type });
    expect(TaxId.isValid(text)).toBe(true);
  });

  it.each([
    ['529.982.247-24', 'not a valid CPF'],
    ['111.111.111-11', 'not a valid CPF'],
    ['000.000.000-00', 'not a valid CPF'],
    ['11.222.333/0001-80', 'not a valid CNPJ'],
    ['00.000.000/0000-00', 'not a valid CNPJ'],
    ['12.ABC.345/01DE-36', 'not a valid CNPJ'],
    ['12.ABD.345/01DE-35', 'not a valid CNPJ'],
    ['12ABC34501DE3X', 'neither'],
    ['5299822472', 'neither'],
    ['529982247250', 'neither'],
    ['', 'neither'],
    // Both become ASCII letters in upper case, and are none.
    ['12ABC3450\u0131DE35', 'neither'],
    ['12\u017fBC34501DE35', 'neither'],
    ['５２９９８２２４７２５', 'neither'],
  ])('refuses %s', (text, reason) => {
    expect(() => TaxId.parse(text)).toThrow(TaxIdError);
    expect(() => TaxId.parse(text)).toThrow(reason);
    expect(TaxId.isValid(text)).toBe(false);
  });

  it('notices any one wrong character, as far as sums modulo 11 can', () => {
    const change = fc.record({
      number: fc.constantFrom('52998224725', '11222333000181', '12ABC34501DE35'),
      at: fc.nat(13),
      to: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    });
    fc.assert(
      fc.property(change, ({ number, at, to }) => {
        const index = at % number.length;
        // Characters whose values are 11 apart weigh the same: A and L, for one.
        fc.pre((to.charCodeAt(0) - number.charCodeAt(index)) % 11 !== 0);
        expect(TaxId.isValid(number.slice(0, index) + to + number.slice(index + 1))).toBe(false);
      }),
    );
  });

  it('reads back what it printed, however it was written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...VALID), fc.boolean(), ([, number], lower) => {
        expect(TaxId.parse(lower ? number.toLowerCase() : number).number).toBe(number);
      }),
    );
  });

  it('never repeats the number in its complaint', () => {
    const message = (() => {
      try {
        return TaxId.parse('529.982.247-24').number;
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    })();
    expect(message).not.toMatch(/529|982|247/);
  });
});
