import fc from 'fast-check';
import { stringify } from 'yaml';
import { Problems } from './problems';
import { readYaml, type DocumentNode } from './yaml-nodes';
import { anyText } from '../../../test/support/any-text';

function read(source: string) {
  const problems = new Problems(source);
  const node = readYaml(source, problems);
  return { node, problems: problems.list() };
}

function plain(node: DocumentNode | undefined): unknown {
  if (node?.kind === 'list') return node.items.map(plain);
  if (node?.kind !== 'map') return node?.value;
  return Object.fromEntries([...node.members].map(([name, { value }]) => [name, plain(value)]));
}

function memberOf(node: DocumentNode | undefined, name: string) {
  const value = node?.kind === 'map' ? node.members.get(name)?.value : undefined;
  if (value?.kind !== 'text') throw new Error('no such text');
  return value;
}

describe('reading a document', () => {
  it('takes every scalar as the text that was written', () => {
    const { node } = read("a: 001\nb: true\nc: null\nd: 1e3\ne:\nf: \"x\\u0041\"\ng: 'it''s'\nh: 0x10");
    expect(plain(node)).toEqual({
      a: '001',
      b: 'true',
      c: 'null',
      d: '1e3',
      e: '',
      f: 'xA',
      g: "it's",
      h: '0x10',
    });
  });

  it('takes JSON, tabs and escaped slashes included', () => {
    const { node, problems } = read('{\n\t"a": [1, "x\\/y", {"b": false}],\n\t"c": "\\ud83d\\ude00"\n}');
    expect(problems).toEqual([]);
    expect(plain(node)).toEqual({ a: ['1', 'x/y', { b: 'false' }], c: '😀' });
  });

  it('keeps __proto__ as a name like any other', () => {
    const { node } = read('__proto__: {a: 1}');
    expect(node?.kind === 'map' && [...node.members.keys()]).toEqual(['__proto__']);
  });

  it.each([
    [
      'an alias',
      'a: &x [1]\nb: *x',
      [
        { line: 1, column: 7, message: 'anchors (&name) are not taken' },
        { line: 2, column: 4, message: 'aliases (*name) are not taken: write the value again' },
      ],
    ],
    [
      'a tag',
      'a: !!binary aGk=',
      [
        {
          ...{ line: 1, column: 5 },
          message: 'tags (!name) are not taken: put quotes around a value that begins with "!"',
        },
      ],
    ],
    ['a repeated name', 'a: 1\nb: 2\na: 3', [{ line: 3, column: 1, message: '"a" is there twice' }]],
    ['a name that is a list', '? [a]\n: 1', [{ line: 1, column: 3, message: 'a name must be text' }]],
    ['nothing', '# only a comment', [{ line: 1, column: 1, message: 'the document is empty' }]],
    ['an empty text', '', [{ line: 1, column: 1, message: 'the document is empty' }]],
  ])('refuses %s with its place', (_, source, expected) => {
    expect(read(source).problems).toEqual(expected);
  });

  it.each([
    ['a colon in an expression without quotes', 'with:\n  a: ${x ? y : z}', 2, 6, 'put quotes around'],
    ['an expression in braces without quotes', 'a: { b: ${x} }', 1, 10, 'put quotes around'],
    ['a bracket that is not closed', 'a: [1', 1, 6, 'the YAML cannot be read'],
    ['a tab as indentation', 'a:\n\tb: 1', 2, 1, 'the YAML cannot be read'],
    ['two documents', 'a: 1\n---\nb: 2', 2, 1, 'the YAML cannot be read'],
  ])('says where %s is', (_, source, line, column, message) => {
    const [problem] = read(source).problems;
    expect(problem).toMatchObject({ line, message: expect.stringContaining(message) as string });
    expect(Math.abs((problem?.column ?? 0) - column)).toBeLessThanOrEqual(1);
  });

  it('refuses a bomb of aliases without unfolding it', () => {
    const levels = Array.from(
      { length: 9 },
      (_, index) => `l${index + 1}: &l${index + 1} [${Array(9).fill(`*l${index}`).join(', ')}]`,
    );
    const { problems } = read(['l0: &l0 [x]', ...levels].join('\n'));
    expect(problems.length).toBeGreaterThan(80);
  });

  it('refuses more than 64 KiB', () => {
    expect(read(`a: ${'x'.repeat(65_536)}`).problems).toEqual([
      { line: 1, column: 1, message: 'the document is larger than 64 KiB' },
    ]);
  });

  it.each([
    ['brackets', '['.repeat(30_000)],
    ['closed brackets', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['braces', '{a: '.repeat(15_000)],
    ['list marks', '- '.repeat(30_000)],
    ['question marks', '? '.repeat(30_000)],
    ['colons', 'a: '.repeat(20_000)],
    ['indentation', Array.from({ length: 330 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('refuses nesting without end by %s', (_, source) => {
    expect(read(source).problems).toEqual([
      expect.objectContaining({ message: 'the document is nested too deeply' }),
    ]);
  });

  it('does not take brackets inside text for nesting', () => {
    const brackets = '['.repeat(100);
    expect(plain(read(`a: "${brackets}"\nb: |\n  ${brackets}\n`).node)).toEqual({
      a: brackets,
      b: `${brackets}\n`,
    });
  });

  it('reads back any text that was written as JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), anyText(), (first, second) => {
        const { node } = read(JSON.stringify({ a: first, b: [second] }));
        expect(plain(node)).toEqual({ a: first, b: [second] });
      }),
    );
  });
});

describe('the place of a character', () => {
  it.each([
    ['plain', 'k: abc ^def'],
    ['single-quoted', "k: 'it''s ^here'"],
    ['double-quoted', 'k: "a \\"b\\" \\u0041\\t\\x41 ^here"'],
    ['a block', 'k: |\n  first\n  second ^here'],
    ['an indented block', 'k: |2\n    first\n   second ^here'],
    ['a folded block', 'k: >-\n  first\n  second\n\n  third ^here'],
    ['folded quotes', 'k: "first\n  second \\\n  third ^here"'],
    ['folded plain text', 'k: first\n  second\n\n  third ^here'],
  ])('is found in %s', (_, source) => {
    const value = memberOf(read(source).node, 'k');
    expect(value.offsetOf(value.value.indexOf('^'))).toBe(source.indexOf('^'));
  });

  it('is the same character in the document, whatever the style', () => {
    const style = fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
    const words = fc.array(fc.string({ unit: fc.constantFrom(...'abcdefg$(){}.,'), minLength: 1 }), {
      minLength: 1,
    });
    const spaces = fc.constantFrom(' ', '  ', '\n', '\n\n', ' \n');
    fc.assert(
      fc.property(words, spaces, style, (list, space, defaultStringType) => {
        const source = stringify(
          { k: list.join(space) },
          { schema: 'failsafe', defaultStringType, lineWidth: 20 },
        );
        const node = memberOf(read(source).node, 'k');
        for (const [index, character] of node.value.split('').entries()) {
          if (character.trim() !== '') expect(source[node.offsetOf(index)]).toBe(character);
        }
      }),
    );
  });

  it('ends where the text ends', () => {
    const source = 'k: "abc"';
    expect(memberOf(read(source).node, 'k').offsetOf(3)).toBe(source.length - 1);
  });
});

describe('a value between brackets', () => {
  const CUT =
    'a comma ends this value: between [ ] and { }, put quotes around the whole of a value that has a comma or brackets in it';

  it.each([
    ['in a list', 'all: [a > b, c.substring(0, 1) == d]', 14],
    ['in a map', 'forEach: { l: lines.filter(x, x.sku == 1) }', 15],
    ['over more than one comma', 'all: [f(a, b, c)]', 7],
  ])('that a comma cuts in two is one problem, %s', (_, source, column) => {
    expect(read(source)).toEqual({ node: undefined, problems: [{ line: 1, column, message: CUT }] });
  });

  it.each([
    'all: [f(a), f(b)]',
    "all: ['f(a, b)']",
    'with: { a: b) :(, c: d }',
    'with: { a: b), c: d }',
    'all:\n  - f(a, b)',
  ])('is taken as it is where no comma cuts it: %s', (source) => {
    expect(read(source).problems).toEqual([]);
  });

  it('that has brackets or quotes of its own says what to do', () => {
    expect(read('all: [a in ["x", "y"]]').problems).toEqual([
      {
        line: 1,
        column: 12,
        message:
          'the YAML cannot be read here: between [ ] and { }, put quotes around the whole of a value that has a comma or brackets in it',
      },
    ]);
  });
});
