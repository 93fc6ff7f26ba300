import { cnpj, cpf } from 'cpf-cnpj-validator';
import fc from 'fast-check';
import { TaxId } from './tax-id';
import { propertyRuns } from '../../test/support/property-runs';

const RUNS = propertyRuns(400);
const DIGITS = [...'0123456789'];
const CHARACTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const text = (characters: string[], length: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });

/** A base with the check digits that the library works out for it. */
const completedCpf = text(DIGITS, 9).map((base) => {
  const first = cpf.verifierDigit(base);
  return `${base}${first}${cpf.verifierDigit(`${base}${first}`)}`;
});
const completedCnpj = (characters: string[]) =>
  text(characters, 12).map((base) => {
    const first = cnpj.verifierDigit(base);
    return `${base}${first}${cnpj.verifierDigit(`${base}${first}`)}`;
  });
const repeated = (length: number) => fc.constantFrom(...DIGITS).map((digit) => digit.repeat(length));

describe('what another implementation says of', () => {
  it.each([
    ['random CPFs', text(DIGITS, 11)],
    ['CPFs with the right check digits', completedCpf],
    ['CPFs of one digit repeated', repeated(11)],
  ])('%s, so says TaxId', (_name, numbers) => {
    fc.assert(
      fc.property(numbers, (number) => {
        expect(TaxId.isValid(number)).toBe(cpf.isValid(number));
        expect(TaxId.isValid(cpf.format(number))).toBe(cpf.isValid(number));
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['random numeric CNPJs', text(DIGITS, 14)],
    ['numeric CNPJs with the right check digits', completedCnpj(DIGITS)],
    ['alphanumeric CNPJs with the right check digits', completedCnpj(CHARACTERS)],
    [
      'random alphanumeric CNPJs',
      fc.tuple(text(CHARACTERS, 12), text(DIGITS, 2)).map((parts) => parts.join('')),
    ],
    ['CNPJs of one digit repeated', repeated(14)],
  ])('%s, so says TaxId', (_name, numbers) => {
    fc.assert(
      fc.property(numbers, (number) => {
        expect(TaxId.isValid(number)).toBe(cnpj.isValid(number));
        expect(TaxId.isValid(cnpj.format(number))).toBe(cnpj.isValid(number));
      }),
      { numRuns: RUNS },
    );
  });

  it('right check digits, TaxId takes, and keeps every letter', () => {
    fc.assert(
      fc.property(completedCnpj(CHARACTERS), fc.boolean(), (number, lower) => {
        fc.pre(!/^(.)\1*$/.test(number));
        expect(TaxId.parse(lower ? number.toLowerCase() : number)).toMatchObject({ number, type: 'Cnpj' });
      }),
      { numRuns: RUNS },
    );
  });

  it('a number with letters around it, TaxId does not strip them', () => {
    fc.assert(
      fc.property(
        completedCpf,
        fc.constantFrom(...CHARACTERS.slice(10)),
        fc.nat(11),
        (number, letter, at) => {
          expect(TaxId.isValid(number.slice(0, at) + letter + number.slice(at))).toBe(false);
        },
      ),
    );
  });
});
