import { LosslessNumber, type LosslessJson } from '../../kernel/lossless-json';
import type { JsonObject } from '../../kernel/json-object';
import type { NestedField, WireKind } from '../field';
import { fieldNamed, shapeOfField } from '../read-dto';
import { parseXmlBytes, XML_BOOLEANS, XmlError, type XmlElement } from './parse-xml';

/** A class that says what the fields of a record are. */
export type RecordShape = new () => object;

/**
 * Whose document is read, and so how.
 * - `request`: field names in any letter case; members of lists are `item`. What says nothing clear (an element twice, a
 *   list that is none, elements where a text belongs) is made to be refused; what no field is for counts as there alone.
 * - `reply`: names as they are documented; members of lists are `item`, or `i` as in problem documents. All that is said
 *   is kept: what no field is for as text, list or object, and of an element that is there twice the last.
 */
export type XmlOrigin = 'request' | 'reply';

/** What the members of a list are called. */
const ITEMS: Readonly<Record<XmlOrigin, readonly string[]>> = { request: ['item'], reply: ['item', 'i'] };

/** A JSON number; every step of it is forced, so that it takes linear time. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** From the first to the last character that is no space of XML's; one pass, however many there are. */
const CONTENT = /[^ \t\r\n](?:.*[^ \t\r\n])?/s;

/**
 * Reads a request's body in XML as the JSON it stands for: element names are field names, and what a text means follows
 * from the field of `type` that it is for. Text that is no number or flag stays text, for the field's reader to refuse.
 * The root may have any name.
 * @throws XmlError also where an element is there twice outside of a list
 */
export function parseXmlAs(type: RecordShape, bytes: Uint8Array): LosslessJson {
  return nestedJson(parseXmlBytes(bytes), type, 'request');
}

/**
 * The JSON object that an element stands for; a name that reaches a prototype, such as `__proto__`, is a name like any
 * other.
 * @param type what the fields are; absent where nothing is documented of them
 * @throws XmlError for a request with an element twice outside of a list
 */
export function objectOfXml(
  element: XmlElement,
  type: RecordShape | undefined,
  origin: XmlOrigin,
): JsonObject {
  const fields = new Map<string, LosslessJson>();
  for (const child of element.children) {
    if (origin === 'request' && fields.has(child.name))
      throw new XmlError('XML with the same element twice outside of a list');
    fields.set(child.name, fieldJson(child, type, origin));
  }
  return Object.fromEntries(fields);
}

function nestedJson(element: XmlElement, type: RecordShape | undefined, origin: XmlOrigin): LosslessJson {
  if (element.nil) return null;
  if (element.children.length === 0 && contentOf(element) !== '') return element.text;
  return objectOfXml(element, type, origin);
}

function fieldJson(element: XmlElement, type: RecordShape | undefined, origin: XmlOrigin): LosslessJson {
  const name = type && origin === 'request' ? fieldNamed(type, element.name) : element.name;
  if (name === undefined) return true;
  return shapedJson(element, type && shapeOfField(type, name), origin);
}

function shapedJson(
  element: XmlElement,
  shape: NestedField | WireKind | undefined,
  origin: XmlOrigin,
): LosslessJson {
  if (element.nil) return null;
  if (shape === 'texts') return listJson(element, origin, (item) => leafJson(item, 'text', origin));
  if (typeof shape !== 'object') return leafJson(element, shape, origin);
  const nested = (item: XmlElement): LosslessJson => nestedJson(item, shape.type(), origin);
  return shape.max === undefined ? nested(element) : listJson(element, origin, nested);
}

function listJson(
  element: XmlElement,
  origin: XmlOrigin,
  itemJson: (item: XmlElement) => LosslessJson,
): LosslessJson {
  if (isList(element, origin) && contentOf(element) === '') return element.children.map(itemJson);
  // No list, as the field's reader will say.
  return element.text;
}

function isList({ children }: XmlElement, origin: XmlOrigin): boolean {
  return children.every(({ name }) => ITEMS[origin].includes(name));
}

function leafJson(element: XmlElement, kind: WireKind = 'text', origin: XmlOrigin): LosslessJson {
  if (element.nil) return null;
  if (element.children.length > 0) {
    // An object where a text belongs, as the field's reader will say.
    if (origin === 'request') return {};
    if (!isList(element, origin)) return objectOfXml(element, undefined, origin);
    return element.children.map((item) => leafJson(item, 'text', origin));
  }
  if (kind === 'text' || kind === 'texts') return element.text;
  const text = contentOf(element);
  if (kind === 'number') return JSON_NUMBER.test(text) ? new LosslessNumber(text) : text;
  return XML_BOOLEANS.get(text) ?? text;
}

/** The text without the spaces around it. */
function contentOf({ text }: XmlElement): string {
  return CONTENT.exec(text)?.[0] ?? '';
}
