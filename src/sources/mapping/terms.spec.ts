import fc from 'fast-check';
import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { termsOf } from './terms';

const brl = (text: string) => Money.parse(text, 'BRL');
const day = (text: string) => CalendarDate.parse(text);
const shown = (terms: ReturnType<typeof termsOf>) =>
  terms?.map(({ value, dueDate }) => `${value.toString()} ${dueDate.toString()}`);

describe('the terms of an order', () => {
  it('are its parts, the earliest first', () => {
    const parts = [
      { value: brl('40.00'), dueDate: day('2026-09-04') },
      { value: brl('60.00'), dueDate: day('2026-08-05') },
    ];
    expect(shown(termsOf(brl('100.00'), parts))).toEqual(['60.00 2026-08-05', '40.00 2026-09-04']);
  });

  it.each([
    ['there are none', '100.00', []],
    ['they are a cent short', '100.00', [['99.99', '2026-08-05']]],
    ['they are a cent too much', '100.00', [['100.01', '2026-08-05']]],
    ['one has no day', '100.00', [['60.00', '2026-08-05'], ['40.00']]],
    [
      'one is of nothing',
      '100.00',
      [
        ['100.00', '2026-08-05'],
        ['0.00', '2026-09-05'],
      ],
    ],
    [
      'there are more than a receivable takes',
      '121.00',
      Array.from({ length: 121 }, () => ['1.00', '2026-08-05']),
    ],
  ])('are not known where %s', (_why, total, parts) => {
    const written = parts.map(([value = '', dueDate]) => ({
      value: brl(value),
      dueDate: dueDate === undefined ? undefined : day(dueDate),
    }));
    expect(termsOf(brl(total), written)).toBeUndefined();
  });

  it('come to the total to the cent wherever there are some', () => {
    const part = fc.record({ minor: fc.bigInt(0n, 9_999n), days: fc.option(fc.nat(400)) });
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.bigInt(0n, 20_000n),
        fc.boolean(),
        (parts, other, agrees) => {
          const sum = parts.reduce((minor, one) => minor + one.minor, 0n);
          const total = Money.ofMinor(agrees ? sum : other, 'BRL');
          const written = parts.map(({ minor, days }) => ({
            value: Money.ofMinor(minor, 'BRL'),
            dueDate: days === null ? undefined : day('2026-01-01').addDays(days),
          }));
          const terms = termsOf(total, written);
          if (terms === undefined) return;
          expect(terms.reduce((minor, { value }) => minor + value.minor, 0n)).toBe(total.minor);
          expect(terms).toHaveLength(parts.length);
        },
      ),
    );
  });
});
