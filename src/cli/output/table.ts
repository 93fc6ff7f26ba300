import { oneLine, shortened, width } from './text';
import { inWords, valueAt, type Fields } from './values';
import { isObject } from '../../kernel/json-object';

/** Narrowest that a last column is cut to. */
const LEAST_COLUMNS = 12;
const GAP = '  ';

export interface TableStyle {
  /** Columns of the terminal; absent: lines may be as long as they are. */
  readonly columns?: number | undefined;
  /** Puts a heading in another face. */
  readonly heading: (text: string) => string;
}

/**
 * A plain table whose rows may come in several portions: the columns never become narrower again. Each column is
 * named by the dotted path of the member that it shows.
 */
export class Table {
  private readonly titles: string[];
  private readonly widths: number[];
  private begun = false;

  constructor(
    private readonly paths: readonly string[],
    private readonly style: TableStyle,
    private readonly valueOf: (item: unknown, path: string) => unknown = valueAt,
  ) {
    this.titles = paths.map(oneLine);
    this.widths = this.titles.map(width);
  }

  /** Lines of these items, with the heading before the first ones. */
  lines(items: readonly unknown[]): string[] {
    const rows = items.map((item) => this.paths.map((path) => inWords(this.valueOf(item, path))));
    for (const row of rows)
      row.forEach((cell, index) => {
        this.widths[index] = Math.max(this.widths[index] ?? 0, width(cell));
      });
    const heading = this.begun ? [] : [this.style.heading(this.line(this.titles))];
    this.begun = true;
    return [...heading, ...rows.map((row) => this.line(row))];
  }

  private line(cells: readonly string[]): string {
    const last = cells.length - 1;
    const before = cells
      .slice(0, last)
      .map((cell, index) => cell + ' '.repeat(Math.max(0, (this.widths[index] ?? 0) - width(cell))) + GAP)
      .join('');
    return (before + this.lastCell(cells[last] ?? '', width(before))).trimEnd();
  }

  private lastCell(cell: string, at: number): string {
    const { columns } = this.style;
    return columns === undefined ? cell : shortened(cell, Math.max(LEAST_COLUMNS, columns - at));
  }
}

/** With an empty line before it; nothing where there is no row. */
export function tableLines(columns: readonly string[], rows: readonly Fields[], style: TableStyle): string[] {
  return rows.length === 0 ? [] : ['', ...new Table(columns, style).lines(rows)];
}

/** The objects of a member that is a list; none where it is not. */
export function listAt(fields: Fields, name: string): Fields[] {
  const list = fields[name];
  return Array.isArray(list) ? list.filter((item): item is Fields => isObject(item)) : [];
}
