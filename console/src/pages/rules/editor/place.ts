/** Where in a rule's document somebody writes. */
export interface Place {
  /** Members from the document down to what is written; `[]` stands for an element of a list. */
  readonly path: readonly string[];
  /** `member`: its name is written. `value`: what it has. */
  readonly kind: 'member' | 'value';
  /** What stands before the cursor, of the member's name or of its value. */
  readonly written: string;
  /** The lines of the step that it is in, if any. */
  readonly step: string;
}

/** A member or an element that a line begins, by the column at which it stands. */
interface Beginning {
  readonly column: number;
  readonly name: string;
}

const LINE = /^(\s*)((?:- +|-$)*)(?:(["']?)([\w.-]+)\3\s*:(?=\s|$))?/;
const ELEMENT = '[]';

/** Reads lines by their indentation, also where the document is not whole yet. */
export function placeAt(lines: readonly string[], lineIndex: number, before: string): Place {
  const value = /^(\s*(?:- +)*)(["']?)([\w.-]+)\2\s*:\s+([\s\S]*)$/.exec(before);
  const own = /^(\s*)((?:- +)*)([\s\S]*)$/.exec(before);
  const [spaces = '', dashes = ''] = own?.slice(1) ?? [];
  const inner = beginningsOf(`${spaces}${dashes}`);
  let column = spaces.length + dashes.length;
  const path: string[] = value?.[3] === undefined ? [] : [value[3]];
  const take = ({ column: at, name }: Beginning): void => {
    // The elements of a list may stand at the column of the member that has them.
    const isParent = at < column || (at === column && path[0] === ELEMENT && name !== ELEMENT);
    if (!isParent) return;
    path.unshift(name);
    column = at;
  };
  let [stepLine, stepColumn] = [-1, -1];
  const look = (beginnings: readonly Beginning[], index: number): void => {
    for (const beginning of beginnings.toReversed()) {
      const length = path.length;
      take(beginning);
      if (path.length > length && path[0] === ELEMENT) [stepLine, stepColumn] = [index, beginning.column];
    }
  };
  look(inner, lineIndex);
  for (let index = lineIndex - 1; index >= 0 && column > 0; index -= 1)
    look(beginningsOf(lines[index] ?? ''), index);
  // Elements at the very edge belong to the member before them.
  for (let index = lineIndex - 1; index >= 0 && path[0] === ELEMENT; index -= 1)
    look(beginningsOf(lines[index] ?? ''), index);
  return {
    path,
    kind: value ? 'value' : 'member',
    written: value?.[4] ?? own?.[3] ?? '',
    step: path[0] === 'then' && stepLine >= 0 ? blockOf(lines, stepLine, stepColumn).join('\n') : '',
  };
}

/** The steps above a line: what stands in `id` and `do` of each, from top to bottom. */
export function stepsAbove(
  lines: readonly string[],
  lineIndex: number,
): { id: string; action: string | undefined }[] {
  const steps: { id: string; action: string | undefined }[] = [];
  let isInSteps = false;
  for (const line of lines.slice(0, lineIndex)) {
    if (/^\S/.test(line) && !line.startsWith('-') && !line.startsWith('#'))
      isInSteps = /^then\s*:/.test(line);
    if (!isInSteps) continue;
    const id = /(?:^|[\s{,])id\s*:\s*["']?(\w+)/.exec(line)?.[1];
    const action = /(?:^|[\s{,])do\s*:\s*["']?([\w.]+)/.exec(line)?.[1];
    if (id !== undefined) steps.push({ id, action });
    else if (action !== undefined && steps.length > 0) steps.push({ ...(steps.pop() ?? { id: '' }), action });
  }
  return steps;
}

/** The members of a mapping at the top of the document, such as `let`, with what stands after their names. */
export function membersOf(lines: readonly string[], mapping: string): Map<string, string> {
  const members = new Map<string, string>();
  const start = lines.findIndex((line) => new RegExp(`^${mapping}\\s*:`).test(line));
  if (start === -1) return members;
  let column: number | undefined;
  for (const line of lines.slice(start + 1)) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const indentation = line.length - line.trimStart().length;
    if (indentation === 0) break;
    column ??= indentation;
    const [, name, value = ''] = /^\s+(\w+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (indentation === column && name !== undefined) members.set(name, unquoted(value));
  }
  return members;
}

export function eventOf(text: string): string | undefined {
  return /(?:^|[\s{,])event\s*:\s*["']?([\w.]+)/.exec(text)?.[1];
}

export function unquoted(value: string): string {
  const [, , text] = /^(["'])(.*)\1\s*$/.exec(value.trim()) ?? [];
  return text ?? value.trim();
}

function beginningsOf(line: string): Beginning[] {
  if (line.trim() === '' || line.trimStart().startsWith('#')) return [];
  const [, spaces = '', dashes = '', , name] = LINE.exec(line) ?? [];
  const beginnings: Beginning[] = [];
  for (const { index } of dashes.matchAll(/-/g))
    beginnings.push({ column: spaces.length + index, name: ELEMENT });
  if (name !== undefined) beginnings.push({ column: spaces.length + dashes.length, name });
  return beginnings;
}

/** The lines of an element of a list: as far as nothing stands further to the left. */
function blockOf(lines: readonly string[], from: number, column: number): string[] {
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && line.length - line.trimStart().length <= column);
  return lines.slice(from, end === -1 ? undefined : from + 1 + end);
}
