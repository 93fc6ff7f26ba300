import { partsOf, piecesOf, roundsOf, workedTogether } from './batch-order';

const NOW = new Date('2026-11-23T12:00:00Z');

describe('the rounds of a batch', () => {
  const delivery = (name: string, { bytes = 1_000, ageMs = 0 } = {}) => ({
    name,
    lane: name.charAt(0),
    body: new Uint8Array(bytes),
    receivedAt: new Date(NOW.getTime() - ageMs),
  });
  const large = (name: string, ageMs: number) => delivery(name, { bytes: 65_537, ageMs });
  const names = (claimed: ReturnType<typeof delivery>[], largeFirst: boolean) =>
    roundsOf(claimed, NOW, largeFirst).map((round) => round.map(({ name }) => name));

  it('keep the order of each lane', () => {
    const claimed = ['a1', 'b1', 'a2', 'a3', 'b2'].map((name) => delivery(name));
    expect(names(claimed, false)).toEqual([['a1', 'b1'], ['a2', 'b2'], ['a3']]);
  });

  it('have large ones last', () => {
    const claimed = [large('a1', 29_999), delivery('b1'), large('c1', 0), delivery('d1')];
    for (const largeFirst of [true, false])
      expect(names(claimed, largeFirst)).toEqual([['b1', 'd1', 'a1', 'c1']]);
  });

  it('have large ones first that have waited for long, in the batches that take them first', () => {
    const claimed = [
      delivery('a1'),
      large('b1', 30_000),
      large('c1', 10),
      delivery('d1'),
      large('e1', 40_000),
    ];
    expect(names(claimed, true)).toEqual([['b1', 'e1', 'a1', 'd1', 'c1']]);
    expect(names(claimed, false)).toEqual([['a1', 'd1', 'b1', 'c1', 'e1']]);
  });
});

describe('the pieces of rounds', () => {
  it('have no more than they may, and keep what is there in its order', () => {
    expect(piecesOf([[1, 2, 3, 4, 5], [6], []], 2)).toEqual([[1, 2], [3, 4], [5], [6]]);
    expect(piecesOf([[1, 2], [3]], 2)).toEqual([[1, 2], [3]]);
    expect(piecesOf([], 2)).toEqual([]);
  });
});

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
