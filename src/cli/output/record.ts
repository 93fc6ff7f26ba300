import { lines, oneLine, width } from './text';
import { Table, type TableStyle } from './table';
import { type Fields, inWords, isFlat } from './values';
import { isObject } from '../../kernel/json-object';

/** Where no terminal says how wide it is. */
const READABLE_COLUMNS = 140;
/** What several members or items may take beside the name of what they belong to. */
const WIDEST_MEMBERS = 60;

/**
 * Anything that Ponte answers, for a person to read: members one below the other, lists of alike records as
 * tables, everything deeper indented. What Ponte adds later is shown without a change here.
 */
export function recordLines(value: unknown, style: TableStyle): string[] {
  if (Array.isArray(value)) return listLines(value, style);
  if (!isObject(value)) return lines(inWords(value));
  const short = Object.entries(value).filter(([, member]) => isShort(member));
  const long = Object.entries(value).filter(([, member]) => !isShort(member));
  const widest = Math.max(0, ...short.map(([name]) => width(oneLine(name))));
  return [
    ...short.map(([name, member]) => {
      const title = oneLine(name);
      return `${title}${' '.repeat(widest - width(title))}  ${inWords(member)}`;
    }),
    ...long.flatMap(([name, member]) => [
      style.heading(oneLine(name)),
      ...indented(typeof member === 'string' ? lines(member) : recordLines(member, narrower(style))),
    ]),
  ];
}

/** A table where each item fits a line, else one item below the other: a record is shown uncut. */
function listLines(items: readonly unknown[], style: TableStyle): string[] {
  if (items.every((item) => typeof item !== 'object' || item === null)) return items.map(inWords);
  const most = style.columns ?? READABLE_COLUMNS;
  const table = items.every((item): item is Fields => isObject(item) && Object.values(item).every(isShort))
    ? tableLines(items, style)
    : undefined;
  if (table?.every((line) => width(line) <= most)) return table;
  return items.flatMap((item, index) => [
    ...(index > 0 ? [''] : []),
    ...indented(recordLines(item, narrower(style))).map((line, at) =>
      at === 0 ? `-${line.slice(1)}` : line,
    ),
  ]);
}

function tableLines(items: readonly Fields[], { heading }: TableStyle): string[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const member = (item: unknown, name: string): unknown => (isObject(item) ? item[name] : undefined);
  const [titles = '', ...rows] = new Table(names, { heading: (line) => line }, member).lines(items);
  return [heading(titles), ...rows];
}

/** The style of what is indented. */
function narrower(style: TableStyle): TableStyle {
  return { ...style, columns: (style.columns ?? READABLE_COLUMNS) - 2 };
}

/** Whether it stands beside its name rather than below it. */
function isShort(value: unknown): boolean {
  if (typeof value === 'string') return !value.trim().includes('\n');
  return isFlat(value) && (typeof value !== 'object' || width(inWords(value)) <= WIDEST_MEMBERS);
}

function indented(text: readonly string[]): string[] {
  return text.map((line) => (line === '' ? '' : `  ${line}`));
}
