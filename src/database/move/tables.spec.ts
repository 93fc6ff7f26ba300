import { inOrder } from './tables';

describe('the order in which tables are copied', () => {
  it('has each after those that its rows name, also after itself', () => {
    const references = [
      { table: 'a', referenced: 'c' },
      { table: 'c', referenced: 'b' },
      { table: 'b', referenced: 'b' },
    ];
    expect(inOrder(['a', 'b', 'c', 'd'], references)).toEqual(['b', 'd', 'c', 'a']);
  });

  it('does not exist where two name each other', () => {
    const references = [
      { table: 'a', referenced: 'b' },
      { table: 'b', referenced: 'a' },
    ];
    expect(() => inOrder(['a', 'b', 'c'], references)).toThrow('these tables name each other: a, b');
  });
});
