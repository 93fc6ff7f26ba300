/** NFC makes one character of at most so many UTF-16 units. */
const UNITS_OF_A_CHARACTER = 6;
/** The first combining mark is U+0300: text of characters before it is composed already. */
const COMBINING = /[^\0-\u02ff]/;

/**
 * The text composed (NFC). A run of combining marks takes time by its square to be put in order, and others
 * decide what they send; so text that is certainly too long is not even begun.
 * @param max characters (code points) it may then have
 * @returns undefined when it is longer
 */
export function composed(text: string, max: number): string | undefined {
  if (text.length > max * UNITS_OF_A_CHARACTER) return undefined;
  const result = COMBINING.test(text) ? text.normalize('NFC') : text;
  return result.length > max && [...result].length > max ? undefined : result;
}

/**
 * Control characters, halves of surrogate pairs and the line ends of Unicode: databases refuse some, nobody sees any of
 * them, and a line of a log must not be broken by one.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu;
/** Most texts are fine as they are; this plain search tells so quickly. */
const MAYBE_UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]/;

/** Whether the text holds a character that cannot be printed. */
export function hasUnprintable(text: string): boolean {
  return MAYBE_UNPRINTABLE.test(text) && text.search(UNPRINTABLE) >= 0;
}

/** The text with something else in the place of each run of characters that cannot be printed. */
export function replaceUnprintable(text: string, replacement: (run: string) => string = () => ' '): string {
  return MAYBE_UNPRINTABLE.test(text) ? text.replace(UNPRINTABLE, replacement) : text;
}

/** Text with anything in it; undefined for an empty one and for what is no text. */
export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes, with a byte order mark where there is one; undefined when they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}
