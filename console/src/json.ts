/** Levels beyond which lines are not indented further: what is nested without end stays as long as it was sent. */
const MOST_LEVELS = 40;

/** JSON with each member in a line of its own; numbers stay as they were sent. Other text stays as it is. */
export function inLines(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(Math.min(depth, MOST_LEVELS))}`;
  return text.replace(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[[\]{},:]|\s+|[^\s[\]{},:"]+/g, (part) => {
    switch (part) {
      case '{':
      case '[':
        depth += 1;
        return part + line();
      case '}':
      case ']':
        depth -= 1;
        return line() + part;
      case ',':
        return part + line();
      case ':':
        return ': ';
      default:
        return part.startsWith('"') ? part : part.replace(/\s+/g, '');
    }
  });
}
