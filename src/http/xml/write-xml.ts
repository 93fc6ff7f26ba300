import { isLosslessNumber, parseJsonBytes, type LosslessJson } from '../../kernel/lossless-json';
import { replyJson } from '../reply-json';
import { XSI } from './parse-xml';

export interface XmlOptions {
  /** What the members of a list are called; `item` unless said otherwise. */
  item?: string;
  /** The default namespace; none unless said otherwise. */
  namespace?: string;
}

const NAME = /^[A-Za-z_][\w.-]*$/;
/** What XML 1.0 cannot contain, not even as a reference. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const NIL = ' xsi:nil="true"';

/**
 * The XML form of a reply: what its JSON says, with field names as element names. Null is `xsi:nil`, numbers
 * are exact decimals without exponent. A character that XML cannot contain becomes U+FFFD.
 * @param root the root element's name
 */
export function writeXml(root: string, value: unknown, options: XmlOptions = {}): string {
  return xmlOf(root, parseJsonBytes(Buffer.from(replyJson(value), 'utf8')), options);
}

/** The XML form of JSON; see {@link writeXml}. */
export function xmlOf(root: string, json: LosslessJson, options: XmlOptions = {}): string {
  const { item = 'item', namespace } = options;
  const declared = namespace === undefined ? '' : ` xmlns="${escaped(namespace)}"`;
  const nils = hasNull(json) ? ` xmlns:xsi="${XSI}"` : '';
  return `<?xml version="1.0" encoding="utf-8"?>\n${elementOf(root, json, item, declared + nils)}`;
}

function elementOf(name: string, json: LosslessJson, item: string, attributes = ''): string {
  if (!NAME.test(name)) throw new Error('a field has a name that XML cannot spell');
  if (json === null) return `<${name}${attributes}${NIL}/>`;
  const content = contentOf(json, item);
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

function contentOf(json: Exclude<LosslessJson, null>, item: string): string {
  if (typeof json === 'string') return escaped(json);
  if (typeof json === 'boolean') return String(json);
  if (isLosslessNumber(json)) return plainDecimal(json.toString());
  if (Array.isArray(json)) return json.map((member) => elementOf(item, member, item)).join('');
  return Object.entries(json)
    .map(([name, member]) => elementOf(name, member, item))
    .join('');
}

function hasNull(json: LosslessJson): boolean {
  if (json === null) return true;
  if (typeof json !== 'object' || isLosslessNumber(json)) return false;
  return Object.values(json).some((member) => hasNull(member));
}

/** Escapes for text and for attributes alike; CR would else be read back as LF, and `]]>` is not allowed. */
function escaped(text: string): string {
  return text.replace(IMPOSSIBLE, '\u{FFFD}').replace(/[&<>"'\r]/g, (sign) => ESCAPES[sign] ?? sign);
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};

/** The same number without exponent. A double has few enough digits for that. */
function plainDecimal(text: string): string {
  const [mantissa = '', exponent] = text.toLowerCase().split('e');
  if (exponent === undefined) return text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padEnd(point, '0');
  if (point >= digits.length) return sign + digits;
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
}
