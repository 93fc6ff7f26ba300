import type { OpenAPIObject } from '@nestjs/swagger';
import { XML_OF_PROBLEMS } from '../http/problem-document';
import { PROBLEM_MEMBERS, PROBLEMS, type ProblemCode } from '../kernel/problem';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];
type Responses = NonNullable<NonNullable<OpenAPIObject['paths'][string]['get']>['responses']>;

const { root, item, namespace } = XML_OF_PROBLEMS;

/** A leaf of the document; in XML every element stands in the namespace of problems. */
const leaf = (schema: Schema): Schema => ({ ...schema, xml: { namespace } });

const FIELD_ERROR: Schema = {
  type: 'object',
  required: ['pointer', 'code', 'message'],
  properties: {
    pointer: leaf({ type: 'string', description: 'JSON pointer into the body' }),
    code: leaf({ type: 'string' }),
    message: leaf({ type: 'string' }),
    line: leaf({
      type: 'integer',
      format: 'int32',
      description: 'Of a document such as a rule: where in it',
    }),
    column: leaf({ type: 'integer', format: 'int32', description: 'With a line, from 1' }),
    detail: leaf({ type: 'string', description: 'With a line: the same as message' }),
  },
  xml: { name: item, namespace },
};

/**
 * The schema of every problem document, with the members that only some have. It says by `dependentSchemas`
 * which those are.
 */
export const PROBLEM_SCHEMA: Schema & Record<'dependentSchemas', object> = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'error', 'error_description'],
  properties: {
    type: leaf({ type: 'string', format: 'uri', examples: ['urn:ponte:problem:validation-failed'] }),
    title: leaf({ type: 'string' }),
    status: leaf({ type: 'integer' }),
    detail: leaf({ type: 'string' }),
    instance: leaf({ type: 'string', format: 'uri' }),
    errors: { type: 'array', items: FIELD_ERROR, xml: { wrapped: true, namespace } },
    error: leaf({ type: 'string', description: 'The code alone' }),
    error_description: leaf({ type: 'string', description: 'The same as detail' }),
    ...membersBy(({ of, says, ...type }) => leaf({ ...type, description: `Of ${of}: ${says}` })),
  },
  dependentSchemas: membersBy(({ of }) => ({ properties: { error: { const: of } } })),
  xml: { name: root, namespace },
};

const PROBLEM = { schema: { $ref: '#/components/schemas/Problem' } };
const IN_JSON = { 'application/problem+json': PROBLEM };
const IN_BOTH_FORMS = { ...IN_JSON, 'application/problem+xml': PROBLEM };

/**
 * What an operation answers when something is wrong: a response for each status among `codes`, which it lists
 * in `x-problems`, and one for whatever else goes wrong.
 */
export function problemResponses(
  codes: readonly ProblemCode[],
  { withXml }: { withXml: boolean },
): Responses {
  const content = withXml ? IN_BOTH_FORMS : IN_JSON;
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  const responses = statuses.map((status) => {
    const among = codes.filter((code) => PROBLEMS[code].status === status);
    const description = among.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('; ');
    return [status, { description, content, 'x-problems': among }] as const;
  });
  return { ...Object.fromEntries(responses), default: { description: 'A problem', content } };
}

type Member = (typeof PROBLEM_MEMBERS)[keyof typeof PROBLEM_MEMBERS];

function membersBy<T>(of: (member: Member) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(PROBLEM_MEMBERS).map(([name, member]) => [name, of(member)]));
}
