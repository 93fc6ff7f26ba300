import { lines, oneLine, width } from './text';
import { Table, type TableStyle } from './table';
import { type Fields, inWords, isFields, isFlat } from './values';

/**
 * Anything that Ponte answers, for a person to read: members one below the other, lists of alike records as
 * tables, everything deeper indented. What Ponte adds later is shown without a change here.
 */
export function recordLines(value: unknown, style: TableStyle): string[] {
  if (Array.isArray(value)) return listLines(value, style);
  if (!isFields(value)) return lines(inWords(value));
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
      ...indented(typeof member === 'string' ? lines(member) : recordLines(member, style)),
    ]),
  ];
}

function listLines(items: readonly unknown[], style: TableStyle): string[] {
  const narrower = style.columns === undefined ? style : { ...style, columns: style.columns - 2 };
  if (items.every((item): item is Fields => isFields(item) && Object.values(item).every(isShort))) {
    const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
    const member = (item: unknown, name: string): unknown => (isFields(item) ? item[name] : undefined);
    return new Table(names, narrower, member).lines(items);
  }
  return items.flatMap((item, index) => [
    ...(index > 0 ? [''] : []),
    ...indented(recordLines(item, narrower)).map((line, at) => (at === 0 ? `-${line.slice(1)}` : line)),
  ]);
}

/** Whether it stands beside its name rather than below it. */
function isShort(value: unknown): boolean {
  return isFlat(value) && !(typeof value === 'string' && value.trim().includes('\n'));
}

function indented(text: readonly string[]): string[] {
  return text.map((line) => (line === '' ? '' : `  ${line}`));
}
