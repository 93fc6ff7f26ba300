/**
 * Chooses among offered media types by an `Accept` header (RFC 9110, section 12.5.1): for each, the range that
 * speaks of it most closely gives its quality; the best quality wins. Between equals, the one that was named
 * more closely, then the one offered first. Parameters other than `q` are ignored.
 * @param offered media types in lower case, the preferred one first
 * @returns undefined when none is taken; an absent header takes anything
 */
export function negotiate<T extends string>(
  accept: string | undefined,
  offered: readonly T[],
): T | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0];
  const ranges = accept.toLowerCase().split(',').map(rangeOf);
  const taken = offered.flatMap((type) => {
    const match = closestMatch(type, ranges);
    return match.quality > 0 ? [{ ...match, type }] : [];
  });
  return taken.sort((one, other) => other.quality - one.quality || other.closeness - one.closeness)[0]?.type;
}

interface Range {
  name: string;
  quality: number;
}

interface Match {
  /** 0 to 2: any type, any of the kind, this very type; -1 where no range speaks of it. */
  closeness: number;
  quality: number;
}

function closestMatch(type: string, ranges: readonly Range[]): Match {
  const names = ['*/*', `${type.split('/', 1)[0]}/*`, type];
  let match: Match = { closeness: -1, quality: 0 };
  for (const { name, quality } of ranges) {
    const closeness = names.indexOf(name);
    if (closeness >= 0 && closeness >= match.closeness) match = { closeness, quality };
  }
  return match;
}

function rangeOf(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  // Java's own client says `*` for `*/*`.
  return { name: name === '*' ? '*/*' : name, quality: qualityOf(parameters) };
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (given === undefined) return 1;
  const quality = /^[\d.]{1,8}$/.test(given) ? Number(given) : NaN;
  return Number.isNaN(quality) ? 0 : Math.min(quality, 1);
}
