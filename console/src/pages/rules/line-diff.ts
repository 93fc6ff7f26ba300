/** A line of two texts side by side; a side that has no such line is undefined. */
export interface DiffLine {
  readonly kind: 'same' | 'changed' | 'removed' | 'added';
  readonly before?: NumberedLine;
  readonly after?: NumberedLine;
}

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Pairs of lines above which what lies between the same beginning and end counts as replaced as a whole. */
const MOST_PAIRS = 4_000_000;

/** Which lines of two texts are the same, and which stand against each other. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let [leftEnd, rightEnd] = [left.length, right.length];
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd -= 1;
    rightEnd -= 1;
  }
  const lines: DiffLine[] = [];
  const same = (leftIndex: number, rightIndex: number): void => {
    lines.push({ kind: 'same', before: numbered(left, leftIndex), after: numbered(right, rightIndex) });
  };
  for (let index = 0; index < start; index += 1) same(index, index);
  let [leftAt, rightAt] = [start, start];
  const matched = matches(left.slice(start, leftEnd), right.slice(start, rightEnd));
  for (const [l, r] of [...matched, [leftEnd - start, rightEnd - start] as const]) {
    replaced(lines, [left, leftAt, start + l], [right, rightAt, start + r]);
    [leftAt, rightAt] = [start + l, start + r];
    if (leftAt < leftEnd && rightAt < rightEnd) same(leftAt++, rightAt++);
  }
  for (; leftAt < left.length; leftAt += 1, rightAt += 1) same(leftAt, rightAt);
  return lines;
}

/** How many lines of the later text are new or changed, and how many of the earlier one are gone. */
export function countOf(lines: readonly DiffLine[]): { added: number; removed: number } {
  return {
    added: lines.filter(({ kind }) => kind === 'added' || kind === 'changed').length,
    removed: lines.filter(({ kind }) => kind === 'removed' || kind === 'changed').length,
  };
}

type Side = readonly [lines: readonly string[], from: number, to: number];

function replaced(
  lines: DiffLine[],
  [left, leftFrom, leftTo]: Side,
  [right, rightFrom, rightTo]: Side,
): void {
  for (let offset = 0; leftFrom + offset < leftTo || rightFrom + offset < rightTo; offset += 1) {
    const before = leftFrom + offset < leftTo ? numbered(left, leftFrom + offset) : undefined;
    const after = rightFrom + offset < rightTo ? numbered(right, rightFrom + offset) : undefined;
    if (before && after) lines.push({ kind: before.text === after.text ? 'same' : 'changed', before, after });
    else if (before) lines.push({ kind: 'removed', before });
    else if (after) lines.push({ kind: 'added', after });
  }
}

function numbered(lines: readonly string[], index: number): NumberedLine {
  return { number: index + 1, text: lines[index] ?? '' };
}

/** The longest common lines, as pairs of positions. */
function matches(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  if (left.length * right.length > MOST_PAIRS) return [];
  const width = right.length + 1;
  const longest = new Uint32Array((left.length + 1) * width);
  const at = (l: number, r: number): number => longest[l * width + r] ?? 0;
  for (let l = left.length - 1; l >= 0; l -= 1)
    for (let r = right.length - 1; r >= 0; r -= 1)
      longest[l * width + r] =
        left[l] === right[r] ? at(l + 1, r + 1) + 1 : Math.max(at(l + 1, r), at(l, r + 1));
  const pairs: (readonly [number, number])[] = [];
  for (let [l, r] = [0, 0]; l < left.length && r < right.length;)
    if (left[l] === right[r]) pairs.push([l++, r++]);
    else if (at(l + 1, r) >= at(l, r + 1)) l += 1;
    else r += 1;
  return pairs;
}
