import type { XmlElement } from '../../../http/xml/parse-xml';
import { isObject } from '../../../kernel/json-object';
import { plainOf, type ReplyContent } from './reply-content';

/** What is read of a reply at most, and identifiers of it. */
const MAX_TEXTS = 500;
const MAX_DEPTH = 8;
const MAX_RECORDS = 5;

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Headers that may name a record, most telling first. */
const HEADERS = ['location', 'content-location', 'link'];

/** Of members: those that name a record of the kind, those that may, and those of something else. */
const OF_THE_KIND = /customer|client|stakeholder|partner|existing|duplicate|original|first/i;
const MAYBE =
  /(?:^|\.)(?:id|uuid|guid|identifier|href|self|location|links?|uri|url|resource|record|entity)(?:\.|$)/i;
const OF_SOMETHING_ELSE =
  /trace|request|correlation|organi[sz]ation|company|tenant|account|category|event|instance/i;

interface NamedText {
  /** The names of the members that lead to it. */
  readonly path: string;
  readonly text: string;
}

/**
 * The records that a refusal may be about, wherever it names them: in a header, in a member at any depth, in a link or
 * in a sentence. They are guesses: whoever uses one reads it back first.
 * @param key the request's API key, which some services repeat
 * @returns UUIDs in lower case, the likeliest first
 */
export function namedRecords(
  content: ReplyContent,
  headers: Readonly<Record<string, string>>,
  key: string,
): string[] {
  const texts = [
    ...HEADERS.map((path) => ({ path: 'location', text: headers[path] ?? '' })),
    ...textsOf(content),
  ].filter(({ path }) => !OF_SOMETHING_ELSE.test(path));
  const ranked = texts.toSorted((left, right) => rankOf(left) - rankOf(right));
  const ids = ranked.flatMap(({ text }) => text.match(UUID) ?? []).map((id) => id.toLowerCase());
  const records = new Set(ids.filter((id) => id !== NIL_UUID && id !== key.toLowerCase()));
  return [...records].slice(0, MAX_RECORDS);
}

function rankOf({ path }: NamedText): number {
  if (OF_THE_KIND.test(path)) return 0;
  return MAYBE.test(path) ? 1 : 2;
}

function textsOf(content: ReplyContent): NamedText[] {
  const found: NamedText[] = [];
  if (content.form === 'json')
    collect(
      isObject(content.json) || Array.isArray(content.json) ? plainOf(content.json) : content.json,
      '',
      MAX_DEPTH,
      found,
    );
  if (content.form === 'xml') collect(treeOf(content.root, MAX_DEPTH), '', MAX_DEPTH, found);
  if (content.form === 'text') found.push({ path: '', text: content.text.slice(0, 2_000) });
  return found;
}

function collect(value: unknown, path: string, depth: number, found: NamedText[]): void {
  if (found.length >= MAX_TEXTS || depth < 0) return;
  if (typeof value === 'string') found.push({ path, text: value.slice(0, 2_000) });
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const own = Array.isArray(value) ? path : `${path}.${name}`;
    collect(member, own, depth - 1, found);
  }
}

/** An element as members and texts; several of one name are a list. */
function treeOf({ children, text }: XmlElement, depth: number): unknown {
  if (children.length === 0 || depth < 0) return text;
  return children.slice(0, MAX_TEXTS).map((child) => ({ [child.name]: treeOf(child, depth - 1) }));
}
