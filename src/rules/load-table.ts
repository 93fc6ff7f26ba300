import { Problems, type RuleProblem } from './document/problems';
import { readYaml, type MapNode } from './document/yaml-nodes';
import { asMap, asText, Members } from './load/members';
import { LookupTable } from './lookup-table';

export type LoadedTable = { readonly table: LookupTable } | { readonly problems: readonly RuleProblem[] };

/** A table's name is written after `tables.` in expressions. */
const TABLE_NAME = /^[a-z][A-Za-z0-9_]{0,62}$/;
const MAX_VALUE = 500;

/**
 * Reads a table document, YAML or JSON: `table: NAME` and `entries: {key: value}`. Keys and values are text as
 * written, so `001` stays `001`. The entry `default`, if there is one, answers for every other key.
 * @returns the table, or every problem found, with line and column
 */
export function loadTable(document: string): LoadedTable {
  const problems = new Problems(document);
  const root = readYaml(document, problems);
  const map = root && asMap('a table', root, problems);
  const table = map && readTable(map, problems);
  return table && problems.isEmpty ? { table } : { problems: problems.list() };
}

function readTable(map: MapNode, problems: Problems): LookupTable | undefined {
  const members = new Members('the table', map, ['table', 'entries'], problems);
  const name = members.text('table');
  if (name !== undefined && !TABLE_NAME.test(name.value)) {
    problems.add(
      name.offset,
      "a table's name begins with a lower-case letter and goes on with letters, digits and _",
    );
  }
  const node = members.need('entries')?.value;
  const entries = node && asMap('"entries"', node, problems);
  if (name === undefined || entries === undefined) return undefined;
  return new LookupTable(name.value, readEntries(entries, problems));
}

function readEntries({ members }: MapNode, problems: Problems): Map<string, string> {
  const entries = new Map<string, string>();
  for (const { key, value } of members.values()) {
    const text = asText(`the entry "${key.value}"`, value, problems);
    if (text === undefined) continue;
    if (text.value.length > MAX_VALUE)
      problems.add(text.offset, `a value has at most ${MAX_VALUE} characters`);
    entries.set(key.value, text.value);
  }
  return entries;
}
