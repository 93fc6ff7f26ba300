import {
  eventOf,
  membersOf,
  placeAt,
  stepsAbove,
  unquoted,
} from '../../console/src/pages/rules/editor/place';
import * as fc from 'fast-check';
import { propertyRuns, propertySeed } from '../support/property-runs';
import { anyText } from '../support/any-text';

/** The place of the mark `|` in a document. */
function placeIn(document: string): ReturnType<typeof placeAt> {
  const before = document.slice(0, document.indexOf('|')).split('\n');
  return placeAt(document.replace('|', '').split('\n'), before.length - 1, before.at(-1) ?? '');
}

const pathIn = (document: string): string => placeIn(document).path.join('/');

describe('the place in a rule where somebody writes', () => {
  it('is the document itself where nothing is written, and at its edge', () => {
    expect(placeIn('|')).toEqual({ path: [], kind: 'member', written: '', step: '' });
    expect(placeIn('rule: x\nwh|')).toEqual({ path: [], kind: 'member', written: 'wh', step: '' });
  });

  it('is a value after its name, and a member below it', () => {
    expect(placeIn('when:\n  event: order.p|')).toMatchObject({
      ...{ path: ['when', 'event'], kind: 'value', written: 'order.p' },
    });
    expect(placeIn('when:\n  ev|')).toMatchObject({ path: ['when'], kind: 'member', written: 'ev' });
    expect(pathIn('when:\n\n  # why\n  |')).toBe('when');
  });

  it('is an element of a list, indented or not', () => {
    expect(pathIn('when:\n  all:\n    - order.|')).toBe('when/all/[]');
    expect(pathIn('when:\n  all:\n  - order.|')).toBe('when/all/[]');
    expect(pathIn('then:\n- id: a\n  do: |')).toBe('then/[]/do');
    expect(pathIn('then:\n  - id: a\n    with:\n      value: ${|')).toBe('then/[]/with/value');
    expect(pathIn('then:\n  -\n    do: |')).toBe('then/[]/do');
  });

  it('has the lines of its own step, and of no other', () => {
    const document = 'then:\n  - id: a\n    do: x.y\n  - id: b\n    do: z.w\n    with:\n      |\n  - id: c';
    expect(placeIn(document).step).toBe('  - id: b\n    do: z.w\n    with:\n      ');
    expect(placeIn('let:\n  a: |').step).toBe('');
  });

  it('is found with names in quotation marks, and with letters beyond ASCII in texts', () => {
    expect(pathIn(`"when":\n  'event': |`)).toBe('when/event');
    expect(placeIn('then:\n  - id: a\n    description: Ação 🧾 |').written).toBe('Ação 🧾 ');
  });

  it('is somewhere, whatever stands around it', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        'then:',
        '  - id: a',
        '    do: b',
        '- - -',
        '#',
        '  "',
        '\t',
        ':',
        '- : -',
        '  x: [',
        '|',
      ),
      anyText(),
    );
    const law = fc.property(fc.array(line, { minLength: 1 }), fc.nat(), fc.nat(), (lines, row, column) => {
      const index = row % lines.length;
      const before = (lines[index] ?? '').slice(0, column);
      const { written, step } = placeAt(lines, index, before);
      expect(before.endsWith(written)).toBe(true);
      expect(step === '' || lines.join('\n').includes(step)).toBe(true);
    });
    fc.assert(law, { numRuns: propertyRuns(500), ...propertySeed() });
  });

  it('is found at once in a line that is very long', () => {
    expect(placeIn(`let:\n  a: ${'x '.repeat(200_000)}|`).path).toEqual(['let', 'a']);
    expect(placeIn(`let:\n  ${'- '.repeat(2_000)}|`).path).toHaveLength(2_001);
  });
});

describe('what an unfinished rule says of itself', () => {
  const lines = [
    ...['rule: x', 'when: { event: order.paid }', 'let:', '  # why', '  a: order.total', ''],
    ...[`  b: 'a + a'`, '    c: 1', 'then:', '  - id: customer', '    do: customer.ensure'],
    ...['  - { id: "other", do: a.b }', '  - id: third'],
  ];

  it('are its steps above a line, with what each does where that is written', () => {
    expect(stepsAbove(lines, 99)).toEqual([
      { id: 'customer', action: 'customer.ensure' },
      { id: 'other', action: 'a.b' },
      { id: 'third', action: undefined },
    ]);
    expect(stepsAbove(lines, 10)).toEqual([{ id: 'customer', action: undefined }]);
    expect(stepsAbove([], 5)).toEqual([]);
  });

  it('are the members of a mapping, of its own and no others', () => {
    expect([...membersOf(lines, 'let')]).toEqual([
      ['a', 'order.total'],
      ['b', 'a + a'],
    ]);
    expect(membersOf(lines, 'settings').size).toBe(0);
    expect(membersOf([], 'let').size).toBe(0);
  });

  it('is the event that it acts on', () => {
    expect(eventOf('when:\n  event: "order.paid"')).toBe('order.paid');
    expect(eventOf('when: { event: bill.paid }')).toBe('bill.paid');
    expect([eventOf(''), eventOf('when:\n  event:'), eventOf('no-event: x')]).toEqual(
      Array(3).fill(undefined),
    );
  });

  it('are texts without their quotation marks, where there are two that fit', () => {
    expect([`'a'`, `"a" `, 'a', `'a"`, `''`, ''].map(unquoted)).toEqual(['a', 'a', 'a', `'a"`, '', '']);
  });
});
