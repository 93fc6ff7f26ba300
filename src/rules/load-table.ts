import { Problems, type RuleProblem } from './document/problems';
import { readYaml, type MapNode } from './document/yaml-nodes';
import { asMap, asText, Members } from './load/members';
import { LookupTable } from './lookup-table';
import { entryProblem, isTableName, TABLE_NAME_MESSAGE } from './table-entries';

export type LoadedTable = { readonly table: LookupTable } | { readonly problems: readonly RuleProblem[] };

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
  if (name !== undefined && !isTableName(name.value)) problems.add(name.offset, TABLE_NAME_MESSAGE);
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
    const problem = entryProblem(key.value, text.value);
    if (problem !== undefined) problems.add(text.offset, problem);
    entries.set(key.value, text.value);
  }
  return entries;
}
