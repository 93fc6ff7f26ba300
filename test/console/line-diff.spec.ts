import * as fc from 'fast-check';
import { countOf, type DiffLine, lineDiff } from '../../console/src/pages/rules/line-diff';
import { propertyRuns, propertySeed } from '../support/property-runs';
import { anyText } from '../support/any-text';

const kinds = (before: string, after: string) => lineDiff(before, after).map(({ kind }) => kind);

/** Texts that have many lines in common. */
const TEXT = fc
  .array(fc.oneof(fc.constantFrom('', 'then:', '  - id: a', 'é 🧾', '\r'), anyText()), {
    maxLength: 30,
  })
  .map((lines) => lines.join('\n'));

function textOf(lines: readonly DiffLine[], side: 'before' | 'after'): string {
  return lines.flatMap((line) => line[side]?.text ?? []).join('\n');
}

function numbersOf(lines: readonly DiffLine[], side: 'before' | 'after'): number[] {
  return lines.flatMap((line) => line[side]?.number ?? []);
}

describe('the lines of two texts', () => {
  it('are all the same where the texts are', () => {
    expect(lineDiff('a\nb', 'a\nb')).toEqual([
      { kind: 'same', before: { number: 1, text: 'a' }, after: { number: 1, text: 'a' } },
      { kind: 'same', before: { number: 2, text: 'b' }, after: { number: 2, text: 'b' } },
    ]);
    expect(kinds('', '')).toEqual(['same']);
  });

  it('stand against each other where they were changed, added or removed', () => {
    expect(kinds('a\nb\nc', 'a\nB\nc')).toEqual(['same', 'changed', 'same']);
    expect(kinds('a\nc', 'a\nb\nc')).toEqual(['same', 'added', 'same']);
    expect(kinds('a\nb\nc', 'a\nc')).toEqual(['same', 'removed', 'same']);
    expect(kinds('a\nb', 'b\na')).toEqual(['removed', 'same', 'added']);
    expect(kinds('', 'a')).toEqual(['changed']);
    expect(kinds('a', 'a\n')).toEqual(['same', 'added']);
    expect(countOf(lineDiff('a\nb\nc', 'a\nB\nc\nd'))).toEqual({ added: 2, removed: 1 });
  });

  it('are told apart by every character: letter case, spaces at the end, accents written in two ways', () => {
    expect(kinds('a', 'A')).toEqual(['changed']);
    expect(kinds('a ', 'a')).toEqual(['changed']);
    expect(kinds('e\u0301', '\u00e9')).toEqual(['changed']);
  });

  it('may be as long as a text is', () => {
    const long = '🧾'.repeat(500_000);
    expect(kinds(`${long}\na`, `${long}\nb`)).toEqual(['same', 'changed']);
  });

  it('are the same also where there are too many of them to look for the fewest changes', () => {
    const many = (first: string) => [first, ...Array.from({ length: 4_999 }, (_, at) => `line ${at}`)];
    const lines = lineDiff([...many('a'), 'x'].join('\n'), [...many('b'), 'y'].join('\n'));
    expect(countOf(lines)).toEqual({ added: 2, removed: 2 });
  });

  it('give back either text, whatever the texts are', () => {
    const law = fc.property(TEXT, TEXT, (before, after) => {
      const lines = lineDiff(before, after);
      expect([textOf(lines, 'before'), textOf(lines, 'after')]).toEqual([before, after]);
      for (const side of ['before', 'after'] as const)
        expect(numbersOf(lines, side)).toEqual(numbersOf(lines, side).map((_, index) => index + 1));
      for (const line of lines) {
        if (line.before && line.after)
          expect(line.kind).toBe(line.before.text === line.after.text ? 'same' : 'changed');
        else expect(line.kind).toBe(line.before ? 'removed' : 'added');
      }
    });
    fc.assert(law, { numRuns: propertyRuns(500), ...propertySeed() });
  });

  it('have no more changes than lines were changed', () => {
    const law = fc.property(TEXT, fc.nat(), fc.string(), (text, at, line) => {
      const lines = text.split('\n');
      lines.splice(at % lines.length, 1, line.replaceAll('\n', ''));
      const { added, removed } = countOf(lineDiff(text, lines.join('\n')));
      expect(Math.max(added, removed)).toBeLessThanOrEqual(1);
    });
    fc.assert(law, { numRuns: propertyRuns(500), ...propertySeed() });
  });
});
