import { conditionOf, expectedWithinSeconds, type Observed } from './condition';

const NOW = new Date('2026-11-24T12:00:00Z');

function condition(observed: Partial<Observed>) {
  const usual = { paused: false, settings: {}, lastReceivedAt: NOW, learnedSeconds: 28_800 };
  return conditionOf({ ...usual, refused: 0, accepted: 0, ...observed }, NOW);
}

const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);

describe('how long a source may be quiet', () => {
  it('is twice its usual gap, and four hours at least', () => {
    expect(expectedWithinSeconds(8 * 3_600_000)).toBe(16 * 3600);
    expect(expectedWithinSeconds(0)).toBe(4 * 3600);
  });

  it('is what was learned, to the second', () => {
    expect(condition({ lastReceivedAt: hoursAgo(8) })).toMatchObject({ quietFor: 28_800, silent: false });
    const late = new Date(hoursAgo(8).getTime() - 1);
    expect(condition({ lastReceivedAt: late })).toMatchObject({ expectedWithin: 28_800, silent: true });
  });

  it('is what the operator says, where the operator says it', () => {
    const settings = { silentAfterHours: 2 };
    expect(condition({ settings, lastReceivedAt: hoursAgo(3) }).silent).toBe(true);
    expect(condition({ settings, learnedSeconds: null, lastReceivedAt: hoursAgo(3) }).expectedWithin).toBe(
      7200,
    );
    expect(condition({ settings: { silentAfterHours: 0 }, lastReceivedAt: hoursAgo(999) })).toMatchObject({
      expectedWithin: null,
      silent: false,
    });
  });

  it('is less than the time after which its provider removes a quiet webhook', () => {
    const removed = { removedWhenQuietHours: 72, lastReceivedAt: hoursAgo(49) };
    const expected = (observed: Partial<Observed>) => condition({ ...removed, ...observed }).expectedWithin;
    expect(expected({ learnedSeconds: null })).toBe(48 * 3600);
    expect(expected({ learnedSeconds: 240 * 3600 })).toBe(48 * 3600);
    expect(expected({ learnedSeconds: 7 * 3600 })).toBe(7 * 3600);
    expect(expected({ settings: { silentAfterHours: 60 } })).toBe(60 * 3600);
    expect(condition({ ...removed, learnedSeconds: null }).silent).toBe(true);
  });

  it('is not known of a source that sent nothing, or of which nothing was learned', () => {
    expect(condition({ lastReceivedAt: null })).toMatchObject({ quietFor: null, silent: false });
    expect(condition({ learnedSeconds: null, lastReceivedAt: hoursAgo(999) }).silent).toBe(false);
  });

  it('is nobody’s business while the source is paused', () => {
    const paused = { paused: true, lastReceivedAt: hoursAgo(999), refused: 99 };
    expect(condition(paused)).toMatchObject({ silent: false, failing: false });
  });

  it('is nothing where a clock is behind', () => {
    expect(condition({ lastReceivedAt: hoursAgo(-1) })).toMatchObject({ quietFor: 0, silent: false });
  });
});

it.each([
  [9, 0, false],
  [10, 0, true],
  [10, 9, true],
  [10, 10, false],
])('%d refused and %d accepted webhooks are a failure: %s', (refused, accepted, failing) => {
  expect(condition({ refused, accepted }).failing).toBe(failing);
});
