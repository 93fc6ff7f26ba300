import { IntakePace, LEAST_WAITING, MOST_WAITING, UNMEASURED_WAITING } from './intake-pace';

describe('the pace of the intake', () => {
  let pace: IntakePace;

  beforeEach(() => {
    pace = new IntakePace();
  });

  it('lets a burst wait while nothing is measured', () => {
    expect(pace.mostWaiting(0)).toBe(UNMEASURED_WAITING);
  });

  it('lets wait what is stored in a tenth of a second', () => {
    // 100 in 50 ms, twice at once: 4,000 a second.
    pace.stored(100, 2, 1_000, 1_050);
    expect(pace.mostWaiting(1_050)).toBe(400);
  });

  it('follows a database that becomes slower, batch by batch', () => {
    pace.stored(100, 2, 0, 50);
    const seen = [pace.mostWaiting(50)];
    for (let now = 100; now < 3_100; now += 100) {
      pace.stored(100, 1, now, now + 100);
      seen.push(pace.mostWaiting(now + 100));
    }
    expect(seen).toEqual([...seen].sort((left, right) => right - left));
    expect(seen.at(-1)).toBe(100);
  });

  it('never lets fewer wait than ordinary senders have under way, nor more than memory is meant for', () => {
    pace.stored(50, 1, 0, 60_000);
    expect(pace.mostWaiting(60_000)).toBe(LEAST_WAITING);
    pace = new IntakePace();
    pace.stored(256, 2, 0, 0);
    expect(pace.mostWaiting(0)).toBe(MOST_WAITING);
  });

  it('learns nothing from a small batch, which says little about how many could be stored', () => {
    pace.stored(1, 1, 0, 500);
    expect(pace.mostWaiting(500)).toBe(UNMEASURED_WAITING);
  });

  it('forgets what was measured long ago', () => {
    pace.stored(50, 1, 0, 5_000);
    expect(pace.mostWaiting(14_999)).toBe(LEAST_WAITING);
    expect(pace.mostWaiting(15_000)).toBe(UNMEASURED_WAITING);
    pace.stored(100, 2, 20_000, 20_050);
    expect(pace.mostWaiting(20_050)).toBe(400);
  });
});
