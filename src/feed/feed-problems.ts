import { ApiExtension } from '@nestjs/swagger';
import { KEYED_PROBLEMS, PROBLEM_CODES } from '../http/api';
import type { ProblemCode } from '../kernel/problem';

/** Names the problems a route of the feed may answer with, beside those that any may. */
export function ApiFeedProblems(...codes: readonly ProblemCode[]): MethodDecorator {
  return ApiExtension(PROBLEM_CODES, [...KEYED_PROBLEMS, ...codes]);
}
