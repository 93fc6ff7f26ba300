import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '../../src/config/settings';
import { describeApi } from '../../src/ops/openapi';
import { DescribedXml, XmlMisfit, type Schema } from './described-xml';

type Json = Record<string, unknown>;

const SERVER_MADE = 'fastify.initialization';
/** What the service describes: all but the pages of the description itself. */
const DESCRIBED = /^\/(v1|feed|admin|hooks|health|metrics)/;
const NOT_ON_THIS_LISTENER = 'There is nothing at this path';
const LISTS_EVERY_STATUS = /^\/(v1|feed)/;

type Responses = Record<string, { content?: Record<string, { schema: Schema }>; 'x-problems'?: string[] }>;

/** Checks JSON and XML against schemas of an OpenAPI 3.1 document, found by JSON pointer. */
export class DescribedBodies {
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();

  private readonly xml: DescribedXml;

  constructor(private readonly document: OpenAPIObject) {
    this.xml = new DescribedXml(document.components?.schemas ?? {});
    this.ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(this.ajv);
    this.ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
    this.ajv.addSchema(closed(structuredClone(document)) as object, 'document');
  }

  /** What does not fit; undefined when everything does. @throws when there is nothing at the pointer */
  misfit(body: unknown, ...pointer: string[]): string | undefined {
    const path = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    let validate = this.compiled.get(path);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `document#/${encodeURI(path)}` });
      this.compiled.set(path, validate);
    }
    return validate(body) ? undefined : this.ajv.errorsText(validate.errors, { dataVar: 'body' });
  }

  /** Whether a file of this media type is described: what is in it is for the tests of who sends it. */
  streams(method: string, route: string | undefined, status: number, mediaType: string): boolean {
    const item = (this.document.paths[describedPath(route)] ?? {}) as Record<
      string,
      { responses?: Responses } | undefined
    >;
    return item[method.toLowerCase()]?.responses?.[status]?.content?.[mediaType] !== undefined;
  }

  /** What is wrong with a reply. */
  replyMisfit(
    method: string,
    route: string | undefined,
    status: number,
    mediaType: string,
    body: string,
  ): string | undefined {
    // An answer to a preflight is for the browser alone, and belongs to no operation.
    if (method === 'OPTIONS' && status === 204 && body === '') return undefined;
    const path = describedPath(route);
    const item = (this.document.paths[path] ?? {}) as Record<string, { responses?: Responses } | undefined>;
    const responses = item[method.toLowerCase()]?.responses;
    if (mediaType.includes('problem')) return this.problemMisfit(responses, status, mediaType, body, path);
    if (!responses) return 'the route is not described';
    if (!responses[status]) return `no ${status} is described`;
    const { content } = responses[status];
    if (body === '') return content ? 'a body is described and none came' : undefined;
    if (!content?.[mediaType]) return `no ${mediaType} is described for ${status}`;
    const place = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', mediaType];
    const { schema } = content[mediaType];
    if (mediaType === 'text/plain') return this.misfit(body, ...place, 'schema');
    return this.checked(body, mediaType, schema, (value) => this.misfit(value, ...place, 'schema'));
  }

  /** A problem is one of those that the route lists, or comes of a route that is not there or broke. */
  private problemMisfit(
    responses: Responses | undefined,
    status: number,
    mediaType: string,
    body: string,
    path: string,
  ): string | undefined {
    const place = ['components', 'schemas', 'Problem'];
    return this.checked(body, mediaType, { $ref: `#/${place.join('/')}` }, (problem) => {
      const misfit = this.misfit(problem, ...place);
      if (misfit !== undefined || !responses || status === 500) return misfit;
      const { error, detail } = problem as { error: string; detail: string };
      // On the listener for others an operation is not there.
      if (detail === NOT_ON_THIS_LISTENER) return undefined;
      // Only some list every status; elsewhere `default` says what the others are.
      const otherwise = LISTS_EVERY_STATUS.test(path) ? undefined : responses['default'];
      const { content, 'x-problems': codes = [error] } = responses[status] ?? otherwise ?? {};
      return content?.[mediaType] && codes.includes(error)
        ? undefined
        : `no ${error} in ${mediaType} is described`;
    });
  }

  /** What is wrong with a body in the form of its media type. */
  private checked(
    body: string,
    mediaType: string,
    schema: Schema,
    misfitOf: (value: unknown) => string | undefined,
  ): string | undefined {
    if (!mediaType.endsWith('xml')) return misfitOf(JSON.parse(body));
    try {
      return misfitOf(this.xml.read(schema, body));
    } catch (error) {
      if (error instanceof XmlMisfit) return error.message;
      throw error;
    }
  }
}

