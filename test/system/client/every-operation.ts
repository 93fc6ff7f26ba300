import type { OpenAPIObject } from '@nestjs/swagger';
import { type BodySchema, sampleOf } from '../../support/sample-body';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: BodySchema;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: BodySchema }> };
  responses: Record<string, object>;
}

const BEGINNING = `import createClient from 'openapi-fetch';
import type { paths } from './ponte.js';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });

/** false for what a client knows nothing of: any, unknown, never. */
type IsKnown<T> = [T] extends [never] ? false : unknown extends T ? false : true;
const known = <T>(_reply: T, _isKnown: IsKnown<NonNullable<T>>): void => undefined;
`;

/** How many operations a document has. */
export function operationsIn(document: OpenAPIObject): number {
  return Object.values(document.paths).flatMap((item) => Object.keys(item)).length;
}

/**
 * A TypeScript module that calls every operation of a document through the generated client, with a value for everything
 * that may be sent and for every name in the path, described or not, and looks at what is answered. Where a path has parameters, the same call without them has to be an
 * error: a client without types would let it pass.
 */
export function everyOperation(document: OpenAPIObject): string {
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) =>
      callOf(document, path, method, operation),
    ),
  );
  return [BEGINNING, ...calls].join('\n');
}

function callOf(document: OpenAPIObject, path: string, method: string, operation: Operation): string {
  const call = `client.${method.toUpperCase()}(${JSON.stringify(path)}`;
  const { parameters = [], requestBody, responses, operationId } = operation;
  const valuesIn = (place: Parameter['in']): Record<string, unknown> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [name, sampleOf(document, schema)]),
    );
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'text'] as const);
  const places = {
    path: { ...Object.fromEntries(names), ...valuesIn('path') },
    query: valuesIn('query'),
    header: valuesIn('header'),
  };
  const params: Partial<typeof places> = Object.fromEntries(
    Object.entries(places).filter(([, values]) => Object.keys(values).length > 0),
  );
  const [body] = Object.values(requestBody?.content ?? {});
  const given = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body && { body: sampleOf(document, body.schema) }),
  };
  const isBare = '204' in responses;
  return [
    `// ${operationId}`,
    `{`,
    `  const { ${isBare ? '' : 'data, '}error } = await ${call}, ${JSON.stringify(given)});`,
    ...(isBare ? [] : ['  known(data, true);']),
    `  known(error, true);`,
    `}`,
    ...(params.path ? [`// @ts-expect-error the path has parameters`, `await ${call}, {});`] : []),
    '',
  ].join('\n');
}
