import { exactDecimal } from '../../../kernel/exact-decimal';
import { isUuid } from '../../../kernel/identifier';
import {
  Problem,
  PROBLEM_MEMBERS,
  PROBLEMS,
  type FieldError,
  type ProblemCode,
} from '../../../kernel/problem';
import { operation, type Operation, type OperationId } from '../../api/operations/operations';
import { relayedProblemsOf } from '../../api/operations/refusals';
import { type RemoteProblem, wordsOf } from '../client/finance-client';

/** What a status means where the code says nothing to us. */
const BY_STATUS: Partial<Record<number, ProblemCode>> = {
  400: 'malformed-request',
  404: 'not-found',
  409: 'conflict',
  413: 'body-too-large',
  422: 'validation-failed',
};

/** The answer when the service refuses our key. @param words why, behind a colon, where it says so */
export function keyRefused(words = ''): Problem {
  const detail = `the finance service refuses the key it was connected with${words}`;
  return new Problem('finance-not-connected', detail);
}

/**
 * What a finance service refuses, as Ponte says it: its own words where they are among those that the operation
 * answers with, else what its status means there. That it refuses our key, our form or our pace is no fault of
 * whoever asked us.
 */
export function problemOf(id: OperationId, problem: RemoteProblem): Problem {
  const { status, code, detail, members = {} } = problem;
  const explained = detail !== undefined || problem.reasons !== undefined;
  const words = explained ? `: ${wordsOf(problem)}` : '';
  if (status === 401 || status === 403) return keyRefused(words);
  if (lacks(operation(id), status, code ?? detail))
    return new Problem('not-implemented', 'the finance service does not offer this extension');
  const relayed = relayedProblemsOf(operation(id));
  const known = [code, BY_STATUS[status]]
    .filter(isCode)
    .find((each) => PROBLEMS[each].status === status && relayed.has(each));
  const bare = `the finance service refused with status ${status}`;
  if (!known) return new Problem('finance-misbehaved', `${bare}${words}`);
  const own = Object.entries(PROBLEM_MEMBERS).flatMap(([name, { of, ...described }]) => {
    const value = of === known ? asDescribed(described, members[name]) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  const errors = fieldErrors(members['errors']);
  // Fields that are given back as they came need no words besides.
  const said = errors || !explained ? detail : wordsOf(problem);
  return new Problem(known, said ?? bare, {
    ...(own.length > 0 && { members: Object.fromEntries(own) }),
    ...(errors && { errors }),
  });
}

/** Whether a service that answers so has no such extension: a list cannot be missing otherwise, and a record is named. */
function lacks({ number, response }: Operation, status: number, reason: string | undefined): boolean {
  if (number !== null) return false;
  if (status === 405 || status === 501) return true;
  return status === 404 && (response === 'page' || reason === undefined);
}

/** A member as its description promises it, which in XML came as text; undefined where it is something else. */
function asDescribed({ type, format }: { type: string; format?: string }, value: unknown): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'string' && (format !== 'uuid' || isUuid(value)) ? value : undefined;
    case 'boolean':
      return FLAGS.get(value);
    case 'integer':
      return Number.isSafeInteger(numberOf(value)) ? numberOf(value) : undefined;
    default:
      return numberOf(value);
  }
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
]);

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && exactDecimal(value) !== undefined ? Number(value) : undefined;
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