/** How many descriptions are remembered: most services of a worker are described by one of a few. */
const REMEMBERED = 8;
/** By what the description is made of; the one that was asked for last is the last. */
const remembered = new Map<string, DescribedBodies>();

/**
 * An application is described, and schemas are compiled where a reply needs them, once for all that are described alike:
 * to describe one takes a fifth of a second.
 */
function bodiesOf(app: NestFastifyApplication): DescribedBodies {
  const key = descriptionKeyOf(app);
  const bodies = remembered.get(key) ?? new DescribedBodies(describeApi(app, 'test'));
  remembered.delete(key);
  remembered.set(key, bodies);
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!);
  return bodies;
}

/** Numbers of controllers; a test's own is let go with its file. */
const numbers = new WeakMap<object, number>();
let numbered = 0;

function numberOf(controller: object): number {
  let number = numbers.get(controller);
  if (number === undefined) numbers.set(controller, (number = numbered += 1));
  return number;
}

/** The same for two applications of which {@link describeApi} makes the same: the settings that it reads, and the routes. */
export function descriptionKeyOf(app: NestFastifyApplication): string {
  const { financeBackend, financeAuth } = app.get(Settings);
  const controllers = [...app.get(ModulesContainer).values()].map((module) =>
    [...module.controllers.keys()].map((controller) => numberOf(controller as object)),
  );
  return JSON.stringify([financeBackend, financeAuth, ...controllers.filter(({ length }) => length > 0)]);
}

/**
 * Checks every reply of the service that starts meanwhile against its own OpenAPI document, as {@link checkReplies} does.
 * Fastify announces each of its servers that is made, before anything is added to it.
 * @param start brings the service up; its application is what the document is made of
 */
export async function withCheckedReplies<T extends { app: NestFastifyApplication }>(
  start: () => Promise<T>,
): Promise<T> {
  let service: T | undefined;
  const hold = (message: unknown): void => {
    checkRepliesOf((message as { fastify: FastifyInstance }).fastify, DESCRIBED, () => service?.app);
  };
  subscribe(SERVER_MADE, hold);
  try {
    return (service = await start());
  } finally {
    unsubscribe(SERVER_MADE, hold);
  }
}

/**
 * Checks every reply of `/v1` and of the feed against the application's own OpenAPI document. A reply that does not fit is
 * replaced by a text that says why, so that whatever the test expected fails with it.
 */
export function checkReplies(app: NestFastifyApplication): void {
  checkRepliesOf(app.getHttpAdapter().getInstance(), /^\/(v1|feed)/, () => app);
}

function checkRepliesOf(
  fastify: FastifyInstance,
  paths: RegExp,
  appOf: () => NestFastifyApplication | undefined,
): void {
  let bodies: DescribedBodies | undefined;
  fastify.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { url } = request.routeOptions;
    const app = appOf();
    // What a HEAD is answered is not a body that would be sent.
    if (!app || !paths.test(request.url) || request.method === 'HEAD') return payload;
    const [mediaType = ''] = String(reply.getHeader('content-type') ?? '').split(';');
    bodies ??= bodiesOf(app);
    if (isStream(payload))
      return bodies.streams(request.method, url, reply.statusCode, mediaType) ? payload : '';
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : '';
    const misfit = bodies.replyMisfit(request.method, url, reply.statusCode, mediaType, text);
    if (misfit === undefined) return payload;
    void reply.code(500).header('content-type', 'text/plain; charset=utf-8').removeHeader('content-length');
    return `${request.method} ${url} ${reply.statusCode} does not fit its description: ${misfit}\n${text}`;
  });
}

/** The path of a route as the description writes it. */
function describedPath(route: string | undefined): string {
  return route?.replace(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1') ?? '';
}

function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}

/** Without room for properties that the description does not name. */
function closed(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  for (const child of Object.values(node)) closed(child);
  const schema = node as Json;
  if (schema['type'] === 'object' && schema['properties']) schema['additionalProperties'] ??= false;
  return schema;
}
