/** NFC makes one character of at most four, each of two UTF-16 units at most. */
const UNITS_OF_A_CHARACTER = 8;

/**
 * The text composed (NFC). A run of combining marks takes time by its square to be put in order, and others
 * decide what they send; so text that is certainly too long is not even begun.
 * @param max characters (code points) it may then have
 * @returns undefined when it is longer
 */
export function composed(text: string, max: number): string | undefined {
  if (text.length > max * UNITS_OF_A_CHARACTER) return undefined;
  const result = text.normalize('NFC');
  return [...result].length > max ? undefined : result;
}
