import * as fc from 'fast-check';
import { candidates, type Meaning, typeOf } from '../../console/src/pages/rules/editor/expression';
import { ruleNames } from '../../src/rules/rule-names';
import { propertyRuns, propertySeed } from '../support/property-runs';
import { anyText } from '../support/any-text';

const { events, types, functions } = ruleNames();
const meaning: Meaning = {
  functions,
  names: new Map(
    events.find(({ event }) => event === 'order.paid')?.names.map(({ name, type }) => [name, type]),
  ),
  types: new Map(
    types.map(({ name, fields }) => [name, new Map(fields.map((field) => [field.name, field.type]))]),
  ),
};

const namesAfter = (before: string): string[] => candidates(before, meaning).map(({ name }) => name);

describe('the type of an expression', () => {
  it('is that of its name, its fields, its elements and its calls', () => {
    expect(typeOf('order', meaning)).toBe('Order');
    expect(typeOf('order.total', meaning)).toBe('Money');
    expect(typeOf('order.edits', meaning)).toMatch(/^list<.+>$/);
    expect(typeOf('order.edits[0].value', meaning)).toBe('Money');
    expect(typeOf('order.total.instalments(3, order.paidOn)[0].dueDate', meaning)).toBe('Date');
    expect(typeOf('money("1.00")', meaning)).toBe('Money');
    expect(typeOf('  order.edits.size() ', meaning)).toBe('int');
  });

  it('stays that of a list which is filtered', () => {
    expect(typeOf('order.edits.filter(e, e.value > money("0.00"))[0].value', meaning)).toBe('Money');
  });

  it('is not thrown off by brackets within texts', () => {
    expect(typeOf('order.edits.filter(e, e.key == ")")[0].value', meaning)).toBe('Money');
    expect(typeOf(`order.edits.filter(e, e.key == 'it"s (')[0].value`, meaning)).toBe('Money');
    expect(typeOf('order.edits.filter(e, e.key == "\\")")[0].value', meaning)).toBe('Money');
  });

  it('cannot be told of what is no chain of names, or is not there', () => {
    for (const expression of [
      '',
      ' ',
      '1 +',
      'nobody',
      'order.nothing',
      'order.total + order.total',
      '"order"',
      'ção',
    ])
      expect([expression, typeOf(expression, meaning)]).toEqual([expression, undefined]);
  });
});

describe('what can follow in an expression', () => {
  it('are the names of the event and the functions that stand alone', () => {
    for (const before of ['', 'or', 'order.total > mon', '!', 'a ? b : '])
      expect(namesAfter(before)).toEqual(expect.arrayContaining(['order', 'money', 'has']));
    expect(namesAfter('')).not.toContain('startsWith');
  });

  it('are the fields and methods of what stands before the full stop', () => {
    expect(namesAfter('order.')).toEqual(expect.arrayContaining(['total', 'edits']));
    expect(namesAfter('order.total.')).toEqual(expect.arrayContaining(['currency', 'percent']));
    expect(namesAfter('1 + order.edits[0].va')).toContain('value');
    expect(namesAfter('order.edits.')).toEqual(expect.arrayContaining(['filter', 'size']));
    expect(namesAfter('nobody.')).toEqual([]);
    expect(namesAfter('.')).toEqual([]);
  });

  it('are the fields of an element within what goes through a list', () => {
    expect(namesAfter('order.edits.filter(e, e.')).toContain('value');
    expect(namesAfter('order.edits.filter(e, ')).toContain('e');
    expect(namesAfter('order.edits.exists(e, e.value > money("(")) && order.')).toContain('total');
  });

  it('is not thrown off by what stands in texts', () => {
    expect(namesAfter('order.edits.filter(e, e.key == ")").')).toContain('size');
    expect(namesAfter('"order.edits.map(e, " + ')).not.toContain('e');
  });

  it('is something, whatever was written', () => {
    const part = fc.oneof(
      fc.constantFrom('order', '.edits', '(', ')', '[', ']', '"', "'", '\\', '.', ' + ', 'filter(e,', '1'),
      anyText(),
    );
    const law = fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      for (const { name, detail } of candidates(text, meaning))
        expect([typeof name, typeof detail]).toEqual(['string', 'string']);
      typeOf(text, meaning);
    });
    fc.assert(law, { numRuns: propertyRuns(500), ...propertySeed() });
  });

  it('is known at once after an expression that is very long', () => {
    const long = 'order.edits.filter(e, e.value > money("0.00")).size() + '.repeat(2_000);
    expect(namesAfter(`${long}order.`)).toContain('total');
  });
});
