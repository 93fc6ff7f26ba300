/** What stands where a character would steer the terminal. */
const REPLACEMENT = '\ufffd';

/** Takes two columns on a terminal: East Asian scripts, full-width forms, pictures. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
/** Takes none: combining marks, joiners, variation selectors. */
const NARROWEST = /^[\p{Mn}\p{Me}\u200b-\u200d\ufe00-\ufe0f]+$/u;

const SEGMENTS = new Intl.Segmenter();

/**
 * Text from elsewhere as one harmless line: line breaks become blanks; what steers a terminal or turns the
 * reading direction, so that a row says something else than it holds, becomes a replacement character.
 */
export function oneLine(text: string): string {
  return harmless(text.replace(/\s+/g, ' ').trim());
}

/** Text from elsewhere as harmless lines. */
export function lines(text: string): string[] {
  return text.replace(/\t/g, '  ').split(/\r?\n/).map(harmless);
}

/** JSON that means the same and steers no terminal: JSON itself allows DEL and the controls above it unescaped. */
export function harmlessJson(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

/** How many columns a line takes on a terminal. */
export function width(text: string): number {
  let columns = 0;
  for (const { segment } of SEGMENTS.segment(text))
    columns += WIDE.test(segment) ? 2 : NARROWEST.test(segment) ? 0 : 1;
  return columns;
}

/** The line, or as much of it as fits with an ellipsis at its end. */
export function shortened(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of SEGMENTS.segment(text)) {
    used += width(segment);
    if (used >= columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, REPLACEMENT);
}
