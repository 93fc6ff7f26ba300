import { formatsOf } from '../../console/src/formats';
import { niceTop } from '../../console/src/pages/today/nice-top';

const english = formatsOf('en', 'America/Sao_Paulo', 'BRL');
const portuguese = formatsOf('pt-BR', 'America/Sao_Paulo', 'BRL');

/** Which space stands before a unit differs between versions of Node. */
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('how the console writes', () => {
  it('money, in the language of the reader and the currency of the organization or its own', () => {
    expect(plain(english.money('1234.5'))).toBe('R$1,234.50');
    expect(plain(portuguese.money('1234.5'))).toBe('R$ 1.234,50');
    expect(plain(portuguese.money('-0.01'))).toBe('-R$ 0,01');
    expect(plain(english.money('10', 'USD'))).toBe('$10.00');
    expect(plain(portuguese.money('1000', 'JPY'))).toBe('JP¥ 1.000');
  });

  it('money that no binary fraction holds, to the cent', () => {
    expect(plain(english.money('90071992547409.93'))).toBe('R$90,071,992,547,409.93');
    expect(plain(english.money('9007199254740993.01'))).toBe('R$9,007,199,254,740,993.01');
  });

  it('days as they are, in no time zone', () => {
    expect(formatsOf('en', 'Pacific/Kiritimati', 'BRL').day('2026-01-01')).toBe('Jan 1, 2026');
    expect(formatsOf('pt-BR', 'Etc/GMT+12', 'BRL').day('2026-01-01')).toBe('1 de jan. de 2026');
  });

  it('instants in the time zone of the organization, also on the day before', () => {
    expect(plain(english.instant('2026-01-01T01:02:03Z'))).toBe('12/31/25, 10:02:03 PM');
    expect(plain(portuguese.instant('2026-01-01T01:02:03Z'))).toBe('31/12/2025, 22:02:03');
    expect(plain(english.time('2026-01-01T15:00:00Z'))).toBe('12:00 PM');
    expect(portuguese.time('2026-01-01T15:00:00Z')).toBe('12:00');
  });

  it('counts with the marks of thousands', () => {
    expect([english.count(1_000_000), portuguese.count(1_000_000)]).toEqual(['1,000,000', '1.000.000']);
  });

  it('how long something is in the largest unit that says something', () => {
    const seconds = [0, 0.4, 1, 59, 60, 90, 3_599, 3_600, 86_399, 86_400, 400 * 86_400];
    expect(seconds.map(english.duration)).toEqual([
      ...['0 seconds', '0 seconds', '1 second', '59 seconds', '1 minute', '2 minutes'],
      ...['1 hour', '1 hour', '1 day', '1 day', '400 days'],
    ]);
    expect([1, 7_200, 172_800].map(portuguese.duration)).toEqual(['1 segundo', '2 horas', '2 dias']);
  });

  it('the top of a chart as a round number that is not below what it shows', () => {
    expect([0, 1, 2, 3, 5, 11, 20, 21, 101, 1_000_001].map(niceTop)).toEqual([
      2, 2, 2, 4, 10, 20, 20, 40, 200, 2_000_000,
    ]);
  });
});
