import { composed, replaceUnprintable } from '../../../kernel/text';

/** Longest text kept of what a rule maps, in characters. */
const MAX_TEXT = 500;

/** The text is too long to be kept. The message has nothing of it. */
export class TextError extends Error {
  override readonly name = 'TextError';
}

/**
 * Text that came through a shop, where nobody can be asked to send something better: tabs, line breaks, other
 * control characters and halves of surrogate pairs become one space, then it is trimmed and composed (NFC).
 * @throws TextError when it is too long
 */
export function tidyText(text: string): string {
  const clean = composed(replaceUnprintable(text).trim(), MAX_TEXT);
  if (clean === undefined) throw new TextError(`has more than ${MAX_TEXT} characters`);
  return clean;
}
