import { isUuid } from '../../../kernel/identifier';
import { Problem, unacceptable } from '../../../kernel/problem';

/** The answer when a path names no record of the caller's organization, whoever else may have it. */
export function notFound(what: string): Problem {
  return new Problem('not-found', `The organization has no such ${what}`);
}

/** An identifier from a path. @throws Problem `not-found` when it is no UUID, for no record has such a name */
export function pathId(text: string, what: string): string {
  if (!isUuid(text)) throw notFound(what);
  return text.toLowerCase();
}

/** @throws Problem `validation-failed` when a body names another record than the path */
export function mustBePaths<Field extends string>(
  field: Field,
  body: Partial<Record<Field, unknown>>,
  id: string,
  what: string,
): void {
  const sent = body[field];
  if (sent && sent !== id) throw unacceptable(`/${field}`, 'path', `the ${what} is not the one of the path`);
}
