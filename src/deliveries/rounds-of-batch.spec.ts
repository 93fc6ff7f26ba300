import { roundsOf } from './rounds-of-batch';

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
