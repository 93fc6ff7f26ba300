import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasMemberTwice } from '../kernel/json-members';
import { JsonError, parseJsonBytes, type LosslessJson } from '../kernel/lossless-json';
import { type FieldError, Problem } from '../kernel/problem';
import { describedParameter } from './described-parameter';
import { mediaTypeOf } from './media-type';
import { readDto } from './read-dto';
import { xmlRootOf } from './reply-form';
import { XmlError } from './xml/parse-xml';
import { parseXmlAs } from './xml/xml-json';

export interface JsonBodyOptions {
  /** The body may be absent, and is then `undefined`. On by default for DELETE only. */
  optional?: boolean;
  /** A field that the class does not name is refused: where leaving one out would do more than was asked for. */
  refuseUnknown?: boolean;
}

interface BodySpec extends JsonBodyOptions {
  type: new () => object;
}

/** The body brings fields, and none that would change anything. */
const NOTHING_SAID: FieldError = {
  pointer: '',
  code: 'unknown',
  message: 'has no field that is known here and would change anything',
};

/** Longest `X-Ignored-Fields` header in characters. */
const MAX_HEADER = 1000;

const readBody = createParamDecorator((spec: BodySpec, context: ExecutionContext) => {
  const http = context.switchToHttp();
  const withXml = xmlRootOf(context) !== undefined;
  return bodyOf(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), spec, withXml);
});

/**
 * The request's body as an instance of `type`, read and checked as its decorators say (`validation.ts`).
 * Problems: `media-type-unsupported`, `malformed-request`, `validation-failed` with every bad field. Fields
 * the class does not name are ignored, and named or counted in the reply's `X-Ignored-Fields`. On the finance interface
 * a body is read as {@link FieldContext.lenient} says, and one whose every field is ignored is refused.
 */
export function JsonBody(type: new () => object, options: JsonBodyOptions = {}): ParameterDecorator {
  const described = ApiBody({ type, required: options.optional !== true });
  return describedParameter(readBody({ ...options, type }), described);
}

function bodyOf(
  request: FastifyRequest,
  reply: FastifyReply,
  spec: BodySpec,
  withXml: boolean,
): object | undefined {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (bytes.length === 0) {
    if (spec.optional ?? request.method === 'DELETE') return undefined;
    throw new Problem('malformed-request', 'The body is empty');
  }
  refuseEncoded(request.headers['content-encoding']);
  const json = parserFor(request.headers['content-type'], withXml)(bytes, spec.type);
  const organization = request.caller?.organization;
  // Only the finance interface has XML, and clients that were written for other services.
  const context = { ...(organization && { organization }), lenient: withXml };
  const { value, errors, ignored, said } = readDto(spec.type, json, context);
  if (spec.refuseUnknown) errors.push(...ignored.map(unknownField));
  else if (ignored.length > 0) {
    void reply.header('x-ignored-fields', headerList(ignored));
    // What a DELETE does says its path.
    if (withXml && said === 0 && errors.length === 0 && request.method !== 'DELETE')
      errors.push(NOTHING_SAID);
  }
  if (errors.length > 0) throw new Problem('validation-failed', summary(errors.length), { errors });
  return value;
}

/** Else whoever packs bodies reads that theirs is not UTF-8. @throws Problem media-type-unsupported */
function refuseEncoded(contentEncoding: string | undefined): void {
  if ([undefined, '', 'identity'].includes(contentEncoding?.trim().toLowerCase())) return;
  throw new Problem('media-type-unsupported', 'Send the body as it is, without a Content-Encoding');
}

type BodyParser = (bytes: Buffer, type: new () => object) => LosslessJson;

/** The one place that chooses how a body is read by its media type. */
function parserFor(contentType: string | undefined, withXml: boolean): BodyParser {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === 'application/json') return parseJson;
  if (withXml && (mediaType === 'application/xml' || mediaType === 'text/xml')) return parseXml;
  throw new Problem(
    'media-type-unsupported',
    `Send application/json${withXml ? ' or application/xml' : ''} in UTF-8`,
  );
}

function parseJson(bytes: Buffer): LosslessJson {
  try {
    const json = parseJsonBytes(bytes);
    if (!hasMemberTwice(bytes, json)) return json;
    throw new JsonError('JSON with the same member twice in one object');
  } catch (error) {
    if (error instanceof JsonError) throw new Problem('malformed-request', `The body is ${error.message}`);
    throw error;
  }
}

function parseXml(bytes: Buffer, type: new () => object): LosslessJson {
  try {
    return parseXmlAs(type, bytes);
  } catch (error) {
    if (error instanceof XmlError) throw new Problem('malformed-request', `The body is ${error.message}`);
    throw error;
  }
}

function unknownField(path: string): FieldError {
  const pointer = `/${path.replaceAll('.', '/')}`;
  return {
    pointer: wellFormed(pointer).slice(0, 200),
    code: 'unknown',
    message: 'is not a field that is known here',
  };
}

function summary(count: number): string {
  return count === 1 ? '1 field is not acceptable' : `${count} fields are not acceptable`;
}

/** Names that cannot be but names; an address, a document or a person is nobody's field, and headers are logged. */
const PLAIN_PATH = /^[a-z_][\w-]{0,39}(?:\.[a-z_\d][\w-]{0,39}){0,9}$/i;
/** As long as a part of a document or a telephone number is. */
const MANY_DIGITS = /\d{5}/;

/** Names that are plain and fit, and `+` and a number at the end: so many more are ignored. */
function headerList(names: readonly string[]): string {
  const plain = names.filter((name) => PLAIN_PATH.test(name) && !MANY_DIGITS.test(name));
  let list = '';
  let named = 0;
  for (const name of plain) {
    const next = `${list}${list && ', '}${name}`;
    if (next.length > MAX_HEADER) break;
    list = next;
    named += 1;
  }
  const rest = names.length - named;
  return rest === 0 ? list : `${list}${list && ', '}+${rest}`;
}

/** A half of a surrogate pair, which JSON can spell and UTF-8 cannot, becomes U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
