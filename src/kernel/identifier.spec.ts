import { v5 } from 'uuid';
import { isUuid, Namespace, newId } from './identifier';

describe('newId', () => {
  it('makes UUIDs of version 7 that sort in the order they were made', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids.every((id) => isUuid(id) && id[14] === '7')).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('begins with the time', () => {
    const before = Date.now();
    const milliseconds = parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(milliseconds).toBeGreaterThanOrEqual(before);
    expect(milliseconds).toBeLessThanOrEqual(Date.now());
  });

  it('keeps the order while the clock stands still, and when it is set back', () => {
    const real = newId();
    const ahead = Date.now() + 60_000;
    const times = [ahead, ahead, ahead - 5_000, ahead - 1, ahead, ahead + 1, 0];
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => times.shift() ?? ahead);
    const ids = Array.from({ length: 7 }, newId);
    clock.mockRestore();
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(7);
    expect(ids.every((id) => id > real && isUuid(id))).toBe(true);
  });

  it('ends in bits that nobody can foretell', () => {
    const ends = Array.from({ length: 5_000 }, () => newId().slice(-10));
    expect(new Set(ends).size).toBe(ends.length);
    for (const digit of '0123456789abcdef')
      for (let place = 0; place < 10; place += 1) expect(ends.some((end) => end[place] === digit)).toBe(true);
  });
});

describe('Namespace', () => {
  it.each([
    '',
    'order-paid',
    '0190a000-0000-7000-8000-000000000001/0/order-paid',
    'São Paulo \u{1f4b8}',
    'x'.repeat(5_000),
  ])('names %.60j as UUID version 5 has it', (name) => {
    const id = '5b0f6b64-0a6e-4c0e-9a55-3f3a3f1c7f0d';
    expect(new Namespace(id).idOf(name)).toBe(v5(name, id));
  });
});

describe('isUuid', () => {
  it.each([
    ['0198a3b4-7c1d-7e2f-8a3b-4c5d6e7f8a9b', true],
    ['0198A3B4-7C1D-7E2F-8A3B-4C5D6E7F8A9B', true],
    ['c9bf9e57-1685-4c89-bafb-ff5af830be8a', true],
    ['0198a3b47c1d7e2f8a3b4c5d6e7f8a9b', false],
    ['0198a3b4-7c1d-7e2f-8a3b-4c5d6e7f8a9', false],
    ["'; drop table delivery; --", false],
    ['', false],
  ])('of %s is %s', (text, uuid) => {
    expect(isUuid(text)).toBe(uuid);
  });
});
