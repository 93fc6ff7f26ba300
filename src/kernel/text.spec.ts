import { composed } from './text';

describe('composed text', () => {
  it('has one character where the sender wrote a letter and its marks', () => {
    expect(composed('Joa\u0303o', 4)).toBe('João');
  });

  it('is measured in characters, and after it was composed', () => {
    expect(composed('🙂'.repeat(3), 3)).toBe('🙂🙂🙂');
    expect(composed('🙂'.repeat(4), 3)).toBeUndefined();
    // Four characters become one.
    expect(composed('\u03b1\u0313\u0300\u0345'.repeat(3), 3)).toBe('\u1f82\u1f82\u1f82');
  });

  it('is never longer in UTF-16 units than the bound allows for', () => {
    let longest = 0;
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const isSurrogate = point >= 0xd800 && point <= 0xdfff;
      const character = isSurrogate ? '' : String.fromCodePoint(point);
      if (character.normalize('NFC') === character)
        longest = Math.max(longest, character.normalize('NFD').length);
    }
    expect(longest).toBeLessThanOrEqual(6);
  });

  it('is not begun when a megabyte of marks can never fit', () => {
    expect(composed(`a${'\u0301\u0323'.repeat(500_000)}`, 500)).toBeUndefined();
  });
});
