import { alternate, median, percentile } from '../../bench/frame/statistics';

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])('finds the share %d of one to a hundred, in whatever order they come', (share, expected) => {
    expect(percentile(hundred, share)).toBe(expected);
  });

  it('compares numbers as numbers', () => {
    expect(percentile([9, 10, 100], 0.5)).toBe(10);
  });

  it('has nothing to say of nothing', () => {
    expect(percentile([], 0.5)).toBeNaN();
    expect(median([])).toBeNaN();
  });

  it('leaves what it is given as it was', () => {
    const given = [3, 1, 2];
    percentile(given, 0.5);
    median(given);
    expect(given).toEqual([3, 1, 2]);
  });
});

describe('median', () => {
  it.each([
    [[7], 7],
    [[9, 1, 5], 5],
    [[10, 1, 2, 4], 3],
  ])('of %p is %d', (numbers, expected) => {
    expect(median(numbers)).toBe(expected);
  });
});

describe('alternate', () => {
  it('runs contenders in turn, every second round the other way around, one at a time', async () => {
    const order: string[] = [];
    let running = 0;
    const contender = (name: string) => async (): Promise<string> => {
      expect((running += 1)).toBe(1);
      await Promise.resolve();
      running -= 1;
      order.push(name);
      return `${name}${order.length}`;
    };
    const results = await alternate(3, { limit: contender('limit'), ponte: contender('ponte') });
    expect(order).toEqual(['limit', 'ponte', 'ponte', 'limit', 'limit', 'ponte']);
    expect(results).toEqual({ limit: ['limit1', 'limit4', 'limit5'], ponte: ['ponte2', 'ponte3', 'ponte6'] });
  });
});
