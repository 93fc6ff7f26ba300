import type { OpenAPIObject } from '@nestjs/swagger';
import { BODY_PROBLEMS, KEY_IN_ANY_CASE, OPERATORS_PROBLEMS } from '../http/api';
import type { ProblemCode } from '../kernel/problem';

/** As much of an operation of the description as matters here. */
type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;

const ORGANIZATION = 'org';
const OPERATORS = /^\/admin\//;
const FINANCE = /^\/v1\//;

/** How a schema says what an object contains. */
const SAYS_MORE = ['properties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', '$ref'];

/** What a status means where the operation does not say it better. */
const MEANINGS: Readonly<Record<string, string>> = {
  '200': 'What was asked for',
  '201': 'Made',
  '204': 'Done',
};

/** The name of an operation that has none of its own: `BanksController.create` is `banks.create`. */
export function operationIdOf(controller: string, method: string): string {
  const name = controller.replace(/Controller$/, '');
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}.${method}`;
}

/** The organization in the operators' addresses, which the guard reads and no handler names. */
export function addOrganization(operation: OperationObject, path: string): void {
  if (!path.includes(`{${ORGANIZATION}}`)) return;
  const parameter = {
    name: ORGANIZATION,
    in: 'path' as const,
    required: true,
    description: "The organization's id or slug",
    schema: { type: 'string' },
  };
  operation.parameters = [parameter, ...(operation.parameters ?? [])];
}

/**
 * Says which key is needed, in the document's own terms: none is an empty list.
 * @param nameSuffices whether the finance interface takes the organization's name instead of a key
 */
export function completeSecurity(
  operation: OperationObject & Record<string, unknown>,
  path: string,
  nameSuffices: boolean,
): void {
  const { [KEY_IN_ANY_CASE]: inAnyCase = false, security = [] } = operation;
  delete operation[KEY_IN_ANY_CASE];
  const maySendNone = nameSuffices && FINANCE.test(path) && inAnyCase !== true;
  operation.security = maySendNone ? [...security, {}] : security;
}

/** Says what success means in words. */
export function completeReplies(operation: OperationObject): void {
  for (const [status, response] of Object.entries(operation.responses))
    if (response && !('$ref' in response)) response.description ||= MEANINGS[status] ?? '';
}

/** What an operation may answer by reason of where it stands, beside what it says itself. */
export function problemsByPlace({ requestBody }: OperationObject, path: string): readonly ProblemCode[] {
  if (!OPERATORS.test(path)) return [];
  return requestBody ? [...OPERATORS_PROBLEMS, ...BODY_PROBLEMS] : OPERATORS_PROBLEMS;
}

/**
 * Says of objects that nothing else is said of that they may have members: a reader could take silence for none.
 * @param node any part of the document
 */
export function openObjects(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const part = node as Record<string, unknown>;
  if ([part['type']].flat().includes('object') && SAYS_MORE.every((name) => !(name in part)))
    part['additionalProperties'] = true;
  for (const child of Object.values(part)) openObjects(child);
}
