import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

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

const PROBLEM_RESPONSE = {
  description: 'A problem',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/**
 * Serves the OpenAPI 3.1 document at `/openapi.json` and pages for it at `/docs`, all of it from this
 * process. To be called before the application is initialised.
 * @param version Ponte's own version
 */
export function serveOpenApi(app: INestApplication, version: string): void {
  SwaggerModule.setup(DOCS_PATH.slice(1), app, () => describe(app, version), {
    jsonDocumentUrl: OPENAPI_PATH,
    raw: ['json'],
    customSiteTitle: 'Ponte API',
    // The validator's badge would send the document's address to a service outside.
    swaggerOptions: { validatorUrl: null, persistAuthorization: false },
  });
}

function describe(app: INestApplication, version: string): OpenAPIObject {
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
  return withProblems(SwaggerModule.createDocument(app, config));
}

/** Every operation may answer with a problem. */
function withProblems(document: OpenAPIObject): OpenAPIObject {
  document.components ??= {};
  document.components.schemas = { ...document.components.schemas, Problem: PROBLEM_SCHEMA };
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (operation) operation.responses = { ...operation.responses, default: PROBLEM_RESPONSE };
    }
  }
  return document;
}
