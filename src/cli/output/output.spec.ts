import fc from 'fast-check';
import { problemText } from './problem';
import { recordLines } from './record';
import { Table } from './table';
import { harmlessJson, lines, oneLine, shortened, width } from './text';
import { anyText } from '../../../test/support/any-text';

const PLAIN = { heading: (line: string) => line };
const STEERING = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Text that is bad at random, and text that is bad throughout. */
const hostile = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom('a', '\u0000', '\u001b', '\u007f', '\u009b', '\u202e', '\n', '\t', '\ud800'),
  }),
);

describe('text from elsewhere', () => {
  it('steers no terminal, however it is shown', () => {
    fc.assert(
      fc.property(hostile, fc.jsonValue(), (text, value) => {
        expect(oneLine(text)).not.toMatch(STEERING);
        for (const line of lines(text)) expect(line).not.toMatch(STEERING);
        for (const line of recordLines({ [text]: value, more: [{ [text]: text }] }, PLAIN))
          expect(line).not.toMatch(STEERING);
        for (const line of problemText(
          { title: text, [text]: value, errors: [value, { pointer: text }] },
          400,
        ).split('\n'))
          expect(line).not.toMatch(STEERING);
      }),
    );
  });

  it('stays the same value as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const json = harmlessJson(JSON.stringify({ value, text }));
        expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
      }),
    );
  });

  it('takes as many columns as a terminal gives it', () => {
    expect(['ação', 'acão'.normalize('NFD'), '東京', '한국', '😀', 'a\u200db', ''].map(width)).toEqual([
      4, 4, 4, 4, 2, 2, 0,
    ]);
  });

  it('is cut to what fits, and never within a character', () => {
    expect(['abcdef', '東京都庁', 'abc'].map((text) => shortened(text, 5))).toEqual([
      'abcd…',
      '東京…',
      'abc',
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(width(shortened(text, columns))).toBeLessThanOrEqual(Math.max(columns, 1));
      }),
    );
  });
});

describe('a table', () => {
  const rows = [
    { id: '1', status: { waiting: 12 }, name: 'ação' },
    { id: '22', status: { waiting: null }, name: '東京' },
  ];

  it('aligns its columns by what they take on the screen', () => {
    expect(new Table(['name', 'status.waiting', 'id'], PLAIN).lines(rows)).toEqual([
      'name  status.waiting  id',
      'ação  12              1',
      '東京  -               22',
    ]);
  });

  it('goes on where it was, with its heading once', () => {
    const table = new Table(['id', 'name'], PLAIN);
    expect(table.lines([{ id: 'abc', name: 'x' }])).toEqual(['id   name', 'abc  x']);
    expect(table.lines([{ id: 'a', name: 'y' }])).toEqual(['a    y']);
  });

  it('cuts its last column to the terminal, and to none where there is none', () => {
    const item = { id: 'abc', reason: 'a long reason that does not fit' };
    expect(new Table(['id', 'reason'], { ...PLAIN, columns: 20 }).lines([item])[1]).toBe(
      'abc  a long reason …',
    );
    expect(new Table(['id', 'reason'], PLAIN).lines([item])[1]).toBe(`abc  ${item.reason}`);
  });
});

describe('a record', () => {
  it('shows all there is, however deep', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 1, maxLength: 6 }),
        fc.nat(3),
        (words, depth) => {
          const deep = words.reduce<unknown>(
            (inner, word, index) => ({ [word]: [{ in: inner }, { value: `${word}${index}` }] }),
            { depth },
          );
          const shown = recordLines(deep, PLAIN).join('\n');
          for (const [index, word] of words.entries()) expect(shown).toContain(`${word}${index}`);
          expect(shown).toContain(`${depth}`);
        },
      ),
    );
  });

  it('puts short members first, lists as tables, long text below its name', () => {
    const record = {
      document: 'rule: a\nwhen: b\n',
      name: 'a',
      runs: [{ rule: 'a', state: 'done' }],
      none: null,
    };
    expect(recordLines(record, PLAIN)).toEqual([
      'name  a',
      'none  -',
      'document',
      '  rule: a',
      '  when: b',
      '',
      'runs',
      '  rule  state',
      '  a     done',
    ]);
  });

  it('cuts nothing: what is too wide for a row stands below', () => {
    const ids = ['a'.repeat(36), 'b'.repeat(36)];
    expect(recordLines({ entries: { first: ids[0], second: ids[1] }, all: ids }, PLAIN)).toEqual([
      'entries',
      `  first   ${ids[0]}`,
      `  second  ${ids[1]}`,
      'all',
      `  ${ids[0]}`,
      `  ${ids[1]}`,
    ]);
    expect(recordLines({ runs: [{ rule: 'a', reason: ids[0] }] }, { ...PLAIN, columns: 30 })).toEqual([
      'runs',
      '  - rule    a',
      `    reason  ${ids[0]}`,
    ]);
  });
});
