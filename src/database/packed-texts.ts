/** Texts as one binary parameter that a statement cuts by offsets: see {@link packTexts}. */
export interface PackedTexts {
  bytes: Buffer;
  /** Where each begins, from 1, in bytes. */
  starts: number[];
  /** How long each is, in bytes. */
  lengths: number[];
}

/**
 * Documents on their way into a column, as one parameter: in an array each quote of each would be escaped here and
 * read there character by character. In SQL: `convert_from(substring($1::bytea from start for length), 'UTF8')`.
 */
export function packTexts(texts: readonly string[]): PackedTexts {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  let end = 1;
  const starts = lengths.map((length) => (end += length) - length);
  return { bytes: Buffer.from(texts.join('')), starts, lengths };
}
