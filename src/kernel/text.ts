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
