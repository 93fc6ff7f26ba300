import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeApi } from '../../src/ops/openapi';

type Json = Record<string, unknown>;

/** Checks JSON against schemas of an OpenAPI 3.1 document, found by JSON pointer. */
export class DescribedBodies {
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenAPIObject) {
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

  /** What is wrong with a JSON reply of `/v1`. */
  replyMisfit(
    method: string,
    route: string,
    status: number,
    mediaType: string,
    body: string,
  ): string | undefined {
    const path = route.replace(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1');
    const item = (this.document.paths[path] ?? {}) as Record<string, { responses?: Json } | undefined>;
    const responses = item[method.toLowerCase()]?.responses;
    if (!responses) return mediaType.includes('problem') ? undefined : 'the route is not described';
    const described = String(status) in responses ? String(status) : 'default';
    const { content } = responses[described] as { content?: Json };
    if (body === '') return content ? 'a body is described and none came' : undefined;
    if (!content || !(mediaType in content)) return `no ${mediaType} is described for ${described}`;
    return this.misfit(
      JSON.parse(body),
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      described,
      'content',
      mediaType,
      'schema',
    );
  }
}

/**
 * Holds every JSON reply of `/v1` against the application's own OpenAPI document. A reply that does not fit is
 * replaced by a text that says why, so that whatever the test expected fails with it.
 */
export function checkReplies(app: NestFastifyApplication): void {
  let bodies: DescribedBodies | undefined;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { url } = request.routeOptions;
    if (!url?.startsWith('/v1')) return payload;
    const [mediaType = ''] = String(reply.getHeader('content-type') ?? '').split(';');
    if (mediaType !== '' && !/^application\/(problem\+)?json$/.test(mediaType)) return payload;
    bodies ??= new DescribedBodies(describeApi(app, 'test'));
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : '';
    const misfit = bodies.replyMisfit(request.method, url, reply.statusCode, mediaType, text);
    if (misfit === undefined) return payload;
    void reply.code(500).header('content-type', 'text/plain; charset=utf-8').removeHeader('content-length');
    return `${request.method} ${url} ${reply.statusCode} does not fit its description: ${misfit}\n${text}`;
  });
}

/** Without room for properties that the description does not name. Problem documents may have further members. */
function closed(node: unknown, name?: string): unknown {
  if (typeof node !== 'object' || node === null) return node;
  for (const [key, child] of Object.entries(node)) closed(child, key);
  const schema = node as Json;
  if (schema['type'] === 'object' && schema['properties'] && name !== 'Problem')
    schema['additionalProperties'] ??= false;
  return schema;
}
