import { applyDecorators, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiConsumes, ApiExtension, ApiProduces } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { negotiate } from './accept';
import { isFinancePath } from './finance-paths';

/** Media types of replies, the one that is sent when the client has no preference first. */
const JSON_FORM = ['application/json'] as const;
const FORMS = ['application/json', 'application/xml', 'text/xml'] as const;
/** What a client may call a problem document, with the same order. */
const PROBLEM_FORMS = [
  'application/problem+json',
  'application/json',
  'application/problem+xml',
  'application/xml',
  'text/xml',
] as const;

/** Metadata key of the root of a route's replies in XML. */
const XML_ROOT = Symbol('root of replies in XML');

export type ReplyForm = (typeof FORMS)[number];

/** Carries the names of root elements to where the API's description wants them. */
export const XML_ROOTS = 'x-xml-roots';

/** Names of root elements; null where nothing is sent, or nothing answered. */
export interface XmlRoots {
  /** What the description calls it; a client may call it anything. */
  readonly request: string | null;
  readonly reply: string | null;
}

/** The route takes and gives XML as well as JSON. */
export function SpeaksXml(roots: XmlRoots): MethodDecorator {
  return applyDecorators(
    SetMetadata(XML_ROOT, roots.reply),
    ApiExtension(XML_ROOTS, roots),
    ...(roots.request === null ? [] : [ApiConsumes(...FORMS)]),
    ...(roots.reply === null ? [] : [ApiProduces(...FORMS)]),
  );
}

/** The root element of a route's replies in XML; null where it gives none, undefined where it has no XML. */
export function xmlRootOf(context: ExecutionContext): string | null | undefined {
  return Reflect.getMetadata(XML_ROOT, context.getHandler()) as string | null | undefined;
}

/** Metadata key of the one media type of a route's replies. */
const OWN_FORM = Symbol('own form of replies');

/** The route replies in this media type, whatever it is, and in no other. */
export function SpeaksOnly(mediaType: string): MethodDecorator {
  return applyDecorators(SetMetadata(OWN_FORM, mediaType), ApiProduces(mediaType));
}

/** The one media type of a route's replies; undefined where it has the usual ones. */
export function ownFormOf(context: ExecutionContext): string | undefined {
  return Reflect.getMetadata(OWN_FORM, context.getHandler()) as string | undefined;
}

/** The form to reply in, or undefined when the client takes none of those the route has. */
export function replyForm(accept: string | undefined, withXml: boolean): ReplyForm | undefined {
  return negotiate(accept, withXml ? FORMS : JSON_FORM);
}

/** Whether what goes wrong at this address, with or without query, can be answered in XML. */
export function problemsHaveXml(url: string): boolean {
  return isFinancePath(url);
}

/** Whether the client would rather have a problem in XML. One that takes neither form gets JSON. */
export function prefersXmlProblem(request: FastifyRequest): boolean {
  return negotiate(request.headers.accept, PROBLEM_FORMS)?.endsWith('xml') === true;
}
