import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { CANONICAL_PATH, REQUEST_EXAMPLE } from '../http/api';
import { problemsHaveXml } from '../http/reply-form';

/** Where the description is served. */
export const OPENAPI_PATH = '/openapi.json';
export const DOCS_PATH = '/docs';

const DESCRIPTION = `Webhooks of shops and ERPs become finance records, each effect exactly once.

Errors are problem documents (RFC 9457). \`type\` is \`urn:ponte:problem:\` and a code that does not change;
\`errors\` names every bad field by JSON pointer; \`instance\` is the identifier under which the log knows the
request.`;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'error', 'error_description'],
  properties: {
    type: { type: 'string', format: 'uri', examples: ['urn:ponte:problem:validation-failed'] },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the body' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    error: { type: 'string', description: 'The code alone' },
    error_description: { type: 'string', description: 'The same as detail' },
  },
} satisfies NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const PROBLEM = { schema: { $ref: '#/components/schemas/Problem' } };
const IN_JSON = { description: 'A problem', content: { 'application/problem+json': PROBLEM } };
const IN_BOTH_FORMS = {
  description: 'A problem',
  content: { ...IN_JSON.content, 'application/problem+xml': PROBLEM },
};

/**
 * Serves the OpenAPI 3.1 document at `/openapi.json` and pages for it at `/docs`, all of it from this
 * process. To be called before the application is initialised.
 * @param version Ponte's own version
 */
export function serveOpenApi(app: INestApplication, version: string): void {
  SwaggerModule.setup(DOCS_PATH.slice(1), app, () => describeApi(app, version), {
    jsonDocumentUrl: OPENAPI_PATH,
    raw: ['json'],
    customSiteTitle: 'Ponte API',
    // The validator's badge would send the document's address to a service outside.
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}

/**
 * The OpenAPI 3.1 document of an application that is initialised.
 * @param version Ponte's own version
 */
export function describeApi(app: INestApplication, version: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Ponte')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key' }, 'bearer')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'ApiToken', description: 'An API key' }, 'ApiToken')
    .addApiKey({ type: 'apiKey', in: 'query', name: 'apitoken', description: 'An API key' }, 'apitoken')
    .build();
  return completed(SwaggerModule.createDocument(app, config));
}

type PathItem = OpenAPIObject['paths'][string];
type OperationObject = NonNullable<PathItem['get']> & Record<string, unknown>;

function completed(document: OpenAPIObject): OpenAPIObject {
  document.components ??= {};
  document.components.schemas = { ...document.components.schemas, Problem: PROBLEM_SCHEMA };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as OperationObject | undefined;
      if (!operation) continue;
      // Every operation may answer with a problem.
      operation.responses = {
        ...operation.responses,
        default: problemsHaveXml(path) ? IN_BOTH_FORMS : IN_JSON,
      };
      markAlias(operation, path);
      completeBody(operation, method);
    }
  }
  return document;
}

/** Operation ids are unique: an alias has its own, and names the path it stands for. */
function markAlias(operation: OperationObject, path: string): void {
  const canonical = operation[CANONICAL_PATH];
  delete operation[CANONICAL_PATH];
  if (typeof canonical !== 'string' || canonical.toLowerCase() === path.toLowerCase()) return;
  operation['x-alias-of'] = canonical;
  operation.operationId = `${operation.operationId}.alias`;
}

function completeBody(operation: OperationObject, method: string): void {
  const example = operation[REQUEST_EXAMPLE];
  delete operation[REQUEST_EXAMPLE];
  const body = operation.requestBody;
  if (!body || '$ref' in body) return;
  // As it is read: the body of a DELETE may be left out.
  if (method === 'delete') body.required = false;
  const json = body.content['application/json'];
  if (json && example !== undefined) json.examples = { example: { value: example } };
}
