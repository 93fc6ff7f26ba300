import { inOrder, triggerDifference } from './tables';

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

describe('the triggers of two databases', () => {
  const trigger = (name: string, enabled = 'O') => ({ table: 'entry', name, enabled });

  it.each([
    [[trigger('a'), trigger('b')], undefined],
    [[trigger('a')], 'the trigger b of entry is missing'],
    [[trigger('a'), trigger('b', 'D')], 'the trigger b of entry is switched off'],
    [[trigger('a', 'A'), trigger('b')], 'the trigger a of entry is switched otherwise'],
    [[trigger('a'), trigger('b'), trigger('c')], "the trigger c of entry is not one of Ponte's"],
  ])('are compared by name and state: %j', (there, difference) => {
    expect(triggerDifference([trigger('a'), trigger('b')], there)).toBe(difference);
  });
});
