import { isUuid, newId } from './identifier';

describe('newId', () => {
  it('makes UUIDs of version 7 that sort in the order they were made', () => {
    const ids = Array.from({ length: 2000 }, newId);
    expect(ids.every((id) => isUuid(id) && id[14] === '7')).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
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
