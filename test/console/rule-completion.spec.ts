import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { ruleCompletion, type Vocabulary } from '../../console/src/pages/rules/editor/completion';
import { describeActions } from '../../src/rules/actions/registry';
import { ruleNames } from '../../src/rules/rule-names';
import { ruleSchema } from '../../src/rules/rule-schema';

const TABLE = { name: 'category', entries: { 'online-sales': '1.01', 'pix "a"': '1.02' }, warnings: [] };
const VOCABULARY: Vocabulary = {
  schema: ruleSchema(),
  actions: describeActions(),
  names: ruleNames(),
  tables: [TABLE],
};

/** What is offered at the mark `|` of a document; undefined: nothing. */
function offered(document: string, vocabulary = VOCABULARY): string[] | undefined {
  const pos = document.indexOf('|');
  const state = EditorState.create({ doc: document.replace('|', '') });
  const result = ruleCompletion(() => vocabulary)(new CompletionContext(state, pos, true));
  return result?.options.map(({ label }) => label);
}

const PAID = 'rule: x\nwhen:\n  event: order.paid\n';

describe('what the editor of rules offers', () => {
  it('are the members that are missing, in a document that is empty or begun', () => {
    expect(offered('|')).toEqual(expect.arrayContaining(['rule', 'when', 'then']));
    expect(offered(`${PAID}  |`)).toEqual(expect.arrayContaining(['event', 'all']));
  });

  it('are events, actions, and the inputs of the action of the step', () => {
    expect(offered('when:\n  event: |')).toContain('order.paid');
    expect(offered(`${PAID}then:\n  - id: a\n    do: cust|`)).toContain('customer.ensure');
    expect(offered(`${PAID}then:\n  - id: a\n    do: customer.ensure\n    with:\n      |`)).toContain(
      'document',
    );
  });

  it('are names in expressions, in conditions and in texts with `${…}`', () => {
    expect(offered(`${PAID}  all:\n    - ord|`)).toContain('order');
    expect(offered(`${PAID}let:\n  a: order.|`)).toContain('total');
    expect(offered(`${PAID}then:\n  - id: a\n    if: '!order.|`)).toContain('total');
    expect(offered(`${PAID}then:\n  - id: a\n    with:\n      name: "Pedido \${order.|`)).toContain('total');
    expect(offered(`${PAID}then:\n  - id: a\n    with:\n      name: \${order.key} and |`)).toBeUndefined();
  });

  it('are what the rule defines above: values, settings, steps and elements', () => {
    const rule = `${PAID}let:\n  due: order.createdAt.dateIn(org.timeZone)\nthen:\n  - id: customer\n    do: customer.ensure\n  - id: b\n    forEach: { edit: order.edits }\n    if: `;
    expect(offered(`${rule}|`)).toEqual(expect.arrayContaining(['due', 'steps', 'edit']));
    expect(offered(`${rule}due.|`)).toContain('addDays');
    expect(offered(`${rule}steps.customer.|`)).toContain('id');
    expect(offered(`${rule}edit.|`)).toContain('value');
  });

  it('are the entries of a table between its brackets', () => {
    expect(offered(`${PAID}let:\n  a: tables.category["on|`)).toEqual(Object.keys(TABLE.entries));
    expect(offered(`${PAID}let:\n  a: tables.nowhere["|`)).toEqual([]);
  });

  it('is nothing within texts, with either quotation mark and with one that is escaped', () => {
    for (const text of ['"ord|', "'ord|", `'it"s' + "ord|`, `"it's ord|`, '"a\\" ord|', '"a" + "ord|'])
      expect([text, offered(`${PAID}let:\n  a: order.key == ${text}`)]).toEqual([text, undefined]);
  });

  it('are names again after a text', () => {
    for (const text of ['"a" + ord|', `'it"s' + ord|`, '"a\\"" + ord|', '"a\\\\" + ord|'])
      expect([text, offered(`${PAID}let:\n  a: order.key == ${text}`)]).toEqual([
        text,
        expect.arrayContaining(['order']),
      ]);
  });

  it('is nothing in comments, in a line of their own or behind something', () => {
    for (const line of ['# ord|', '  # ord|', 'let:\n  a: order.total # ord|', 'rule: x # wh|'])
      expect([line, offered(`${PAID}${line}`)]).toEqual([line, undefined]);
    expect(offered(`${PAID}let:\n  a: 'order.key == "#" && ord|`)).toContain('order');
    expect(offered(`${PAID}let:\n  a: order.key == "#" && ord|`)).toContain('order');
  });

  it('is little, and no failure, where the API said nothing', () => {
    const nothing: Vocabulary = { schema: undefined, actions: [], names: undefined, tables: [] };
    expect(offered('|', nothing)).toBeUndefined();
    expect(offered(`${PAID}let:\n  a: |`, nothing)).toEqual(expect.arrayContaining(['raw', 'tables']));
  });
});
