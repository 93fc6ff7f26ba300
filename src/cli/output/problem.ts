import { oneLine } from './text';
import { type Fields, inWords } from './values';
import { isObject } from '../../kernel/json-object';

/** Members that the first line has, and those that repeat it in other words. */
const IN_FIRST_LINE = ['type', 'title', 'status', 'detail', 'errors', 'error', 'error_description'];

/** A problem document (RFC 9457) as one readable line, with its other members below. */
export function problemText(problem: Fields, status: number): string {
  const code = inWords(problem['type']).replace(/^urn:ponte:problem:/, '');
  const said = [problem['title'], problem['detail']].flatMap((text) =>
    typeof text === 'string' && text !== '' ? [oneLine(text)] : [],
  );
  const errors = Array.isArray(problem['errors']) ? problem['errors'] : [];
  const others = Object.entries(problem).filter(([name]) => !IN_FIRST_LINE.includes(name));
  return [
    `${said.join(': ')} (${code}, ${status})`,
    ...errors.map((error) => `  ${errorText(error)}`),
    ...others.map(([name, value]) => `  ${oneLine(name)}: ${inWords(value)}`),
  ].join('\n');
}

/** One bad field of a body, or one bad place of a document. */
export function errorText(error: unknown): string {
  if (!isObject(error)) return inWords(error);
  const where =
    error['line'] === undefined
      ? error['pointer'] || 'the body'
      : `line ${inWords(error['line'])}, column ${inWords(error['column'])}`;
  return `${inWords(where)}: ${inWords(error['detail'] ?? error['message'] ?? error['code'])}`;
}
