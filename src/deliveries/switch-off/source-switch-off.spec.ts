import { type FailedTopic, isOver, mostCounted, switchOffDetail, switchOffOf } from './source-switch-off';

const NOW = new Date('2026-11-24T12:00:00Z');
const FIVE = { after: { failures: 5 } };
const FORTY_EIGHT = { after: { hours: 48 } };

const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
const hoursAgo = (hours: number): Date => minutesAgo(hours * 60);

/** Failures so many minutes ago, the oldest first. */
function failed(ago: readonly number[], more: Partial<FailedTopic> = {}): FailedTopic {
  const failedAt = ago.map(minutesAgo);
  const [since = NOW] = failedAt;
  return { topic: '', since, failedAt, reason: 'the source is paused (503)', acceptedAt: null, ...more };
}

describe('failures in a row', () => {
  it.each([
    [[], undefined],
    [[1], undefined],
    [[2, 1], undefined],
    [[3, 2, 1], 'near'],
    [[4, 3, 2, 1], 'near'],
    [[5, 4, 3, 2, 1], 'probable'],
  ])('of five that switch off: %j minutes ago is %s', (ago, state) => {
    expect(switchOffOf(FIVE, [failed(ago)], NOW)?.state).toBe(state);
  });

  it('are two at least, however few switch off', () => {
    const two = { after: { failures: 2 } };
    expect(switchOffOf(two, [failed([1])], NOW)).toBeUndefined();
    expect(switchOffOf(two, [failed([2, 1])], NOW)).toMatchObject({ state: 'probable' });
  });

  it('end with a webhook that was accepted, and those after it count', () => {
    const row = [6, 5, 4, 2, 1];
    expect(switchOffOf(FIVE, [failed(row, { acceptedAt: minutesAgo(3) })], NOW)).toBeUndefined();
    expect(switchOffOf(FIVE, [failed(row, { acceptedAt: minutesAgo(5) })], NOW)).toMatchObject({
      ...{ state: 'near', failures: 3, part: 0.6, since: minutesAgo(4), lastFailedAt: minutesAgo(1) },
    });
    expect(switchOffOf(FIVE, [failed(row, { acceptedAt: minutesAgo(7) })], NOW)?.state).toBe('probable');
  });

  it('began when the first of them failed, also where that is not among those that are kept', () => {
    const row = failed([5, 4, 3, 2, 1], { since: hoursAgo(3) });
    expect(switchOffOf(FIVE, [row], NOW)?.since).toEqual(hoursAgo(3));
  });

  it('are those of the topic with the most, and all that are near are named', () => {
    const topics = [
      failed([3, 2, 1], { topic: 'order.updated' }),
      failed([4, 3, 2, 1], { topic: 'order.created' }),
      failed([1], { topic: 'customer.created' }),
    ];
    expect(switchOffOf(FIVE, topics, NOW)).toMatchObject({
      ...{ failures: 4, topics: ['order.created', 'order.updated'], afterFailures: 5, afterHours: null },
    });
  });

  it('are over once none is left', () => {
    expect(isOver(failed([2, 1]))).toBe(false);
    expect(isOver(failed([2, 1], { acceptedAt: minutesAgo(2) }))).toBe(false);
    expect(isOver(failed([2, 1], { acceptedAt: minutesAgo(1) }))).toBe(true);
  });
});

describe('hours of failures', () => {
  const row = (first: number, last: number): FailedTopic =>
    failed([], { since: hoursAgo(first), failedAt: [hoursAgo(first), hoursAgo(last)] });

  it.each([
    ['within an hour, two days ago', 50, 49, undefined],
    ['over less than a day', 23, 0, undefined],
    ['over a day', 24, 0, 'near'],
    ['over a day, and none for half a day', 47, 23, 'near'],
    ['over a day, and two days have passed', 48, 24, 'probable'],
    ['over two days', 48, 0, 'probable'],
  ])('%s', (_what, first, last, state) => {
    expect(switchOffOf(FORTY_EIGHT, [row(first, last)], NOW)?.state).toBe(state);
  });

  it('end with a webhook that was accepted', () => {
    expect(switchOffOf(FORTY_EIGHT, [{ ...row(40, 0), acceptedAt: hoursAgo(1) }], NOW)).toBeUndefined();
  });
});

it('as many failures are counted as switch off, and twenty where hours do', () => {
  expect([mostCounted(FIVE), mostCounted(FORTY_EIGHT)]).toEqual([5, 20]);
});

describe('what a person reads', () => {
  const detail = (limit: typeof FIVE | typeof FORTY_EIGHT, topic: FailedTopic): string => {
    const found = switchOffOf(limit, [topic], NOW);
    return found ? switchOffDetail('WooCommerce', 'loja', found) : '';
  };

  it('is what is near, how much of it has happened and why', () => {
    expect(detail(FIVE, failed([3, 2, 1], { topic: 'order.created' }))).toBe(
      'WooCommerce is about to switch off a webhook of the source loja (order.created): 3 of 5 failures in a row, since 2026-11-24T11:57:00.000Z; the last: the source is paused (503).',
    );
  });

  it('is what to do, once it has probably happened', () => {
    expect(detail(FIVE, failed([5, 4, 3, 2, 1]))).toBe(
      'WooCommerce has probably switched off a webhook of the source loja: 5 of 5 failures in a row, since 2026-11-24T11:55:00.000Z; the last: the source is paused (503). Mend the cause, switch the webhook on again (ponte sources connect loja, or at WooCommerce), then import what was missed where no comparison finds it.',
    );
  });

  it('is the hours, where they decide', () => {
    const row = failed([], { since: hoursAgo(30), failedAt: [hoursAgo(30), NOW] });
    expect(detail(FORTY_EIGHT, row)).toContain(
      'every delivery has failed for more than half of 48 hours, since 2026-11-23T06:00:00.000Z',
    );
  });
});
