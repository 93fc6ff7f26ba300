import { ORGANIZATION } from '../../rules/fixtures';
import { chunksOf } from './backtests';
import { readPeriod } from './period';

function read(from: string, to: string): string[] {
  const period = readPeriod({ from, to }, ORGANIZATION);
  return [period.from, period.to].map((instant) => instant.toISOString());
}

describe('a period', () => {
  it('of days is of whole days in the time zone of the organization, the last one included', () => {
    expect(read('2026-02-01', '2026-02-28')).toEqual([
      '2026-02-01T03:00:00.000Z',
      '2026-03-01T03:00:00.000Z',
    ]);
    expect(read('2026-02-01', '2026-02-01')).toEqual([
      '2026-02-01T03:00:00.000Z',
      '2026-02-02T03:00:00.000Z',
    ]);
  });

  it('of instants ends before the second one', () => {
    expect(read('2026-02-01T00:00:00Z', '2026-02-01T00:00:01-03:00')).toEqual([
      ...['2026-02-01T00:00:00.000Z', '2026-02-01T03:00:01.000Z'],
    ]);
  });

  it.each([
    ['2026-02-02', '2026-02-01', '/from'],
    ['2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z', '/from'],
    ['2026-02-30', '2026-03-01', '/from'],
    ['2026-02-01', 'tomorrow', '/to'],
    ['2026-02-01', '2026-02-02T00:00:00', '/to'],
  ])('from %s to %s is refused with the field', (from, to, pointer) => {
    expect(() => read(from, to)).toThrow(
      expect.objectContaining({
        code: 'validation-failed',
        extras: { errors: [expect.objectContaining({ pointer })] },
      }),
    );
  });
});

describe('portions of a page', () => {
  it('have so many bodies at most, and so many bytes, each delivery once and in order', () => {
    const page = Array.from({ length: 250 }, (_, id) => ({ id, size: id === 7 ? 9_000_000 : 100 }));
    const chunks = chunksOf(page);
    expect(chunks.map(({ length }) => length)).toEqual([7, 1, 100, 100, 42]);
    expect(chunks.flat()).toEqual(page);
    expect(chunksOf([{ size: null }, { size: null }])).toHaveLength(1);
    expect(chunksOf([])).toEqual([]);
  });
});
