import { Problem, PROBLEM_MEMBERS, PROBLEMS, type FieldError, type ProblemCode } from '../../kernel/problem';
import type { RemoteProblem } from '../wire/finance-wire';

/** What a status means where the code says nothing to us. */
const BY_STATUS: Partial<Record<number, ProblemCode>> = {
  400: 'malformed-request',
  404: 'not-found',
  409: 'conflict',
  413: 'body-too-large',
  422: 'validation-failed',
};

/**
 * What a finance service refuses, as Ponte says it: its own words where it speaks of problems as we do, else
 * what its status means. That it refuses our key is no fault of whoever asked us.
 */
export function problemOf({ status, code, detail, members = {} }: RemoteProblem): Problem {
  if (status === 401 || status === 403)
    return new Problem('finance-not-connected', 'the finance service refuses the key it was connected with');
  const known = isCode(code) && PROBLEMS[code].status === status ? code : BY_STATUS[status];
  if (!known) return new Problem('finance-misbehaved', `the finance service refused with status ${status}`);
  const own = Object.entries(PROBLEM_MEMBERS).flatMap(([name, { of }]) =>
    of === known && members[name] !== undefined ? [[name, members[name]] as const] : [],
  );
  const errors = fieldErrors(members['errors']);
  return new Problem(known, detail ?? `the finance service refused with status ${status}`, {
    ...(own.length > 0 && { members: Object.fromEntries(own) }),
    ...(errors && { errors }),
  });
}

function isCode(code: string | undefined): code is ProblemCode {
  return code !== undefined && Object.hasOwn(PROBLEMS, code);
}

function fieldErrors(value: unknown): FieldError[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const errors = value.filter(isFieldError);
  return errors.length > 0 ? errors : undefined;
}

function isFieldError(value: unknown): value is FieldError {
  if (typeof value !== 'object' || value === null) return false;
  const { pointer, code, message } = value as Record<string, unknown>;
  return [pointer, code, message].every((member) => typeof member === 'string');
}
