/** JSON pointer (RFC 6901) to a member, by the names on the way to it; the empty one is the whole. */
export function jsonPointer(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
