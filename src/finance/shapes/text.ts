/** Longest text any field takes unless it says otherwise, in characters. */
export const MAX_TEXT = 500;

/** The text cannot be stored as it is. The message holds nothing of the text itself. */
export class TextError extends Error {
  override readonly name = 'TextError';

  constructor(
    readonly code: 'control-character' | 'too-long',
    message: string,
  ) {
    super(message);
  }
}

const CONTROL = /\p{Cc}/u;
const CONTROL_RUNS = /\p{Cc}+/gu;

function measured(text: string, maxLength: number): string {
  const clean = text.normalize('NFC').trim();
  if (!clean.isWellFormed()) throw new TextError('control-character', 'must be well-formed Unicode');
  if ([...clean].length > maxLength) {
    throw new TextError('too-long', `must have at most ${maxLength} characters`);
  }
  return clean;
}

/**
 * Text of a client, which can be asked to send something better: trimmed and composed (NFC).
 * @throws TextError for control characters, lone surrogates and what is too long
 */
export function strictText(text: string, maxLength = MAX_TEXT): string {
  if (CONTROL.test(text.trim())) {
    throw new TextError('control-character', 'must not contain control characters');
  }
  return measured(text, maxLength);
}

/**
 * Text that came through a shop, where nobody can be asked: as {@link strictText}, but tabs, line breaks and
 * other control characters become one space.
 * @throws TextError for lone surrogates and what is too long
 */
export function tidyText(text: string, maxLength = MAX_TEXT): string {
  return measured(text.replace(CONTROL_RUNS, ' '), maxLength);
}
