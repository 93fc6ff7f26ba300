import { AdmissionLimit, MIN_IN_FLIGHT, MAX_IN_FLIGHT, UNMEASURED_IN_FLIGHT } from './admission-limit';

describe('the admission limit', () => {
  let pace: AdmissionLimit;

  beforeEach(() => {
    pace = new AdmissionLimit();
  });

  /** So many come at once, and are stored together later. */
  function round(count: number, from: number, to: number): void {
    for (let each = 0; each < count; each += 1) pace.taken(from);
    pace.stored(count, to);
  }

  it('lets a burst in while nothing is measured', () => {
    expect(pace.most(0)).toBe(UNMEASURED_IN_FLIGHT);
  });

  it('knows how many are in flight', () => {
    for (let each = 0; each < 5; each += 1) pace.taken(0);
    pace.stored(2, 1);
    pace.failed(2);
    expect(pace.inFlight).toBe(1);
  });

  it('lets in what is stored in a tenth of a second', () => {
    // 100 in 25 ms: 4,000 a second.
    round(100, 1_000, 1_025);
    expect(pace.most(1_025)).toBe(400);
  });

  it('counts the time in which a webhook is in flight, and no other', () => {
    round(100, 1_000, 1_025);
    round(100, 6_000, 6_025);
    expect(pace.most(6_025)).toBe(400);
  });

  it('counts answers while there is always a webhook in flight, as long as that lasts', () => {
    for (let each = 0; each < 200; each += 1) pace.taken(0);
    for (let now = 10; now <= 200; now += 10) {
      pace.stored(20, now);
      for (let each = 0; each < 20; each += 1) pace.taken(now);
    }
    // Twenty in ten milliseconds, ten times and ten times again.
    expect(pace.most(200)).toBe(200);
    expect(pace.inFlight).toBe(200);
  });

  it('follows a process that becomes slower, measurement by measurement', () => {
    round(100, 0, 25);
    const seen = [pace.most(25)];
    for (let now = 100; now < 3_100; now += 100) {
      round(100, now, now + 100);
      seen.push(pace.most(now + 100));
    }
    expect(seen).toEqual([...seen].sort((left, right) => right - left));
    expect(seen.at(-1)).toBe(100);
  });

  it('never lets in fewer than ordinary senders have under way, nor more than memory is meant for', () => {
    round(50, 0, 60_000);
    expect(pace.most(60_000)).toBe(MIN_IN_FLIGHT);
    pace = new AdmissionLimit();
    round(256, 0, 0);
    expect(pace.most(0)).toBe(MAX_IN_FLIGHT);
  });

  it('learns nothing from few at once, who say little about how many could be stored', () => {
    round(31, 0, 500);
    expect(pace.most(500)).toBe(UNMEASURED_IN_FLIGHT);
    round(32, 600, 1_100);
    expect(pace.most(1_100)).toBe(MIN_IN_FLIGHT);
  });

  it('learns nothing from those that could not be stored', () => {
    for (let each = 0; each < 101; each += 1) pace.taken(0);
    pace.failed(100);
    pace.stored(1, 100);
    expect(pace.most(100)).toBe(MIN_IN_FLIGHT);
  });

  it('forgets what was measured long ago', () => {
    round(50, 0, 5_000);
    expect(pace.most(14_999)).toBe(MIN_IN_FLIGHT);
    expect(pace.most(15_000)).toBe(UNMEASURED_IN_FLIGHT);
    round(100, 20_000, 20_025);
    expect(pace.most(20_025)).toBe(400);
  });

  describe('of 100 in flight', () => {
    beforeEach(() => {
      // A thousand a second.
      round(100, 0, 100);
      expect(pace.most(100)).toBe(100);
    });

    function come(count: number, now: number): void {
      for (let each = 0; each < count; each += 1) pace.taken(now);
    }

    it('lets in what came during a pause, and no more than three times as many', () => {
      come(299, 150);
      expect(pace.isFull(150)).toBe(false);
      come(1, 150);
      expect(pace.isFull(150)).toBe(true);
    });

    it('lets in no more than its number where there are as many for half a second', () => {
      come(100, 150);
      expect(pace.isFull(649)).toBe(false);
      expect(pace.isFull(650)).toBe(true);
      pace.failed(1);
      expect(pace.isFull(650)).toBe(false);
      come(1, 650);
      expect(pace.isFull(650)).toBe(true);
    });

    it('takes those who come after they were down to half as another burst', () => {
      come(100, 150);
      pace.failed(51);
      come(1, 600);
      come(60, 700);
      expect(pace.isFull(700)).toBe(false);
      expect(pace.isFull(1_200)).toBe(true);
    });

    it.each([
      ['more than memory is meant for', 0, MAX_IN_FLIGHT],
      ['more than ordinary senders have under way where storing is slow', 60_000, MIN_IN_FLIGHT],
    ])('never lets in %s', (_what, ms, most) => {
      pace = new AdmissionLimit();
      round(256, 0, ms);
      come(most - 1, ms);
      expect(pace.isFull(ms)).toBe(false);
      come(1, ms);
      expect(pace.isFull(ms)).toBe(true);
    });
  });
});
