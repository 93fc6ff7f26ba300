import { BoundedMap } from './bounded-map';

describe('a bounded map', () => {
  it('lets the entry go that was set longest ago when one more does not fit', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    expect(map.size).toBe(2);
    map.set('c', 4);
    expect(map.size).toBe(2);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
  });

  it('makes what it lacks once, and keeps nothing of what could not be made', () => {
    const map = new BoundedMap<string, number>(2);
    let made = 0;
    const make = () => (made += 1);
    expect([map.getOrMake('a', make), map.getOrMake('a', make)]).toEqual([1, 1]);
    const fail = () => {
      throw new Error('no');
    };
    expect(() => map.getOrMake('b', fail)).toThrow('no');
    expect(map.size).toBe(1);
  });
});
