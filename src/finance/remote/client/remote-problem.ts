import type { XmlElement } from '../../../http/xml/parse-xml';
import type { RemoteProblem } from './finance-client';
import { recordOfXml } from './records';
import { plainOf, type ReplyContent } from './reply-content';
import { replaceUnprintable } from '../../../kernel/text';
import { isObject } from '../../../kernel/json-object';

/** Characters of a text at most. */
const MAX_TEXT = 300;
/** Members beyond the documented ones, members of a member, and levels of them, at most. */
const MAX_MEMBERS = 20;
const MAX_DEPTH = 4;

/** Reasons at most, and levels in which they are looked for. */
const MAX_REASONS = 2;
const MAX_REASON_DEPTH = 3;

/** Members that say what is wrong with what, in lower case, as common frameworks name them. */
const EXPLAINING: ReadonlySet<string> = new Set(['error', 'errors', 'modelstate']);
/** Members of an error that are its sentence, and that name the field which it is about. */
const SENTENCES = ['detail', 'error_description', 'message', 'Message', 'title'];
const FIELDS = ['pointer', 'field', 'property', 'propertyName'];

const DOCUMENTED: ReadonlySet<string> = new Set([
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'error',
  'error_description',
]);

/**
 * What a service says when it refuses: a problem document (RFC 9457), an object with `error` and
 * `error_description`, or plain text. Of a page for people nothing but the status is taken.
 * @param key the request's key, which some services repeat: it is blotted out
 */
export function problemOf(status: number, content: ReplyContent, key: string): RemoteProblem {
  const tidy = tidier(key);
  const document = documentOf(content);
  if (!document) {
    const text = content.form === 'text' ? content.text : jsonText(content);
    const listed = content.form === 'json' ? reasonsIn(plainOf(content.json), MAX_REASON_DEPTH) : [];
    return { status, ...(text === undefined ? reasons(listed, undefined, tidy) : { detail: tidy(text) }) };
  }
  const code = codeOf(document);
  const detail = firstText(document, SENTENCES);
  const members = membersOf(document, tidy);
  return {
    status,
    ...(code !== undefined && { code: tidy(code) }),
    ...(detail !== undefined && { detail: tidy(detail) }),
    ...reasons(reasonsOf(document), detail, tidy),
    ...(Object.keys(members).length > 0 && { members }),
  };
}

type Document = Readonly<Record<string, unknown>>;

function documentOf(content: ReplyContent): Document | undefined {
  if (content.form === 'json')
    return isObject(content.json) ? (plainOf(content.json) as Document) : undefined;
  return content.form === 'xml' ? documentOfXml(content.root) : undefined;
}

function documentOfXml(root: XmlElement): Document {
  if (root.children.length === 0) return { detail: root.text.trim() };
  return recordOfXml(undefined, root) as Document;
}

function jsonText(content: ReplyContent): string | undefined {
  return content.form === 'json' && typeof content.json === 'string' ? content.json : undefined;
}

/** `error` where it is a word, else the last part of `type`. */
function codeOf(document: Document): string | undefined {
  const named = firstText(document, ['error', 'code']);
  if (named !== undefined) return named;
  const type = firstText(document, ['type']);
  return type === undefined || type === 'about:blank'
    ? undefined
    : type.split(/[/:#]/).filter(Boolean).at(-1);
}

function firstText(document: Document, names: readonly string[]): string | undefined {
  const texts = names.map((name) => document[name]);
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '');
}

/** A reason that a service gives, and what it is about. */
interface Reason {
  readonly about?: string;
  readonly text: string;
}

function reasonsOf(document: Document): Reason[] {
  return Object.entries(document).flatMap(([name, value]) =>
    // A text in `error` is the code.
    EXPLAINING.has(name.toLowerCase()) && !(name === 'error' && typeof value === 'string')
      ? reasonsIn(value, MAX_REASON_DEPTH)
      : [],
  );
}

/** Errors in a list, each with its sentence, or texts by the name of their field. */
function reasonsIn(value: unknown, depth: number, about?: string): Reason[] {
  const named = about !== undefined && { about };
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ ...named, text: value }];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((each) => reasonsIn(each, depth - 1, about));
  const text = firstText(value as Document, SENTENCES);
  if (text === undefined)
    return Object.entries(value).flatMap(([name, each]) => reasonsIn(each, depth - 1, name));
  const field = firstText(value as Document, FIELDS);
  return [{ ...(field === undefined ? named : { about: field }), text }];
}

/** Without those that say no more than the sentence does. */
function reasons(
  found: readonly Reason[],
  detail: string | undefined,
  tidy: (text: string) => string,
): Pick<RemoteProblem, 'reasons'> {
  const others = found.filter(({ text }) => !detail?.includes(text)).slice(0, MAX_REASONS);
  const said = others.map(({ about, text }) => tidy(about === undefined ? text : `${about}: ${text}`));
  return said.length > 0 ? { reasons: said } : {};
}

function membersOf(document: Document, tidy: (text: string) => string): Record<string, unknown> {
  const others = Object.entries(document).filter(([name]) => !DOCUMENTED.has(name));
  return tidyMembers(Object.fromEntries(others), tidy, MAX_DEPTH) as Record<string, unknown>;
}

/** Cut to what a record of it may cost. */
function tidyMembers(value: unknown, tidy: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return tidy(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value))
    return value.slice(0, MAX_MEMBERS).map((member) => tidyMembers(member, tidy, depth - 1));
  const members = Object.entries(value).slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    members.map(([name, member]) => [tidy(name), tidyMembers(member, tidy, depth - 1)]),
  );
}

/** Text without the key in any of the ways it was sent, on one line, of a bounded length. */
function tidier(key: string): (text: string) => string {
  const secrets = [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])].filter(
    Boolean,
  );
  return (text) => {
    const blotted = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
    return [...replaceUnprintable(blotted).trim()].slice(0, MAX_TEXT).join('');
  };
}
