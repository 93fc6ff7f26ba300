import { EVENT_TYPES } from '../events/event';
import { loadRule } from './load-rule';
import { ruleNames } from './rule-names';

const { events, types, functions } = ruleNames();

/** Problems of a rule on an event with this one condition. */
function problemsOf(event: string, condition: string): string[] {
  const loaded = loadRule(
    JSON.stringify({
      rule: 'named',
      when: { event, all: [condition] },
      then: [{ id: 'note', do: 'customer.ensure', with: { name: 'x' } }],
    }),
    { tables: new Set() },
  );
  return 'rule' in loaded ? [] : loaded.problems.map(({ message }) => message);
}

describe('the names of expressions', () => {
  it('says what every event brings', () => {
    expect(events.map(({ event }) => event)).toEqual([...EVENT_TYPES]);
    const paid = events.find(({ event }) => event === 'order.paid')?.names;
    expect(paid).toContainEqual({ name: 'order', type: 'Order' });
    expect(paid).toContainEqual({ name: 'org', type: 'Organization' });
  });

  it('knows each type that a field is of, and no field that rules do not know', () => {
    const known = new Map(types.map(({ name, fields }) => [name, fields]));
    const plain = new Set(['string', 'int', 'double', 'bool', 'Date', 'Instant']);
    const unknown = types.flatMap(({ fields }) =>
      fields
        .map(({ type }) => type.replace(/^list<(.*)>$/, '$1'))
        .filter((type) => !known.has(type) && !plain.has(type)),
    );
    expect(unknown).toEqual([]);
    for (const { event, names } of events)
      for (const { name, type } of names)
        for (const field of known.get(type) ?? [])
          expect(problemsOf(event, `has(${name}.${field.name})`)).toEqual([]);
  });

  it('has the forms of every function, each with what it gives', () => {
    expect(functions.find(({ name }) => name === 'addDays')?.forms).toEqual(['Date.addDays(int) : Date']);
    for (const { name, forms } of functions)
      for (const form of forms) expect(form).toMatch(new RegExp(`\\b${name}\\(.*\\) : \\S+`));
  });
});
