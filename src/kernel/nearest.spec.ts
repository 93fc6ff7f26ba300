import { nearestName } from './nearest';

describe('the nearest name', () => {
  const names = ['total', 'createdAt', 'customer', 'instalments', 'online-sales'];

  it.each([
    ['totl', 'total'],
    ['Total', 'total'],
    ['created_at', 'createdAt'],
    ['costumer', 'customer'],
    ['installments', 'instalments'],
    ['onlineSales', 'online-sales'],
  ])('to %s is %s', (name, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });

  it.each(['xyz', 'key', '', 'x'.repeat(1_000)])('to %p is none', (name) => {
    expect(nearestName(name, names)).toBeUndefined();
  });
});
