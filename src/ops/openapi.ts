import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { Settings } from '../config/settings';
import { CANONICAL_PATH, PROBLEM_CODES, REMOTE_PROBLEM_CODES, REQUEST_EXAMPLE } from '../http/api';
import { problemsHaveXml, XML_ROOTS, type XmlRoots } from '../http/reply-form';
import type { ProblemCode } from '../kernel/problem';
import { PROBLEM_SCHEMA, problemResponses } from './openapi-problems';
import {
  addOrganization,
  completeReplies,
  completeSecurity,
  openObjects,
  operationIdOf,
  problemsByPlace,
} from './openapi-operations';
import { addTags } from './openapi-tags';
import { addConditions, dropUndescribed } from './openapi-schemas';
import { XmlHints, type Content } from './openapi-xml';

/** Where the description is served. */
export const OPENAPI_PATH = '/openapi.json';
export const DOCS_PATH = '/docs';

const DESCRIPTION = `Webhooks of shops and ERPs become finance records, each effect exactly once.

Errors are problem documents (RFC 9457). \`type\` is \`urn:ponte:problem:\` and a code that does not change;
\`errors\` names every bad field by JSON pointer; \`instance\` is the identifier under which the log knows the
request. \`x-problems\` lists the codes that an operation answers with, by status; of a status that is not listed,
\`default\` says what it looks like.

In XML, elements are called as the fields in JSON unless \`xml\` in a schema says otherwise; the root of a request
may have any name. Null is an empty element with \`xsi:nil="true"\`.`;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

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
 * The OpenAPI 3.1 document of an application that is initialised, as it is set: what only a remote finance service
 * can bring about is described where there is one.
 * @param version Ponte's own version
 */
export function describeApi(app: INestApplication, version: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Ponte')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'Where this description is served')
    .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: 'An API key' })
    .addSecurity('ApiToken', { type: 'apiKey', in: 'header', name: 'ApiToken', description: 'An API key' })
    .addSecurity('apitoken', { type: 'apiKey', in: 'query', name: 'apitoken', description: 'An API key' })
    .build();
  const settings = app.get(Settings);
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: operationIdOf });
  return completed(document, settings);
}

type PathItem = OpenAPIObject['paths'][string];
type OperationObject = NonNullable<PathItem['get']> & Record<string, unknown>;

function completed(document: OpenAPIObject, settings: Settings): OpenAPIObject {
  const isRemote = settings.financeBackend === 'remote';
  const nameSuffices = settings.financeAuth === 'organization';
  document.components ??= {};
  dropUndescribed(document);
  document.components.schemas = { ...document.components.schemas, Problem: PROBLEM_SCHEMA };
  Object.values(document.components.schemas).forEach(addConditions);
  addTags(document);
  const hints = new XmlHints(document);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as OperationObject | undefined;
      if (!operation) continue;
      addOrganization(operation, path);
      addProblems(operation, path, isRemote);
      completeSecurity(operation, path, nameSuffices);
      completeReplies(operation);
      markAlias(operation, path);
      completeBody(operation, method);
      addXml(operation, hints);
    }
  }
  openObjects(document.paths);
  openObjects(document.components.schemas);
  return document;
}

/** Every operation may answer with a problem. */
function addProblems(operation: OperationObject, path: string, isRemote: boolean): void {
  const { [PROBLEM_CODES]: own = [], [REMOTE_PROBLEM_CODES]: remote = [] } = operation;
  delete operation[PROBLEM_CODES];
  delete operation[REMOTE_PROBLEM_CODES];
  const codes = [
    ...problemsByPlace(operation, path),
    ...(own as ProblemCode[]),
    ...(isRemote ? (remote as ProblemCode[]) : []),
  ];
  const problems = problemResponses(codes, { withXml: problemsHaveXml(path) });
  operation.responses = { ...operation.responses, ...problems };
}

function addXml(operation: OperationObject, hints: XmlHints): void {
  const roots = operation[XML_ROOTS] as XmlRoots | undefined;
  delete operation[XML_ROOTS];
  if (!roots) return;
  const { requestBody, responses } = operation;
  hints.add(roots, contentOf(requestBody), contentOf(responses?.['200']));
}

const contentOf = (part: object | undefined): Content | undefined => (part as { content?: Content })?.content;

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
