import { loadTable } from './load-table';

describe('a table document', () => {
  it('keeps keys and values as written', () => {
    const loaded = loadTable('table: banks\nentries:\n  001: 00123\n  yes: no\n  a b: "1.1.01"\n');
    expect('table' in loaded && [loaded.table.name, Object.fromEntries(loaded.table.entries)]).toEqual([
      'banks',
      { '001': '00123', yes: 'no', 'a b': '1.1.01' },
    ]);
  });

  it('answers with its default for every other key', () => {
    const loaded = loadTable('{"table": "t", "entries": {"a": "1", "default": "2"}}');
    const lookup = 'table' in loaded ? loaded.table.lookup('shop') : new Map<string, string>();
    expect(['a', 'b', 'default', '__proto__'].map((key) => lookup.get(key))).toEqual(['1', '2', '2', '2']);
  });

  it('answers nothing for other keys without a default', () => {
    const loaded = loadTable('table: t\nentries: { a: "1" }');
    const lookup = 'table' in loaded ? loaded.table.lookup('shop') : new Map<string, string>();
    expect(['a', 'b', 'constructor'].map((key) => lookup.get(key))).toEqual(['1', undefined, undefined]);
  });

  it.each([
    [
      'an unknown member',
      'table: t\nentrie: {}\nentries: {}',
      2,
      1,
      'the table has no member "entrie"; did you mean "entries"?',
    ],
    ['no name', 'entries: {}', 1, 1, 'the table needs a member "table"'],
    [
      'a name that cannot be written after a dot',
      'table: my-table\nentries: {}',
      1,
      8,
      "a table's name begins with a lower-case letter and goes on with letters, digits and _",
    ],
    ['no entries', 'table: t', 1, 1, 'the table needs a member "entries"'],
    [
      'entries that are no map',
      'table: t\nentries: [a]',
      2,
      10,
      '"entries" must be a map of names and values',
    ],
    ['an empty value', 'table: t\nentries:\n  a:\n  b: c', 3, 5, 'the entry "a" is empty'],
    [
      'a value that is no text',
      'table: t\nentries:\n  a: [b]',
      3,
      6,
      'the entry "a" must be text, not a list',
    ],
    ['a key twice', 'table: t\nentries:\n  a: b\n  a: c', 4, 3, '"a" is there twice'],
    [
      'a value with U+0000',
      'table: t\nentries:\n  a: "x\\0"',
      3,
      6,
      'a value holds a character that cannot be printed',
    ],
    [
      'half a surrogate pair',
      'table: t\nentries:\n  a: "\\uD800"',
      3,
      6,
      'a value holds a character that cannot be printed',
    ],
    [
      'a key called __proto__',
      'table: t\nentries:\n  __proto__: a',
      3,
      14,
      'no key can be called "__proto__"',
    ],
    [
      'U+0000 as it is',
      'table: t\nentries:\n  a: b # \0',
      3,
      10,
      'there is a character here that text cannot hold (U+0000)',
    ],
    [
      'a value that is too long',
      `table: t\nentries:\n  a: ${'x'.repeat(501)}`,
      3,
      6,
      'a value has at most 500 characters',
    ],
  ])('with %s is refused, at its line and column', (_, document, line, column, message) => {
    const loaded = loadTable(document);
    expect('problems' in loaded && loaded.problems).toContainEqual(
      expect.objectContaining({ line, column, message }),
    );
  });
});
