import { partsOf } from './parts-of-batch';
import { workedTogether } from './worked-together';

const delivery = (id: string, lane: string, interrupted = 0) => ({ id, lane, seq: 0n, interrupted });
const ids = (deliveries: readonly { id: string }[]) => deliveries.map(({ id }) => id).join(' ');

describe('what is worked on together', () => {
  it('is all of it as long as work on none of it was interrupted', () => {
    const claimed = [delivery('1', 'a'), delivery('2', 'b'), delivery('3', 'a')];
    expect([ids(workedTogether(claimed, true)), ids(workedTogether(claimed, false))]).toEqual([
      '1 2 3',
      '1 2 3',
    ]);
  });

  it('leaves out what was interrupted and what stands behind it in its lane', () => {
    const claimed = [delivery('1', 'a', 1), delivery('2', 'b'), delivery('3', 'a'), delivery('4', 'b', 2)];
    expect(ids(workedTogether(claimed, false))).toBe('2');
    expect(ids(workedTogether(claimed, true))).toBe('1');
  });

  it('is one alone, of those that were interrupted least, where there is nothing else', () => {
    const claimed = [delivery('1', 'a', 2), delivery('2', 'b', 1), delivery('3', 'c', 1)];
    expect(ids(workedTogether(claimed, false))).toBe('2');
  });
});

describe('a batch that failed', () => {
  const batch = (...times: [string, number][]) =>
    new Map(times.map(([id, planMs]) => [delivery(id, id), planMs]));

  it('is halved', () => {
    expect(partsOf(batch(['1', 5], ['2', 900], ['3', 0])).map(ids)).toEqual(['1 2', '3']);
  });

  it('loses first the one that took long to be planned', () => {
    expect(partsOf(batch(['1', 5], ['2', 9_000], ['3', 0])).map(ids)).toEqual(['1 3', '2']);
  });
});
