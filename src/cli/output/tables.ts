import { isObject } from '../../kernel/json-object';
import { Table, type TableStyle } from './table';
import type { Fields } from './values';

/** With an empty line before it; nothing where there is no row. */
export function tableLines(columns: readonly string[], rows: readonly Fields[], style: TableStyle): string[] {
  return rows.length === 0 ? [] : ['', ...new Table(columns, style).lines(rows)];
}

/** The objects of a member that is a list; none where it is not. */
export function listAt(fields: Fields, name: string): Fields[] {
  const list = fields[name];
  return Array.isArray(list) ? list.filter((item): item is Fields => isObject(item)) : [];
}
