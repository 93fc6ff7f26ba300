/** Names longer than this are not compared: nobody mistypes them by accident. */
const MAX_COMPARED = 64;
/** More names than these say nothing any more. */
const MOST_NAMED = 25;

/** Single-character edits that make one text the other. */
export function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + same,
        ),
      );
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/**
 * The known name a person most likely meant: a third of its letters may be wrong, letter case and
 * punctuation are ignored.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_COMPARED) return undefined;
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const edits = editDistance(plain(name), plain(candidate));
    if (edits < bestDistance) [best, bestDistance] = [candidate, edits];
  }
  return best;
}

/** `; did you mean "total"?`, or nothing. */
export function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** {@link didYouMean}, or else `; there are a, b`: all that is known, where it is not too much. */
export function meantOr(nearest: string | undefined, known: Iterable<string>): string {
  const names = [...known];
  if (nearest !== undefined || names.length === 0 || names.length > MOST_NAMED) return didYouMean(nearest);
  return `; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
}
