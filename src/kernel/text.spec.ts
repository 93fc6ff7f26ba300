import { composed, filledText, hasUnprintable, replaceUnprintable, utf8Text } from './text';

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

describe('characters that cannot be printed', () => {
  it.each(['\0', '\n', '\x7f', '\x85', '\u2028', '\u2029', '\ud800', '\udfff'])(
    'are found: %j',
    (character) => {
      expect(hasUnprintable(`a${character}b`)).toBe(true);
      expect(replaceUnprintable(`a${character}${character}b`)).toBe('a b');
      expect(replaceUnprintable(`a${character}${character}b`, (run) => '.'.repeat(run.length))).toBe('a..b');
    },
  );

  it.each(['', 'São Paulo', 'two words', '\u{1f4b8} and \u{1f600}', '\u200b', '\ufffd'])(
    'are not seen in %j, however often it is asked',
    (text) => {
      for (let round = 0; round < 3; round += 1) expect(hasUnprintable(text)).toBe(false);
      expect(replaceUnprintable(text)).toBe(text);
    },
  );
});

describe('filledText', () => {
  it.each([
    ['a', 'a'],
    [' ', ' '],
    ['', undefined],
    [null, undefined],
    [7, undefined],
  ])('of %j is %j', (value, text) => {
    expect(filledText(value)).toBe(text);
  });
});

describe('utf8Text', () => {
  it('is the text to the byte, mark and all, and nothing of bytes that are no text', () => {
    expect(utf8Text(Buffer.from('\ufeffé \u{1f4b8}'))).toBe('\ufeffé \u{1f4b8}');
    expect(utf8Text(Buffer.from([0x61, 0xff]))).toBeUndefined();
    expect(utf8Text(Buffer.from([0xc3]))).toBeUndefined();
  });
});
