import {
  isLosslessNumber,
  parseJsonBytes,
  JsonError,
  type LosslessJson,
} from '../../../kernel/lossless-json';
import { exactDecimal } from '../../../kernel/exact-decimal';
import { isObject } from '../../../kernel/json-object';
import { utf8Text } from '../../../kernel/text';
import { parseXmlBytes, XML_LIMITS, XmlError, type XmlElement } from '../../../http/xml/parse-xml';

/** What a reply's body turned out to be. Services mislabel their bodies, so the bytes decide, not the media type. */
export type ReplyContent =
  | { readonly form: 'empty' }
  | { readonly form: 'json'; readonly json: LosslessJson }
  | { readonly form: 'xml'; readonly root: XmlElement }
  | { readonly form: 'text'; readonly text: string }
  /** A page for people: a login, a proxy's notice. Nothing of it is taken. */
  | { readonly form: 'html' }
  | { readonly form: 'unreadable' };

/** A listing of 500 records has some 15,000 elements; one that is not paged may have more. */
const REPLY_XML_LIMITS = { ...XML_LIMITS, elements: 400_000 };

const HTML = /^<(?:!doctype\s+html|html)[\s>]/i;

/** What older services still write; browsers read ISO-8859-1 as windows-1252, too. */
const LATIN = /;\s*charset\s*=\s*"?(?:iso-8859-1|latin1|windows-1252|cp1252)\b/i;
const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * Reads a body as far as it says what it is. Never throws.
 * @param contentType only its charset counts, and only where the body is not UTF-8
 */
export function contentOf(body: Uint8Array, contentType = ''): ReplyContent {
  const latin = (): string | undefined => (LATIN.test(contentType) ? WINDOWS_1252.decode(body) : undefined);
  const text = (utf8Text(body) ?? latin())?.trim();
  if (text === undefined) return { form: 'unreadable' };
  if (text === '') return { form: 'empty' };
  if (HTML.test(text)) return { form: 'html' };
  const bytes = Buffer.from(text, 'utf8');
  return (text.startsWith('<') ? xmlOf(bytes) : jsonOf(bytes)) ?? { form: 'text', text };
}

function xmlOf(bytes: Uint8Array): ReplyContent {
  try {
    const root = parseXmlBytes(bytes, REPLY_XML_LIMITS);
    return root.name.toLowerCase() === 'html' ? { form: 'html' } : { form: 'xml', root };
  } catch (error) {
    if (error instanceof XmlError) return { form: 'unreadable' };
    throw error;
  }
}

/** Undefined where it is no JSON: a bare word, for instance. */
function jsonOf(bytes: Uint8Array): ReplyContent | undefined {
  try {
    return { form: 'json', json: parseJsonBytes(bytes) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // Cut off or wrong in its middle, it must not pass for a text.
    return bytes[0] === 0x7b || bytes[0] === 0x5b ? { form: 'unreadable' } : undefined;
  }
}

/**
 * Ordinary data of lossless JSON. A number that a double holds to the last digit becomes one, and that is every
 * amount up to 999,999,999,999.99; any other becomes text with all its digits. A key that could reach a
 * prototype is left out.
 */
export function plainOf(json: LosslessJson): unknown {
  if (isLosslessNumber(json)) return exactNumber(json.toString());
  if (Array.isArray(json)) return json.map(plainOf);
  if (!isObject(json)) return json;
  const members = Object.entries(json).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(members.map(([name, member]) => [name, plainOf(member)]));
}

/** The number of a decimal text where nothing is lost, else the text. */
export function exactNumber(text: string): number | string {
  const number = Number(text);
  const exact = exactDecimal(text);
  return exact !== undefined && exact === exactDecimal(String(number)) ? number : text;
}
