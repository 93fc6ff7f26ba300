import { LosslessNumber, type LosslessJson } from '../../kernel/lossless-json';
import { kindOf, nestedOf, type WireKind } from '../field';
import { fieldNamed } from '../read-dto';
import { parseXmlBytes, XML_BOOLEANS, XmlError, type XmlElement } from './parse-xml';

/** What the members of a list are called. */
const ITEM = 'item';

/** A JSON number; every step of it is forced, so that it takes linear time. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** From the first to the last character that is no space of XML's; one pass, however many there are. */
const CONTENT = /[^ \t\r\n](?:.*[^ \t\r\n])?/s;

/**
 * Reads a body in XML as the JSON it stands for: element names are field names, the members of a list are
 * `item` elements, and what a text means follows from the field of `type` that it is for. Text that is no
 * number or flag stays text, for the field's reader to refuse. The root may have any name.
 * @throws XmlError also where an element is there twice outside of a list
 */
export function parseXmlAs(type: new () => object, bytes: Uint8Array): LosslessJson {
  return nestedJson(type, parseXmlBytes(bytes));
}

function nestedJson(type: new () => object, element: XmlElement): LosslessJson {
  if (element.nil) return null;
  if (element.children.length === 0 && contentOf(element) !== '') return element.text;
  return objectOf(element, (child) => {
    const name = fieldNamed(type, child.name);
    return name === undefined ? true : fieldJson(type, name, child);
  });
}

function fieldJson(type: new () => object, name: string, element: XmlElement): LosslessJson {
  if (element.nil) return null;
  const prototype = type.prototype as object;
  const nested = nestedOf(prototype, name);
  if (nested?.max !== undefined) return listJson(element, (item) => nestedJson(nested.type(), item));
  if (nested) return nestedJson(nested.type(), element);
  const kind = kindOf(prototype, name);
  return kind === 'texts' ? listJson(element, (item) => leafJson('text', item)) : leafJson(kind, element);
}

function listJson(element: XmlElement, itemJson: (item: XmlElement) => LosslessJson): LosslessJson {
  if (element.children.every(({ name }) => name === ITEM) && contentOf(element) === '')
    return element.children.map(itemJson);
  // No list, as the field's reader will say.
  return element.text;
}

function leafJson(kind: WireKind, element: XmlElement): LosslessJson {
  if (element.nil) return null;
  // An object where a text belongs, as the field's reader will say.
  if (element.children.length > 0) return {};
  if (kind === 'text' || kind === 'texts') return element.text;
  const text = contentOf(element);
  if (kind === 'number') return JSON_NUMBER.test(text) ? new LosslessNumber(text) : text;
  return XML_BOOLEANS.get(text) ?? text;
}

/** The text without the spaces around it. */
function contentOf({ text }: XmlElement): string {
  return CONTENT.exec(text)?.[0] ?? '';
}

/** A name that reaches a prototype, such as `__proto__`, is a name like any other. */
function objectOf(element: XmlElement, json: (child: XmlElement) => LosslessJson): LosslessJson {
  const fields = new Map<string, LosslessJson>();
  for (const child of element.children) {
    if (fields.has(child.name)) throw new XmlError('XML with the same element twice outside of a list');
    fields.set(child.name, json(child));
  }
  return Object.fromEntries(fields);
}
