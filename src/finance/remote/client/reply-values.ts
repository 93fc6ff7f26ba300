import { isUuid } from '../../../kernel/identifier';
import { isLosslessNumber, type LosslessJson } from '../../../kernel/lossless-json';
import type { XmlElement } from '../../../http/xml/parse-xml';
import type { ResponseKind } from '../../api/operations/operations';
import type { RecordShape } from '../../../http/xml/xml-json';
import { recordOfJson, recordOfXml } from './records';
import { type ReplyContent } from './reply-content';
import { isObject, type JsonObject } from '../../../kernel/json-object';

/** What is expected of a success. */
export interface Expected {
  readonly kind: ResponseKind;
  /** Of each record; absent where none is answered. */
  readonly shape?: RecordShape;
}

/** A success as its reader wants it, or that it is none. */
export type ReadValue = { readonly value: unknown } | { readonly unreadable: string };

/** What services say for "no identifier" where nothing was made. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Reads what a successful reply holds: an identifier as lower-case UUID, a record, a page
 * `{ items, count, nextPageLink }`, an array, or null for nothing. Lenient about the form, strict about the
 * content: what could be taken for something it is not is unreadable.
 */
export function valueOf({ kind, shape }: Expected, content: ReplyContent): ReadValue {
  switch (kind) {
    case 'identifier':
      return identifierOf(content);
    case 'record':
      return recordIn(shape, content);
    case 'page':
      return pageIn(shape, content);
    case 'array':
      return arrayIn(shape, content);
    case 'none':
      return nothingIn(content);
  }
}

function identifierOf(content: ReplyContent): ReadValue {
  const text = identifierText(content)
    ?.trim()
    .replace(/^\{(.*)\}$/, '$1');
  const id = text?.trim().toLowerCase();
  if (id === undefined || !isUuid(id) || id === NIL_UUID) return { unreadable: 'no identifier in the reply' };
  return { value: id };
}

/** Bare, quoted, as the only member `id`, or within elements that hold nothing else. */
function identifierText(content: ReplyContent): string | undefined {
  if (content.form === 'text') return content.text.replace(/^'(.*)'$/, '$1');
  if (content.form === 'xml') return innermost(content.root);
  if (content.form !== 'json') return undefined;
  const { json } = content;
  if (typeof json === 'string') return json;
  return isObject(json) && typeof json['id'] === 'string' ? json['id'] : undefined;
}

function innermost(element: XmlElement): string | undefined {
  const [only, ...others] = element.children;
  if (others.length > 0) return undefined;
  return only ? innermost(only) : element.text;
}

function recordIn(shape: RecordShape | undefined, content: ReplyContent): ReadValue {
  if (content.form === 'json' && isObject(content.json) && !saysError(content.json))
    return { value: recordOfJson(shape, content.json) };
  if (content.form === 'xml' && content.root.children.length > 0 && !isProblem(content.root))
    return { value: recordOfXml(shape, content.root) };
  return { unreadable: 'no record in the reply' };
}

interface Part {
  readonly items: object[];
  readonly count: number;
  readonly nextPageLink: string | null;
}

function pageIn(shape: RecordShape | undefined, content: ReplyContent): ReadValue {
  const page = partOf(shape, content);
  return page ? { value: page } : { unreadable: 'no page in the reply' };
}

/** A page where a plain array belongs is taken when it is all there is: the rest would be missed silently. */
function arrayIn(shape: RecordShape | undefined, content: ReplyContent): ReadValue {
  const part = partOf(shape, content);
  if (!part) return { unreadable: 'no list in the reply' };
  if (part.nextPageLink !== null || part.count > part.items.length)
    return { unreadable: 'only a part of the list in the reply' };
  return { value: part.items };
}

/** A page or a bare list; undefined when it is neither, or one of its members is no record. */
function partOf(shape: RecordShape | undefined, content: ReplyContent): Part | undefined {
  if (content.form === 'json') return partOfJson(shape, content.json);
  return content.form === 'xml' ? partOfXml(shape, content.root) : undefined;
}

function partOfJson(shape: RecordShape | undefined, json: LosslessJson): Part | undefined {
  const page: JsonObject = Array.isArray(json) ? { items: json } : isObject(json) ? json : {};
  const { items, count, nextPageLink } = page;
  if (!Array.isArray(items) || !items.every((item) => isObject(item))) return undefined;
  const records = items.map((item) => recordOfJson(shape, item));
  return part(records, isLosslessNumber(count) ? count.toString() : count, nextPageLink);
}

function partOfXml(shape: RecordShape | undefined, root: XmlElement): Part | undefined {
  const items = root.children.find(({ name }) => name === 'items') ?? bareList(root);
  if (!items || items.nil || items.text.trim() !== '') return undefined;
  if (!items.children.every((item) => !item.nil && item.children.length > 0)) return undefined;
  const records = items.children.map((item) => recordOfXml(shape, item));
  if (items === root) return part(records, undefined, undefined);
  const text = (name: string): string | undefined => {
    const element = root.children.find((child) => child.name === name);
    return element && !element.nil ? element.text.trim() : undefined;
  };
  return part(records, text('count'), text('nextPageLink') || undefined);
}

/** A root whose members are all called the same, or that calls itself an array. */
function bareList(root: XmlElement): XmlElement | undefined {
  const [first] = root.children;
  if (!first) return /^ArrayOf/.test(root.name) ? root : undefined;
  const alike = root.children.every(({ name }) => name === first.name);
  return alike && first.children.length > 0 && !isProblem(root) ? root : undefined;
}

/** A page without count counts what it has. @returns undefined when count or link are something else */
function part(items: object[], count: unknown, link: unknown): Part | undefined {
  const counted = count ?? String(items.length);
  if (typeof counted !== 'string' || !/^\d{1,15}$/.test(counted)) return undefined;
  if (link !== undefined && link !== null && typeof link !== 'string') return undefined;
  return { items, count: Number(counted), nextPageLink: link === '' ? null : (link ?? null) };
}

/**
 * An operation without content may be answered with some: `true`, the record, an identifier. A page for people
 * or the mention of an error is another matter: that is how services fail who always answer 200.
 */
function nothingIn(content: ReplyContent): ReadValue {
  const fine =
    content.form === 'empty' ||
    content.form === 'text' ||
    (content.form === 'json' &&
      content.json !== false &&
      !(isObject(content.json) && saysError(content.json))) ||
    (content.form === 'xml' && !isProblem(content.root));
  return fine ? { value: null } : { unreadable: 'the reply says something else than success' };
}

/** Whether an object is a report of a failure. */
function saysError(json: JsonObject): boolean {
  const named = ['error', 'errors', 'Error', 'Errors', 'exception', 'error_description'];
  const failed = named.some((name) => {
    const value = json[name];
    return value != null && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);
  });
  return failed || json['success'] === false || json['Success'] === false;
}

function isProblem(root: XmlElement): boolean {
  return /^(?:problem|error|errors|fault|exception)$/i.test(root.name) || saysError(textsOf(root));
}

function textsOf(root: XmlElement): JsonObject {
  return Object.fromEntries(
    root.children.map(({ name, text, children }) => [
      name,
      text.trim() === 'false' ? false : children.length > 0 ? 'more' : text,
    ]),
  );
}
