import { SaxesParser } from 'saxes';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  xml?: { name?: string; namespace?: string; wrapped?: boolean };
}

type Schemas = Record<string, Schema>;

interface Element {
  name: string;
  namespace: string;
  nil: boolean;
  text: string;
  children: Element[];
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** XML that is not what the description's hints say, or a description that does not say enough. */
export class XmlMisfit extends Error {
  override readonly name = 'XmlMisfit';
}

/**
 * Reads and writes XML as a client does that was generated from an OpenAPI document, and knows nothing else: names
 * of elements, of the members of lists, and namespaces are those that `xml` says in the schemas.
 */
export class DescribedXml {
  constructor(private readonly schemas: Schemas) {}

  /** The JSON that a document stands for. @throws XmlMisfit at the first element that is not as described */
  read(schema: Schema, xml: string): unknown {
    const root = parse(xml);
    this.expectName(root, schema, this.rootName(schema), '');
    return this.valueOf(schema, root, '');
  }

  /** @throws XmlMisfit when the value has a field that is not described */
  write(schema: Schema, value: unknown): string {
    return this.elementOf(this.rootName(schema), schema, value, ` xmlns:xsi="${XSI}"`);
  }

  private valueOf(given: Schema, element: Element, path: string): unknown {
    if (element.nil) return null;
    const schema = this.resolved(given);
    if (isOf(schema, 'object')) return this.objectOf(schema, element, path);
    if (isOf(schema, 'array')) return this.listOf(given, element, path);
    if (element.children.length > 0) throw new XmlMisfit(`${path} holds elements`);
    return isOf(schema, 'string') ? element.text : literal(schema, element.text, path);
  }

  private objectOf({ properties = {} }: Schema, element: Element, path: string): object {
    if (element.text !== '') throw new XmlMisfit(`${path} holds text`);
    const fields = new Map(
      Object.entries(properties).map(([name, schema]) => [schema.xml?.name ?? name, { name, schema }]),
    );
    const found = element.children.map((child) => {
      const field = fields.get(child.name);
      if (!field) throw new XmlMisfit(`${path}/${child.name} is not described`);
      this.expectName(child, field.schema, child.name, path);
      return [field.name, this.valueOf(field.schema, child, `${path}/${child.name}`)] as const;
    });
    if (new Set(found.map(([name]) => name)).size < found.length)
      throw new XmlMisfit(`${path} has the same element twice`);
    return Object.fromEntries(found);
  }

  private listOf(given: Schema, element: Element, path: string): unknown[] {
    const { name, items } = this.member(given, path);
    if (element.text !== '') throw new XmlMisfit(`${path} holds text`);
    return element.children.map((child, index) => {
      this.expectName(child, items, name, path);
      return this.valueOf(items, child, `${path}/${index}`);
    });
  }

  /** What the members of a list are, and are called. */
  private member(given: Schema, path: string): { name: string; items: Schema } {
    const schema = this.resolved(given);
    const { items } = schema;
    const name = items?.xml?.name;
    if (!items || name === undefined) throw new XmlMisfit(`${path}: members have no name in the description`);
    if (!(given.xml ?? schema.xml)?.wrapped) throw new XmlMisfit(`${path} is not described as wrapped`);
    return { name, items };
  }

  private expectName(element: Element, schema: Schema, name: string, path: string): void {
    const namespace = schema.xml?.namespace ?? this.resolved(schema).xml?.namespace ?? '';
    if (element.name !== name || element.namespace !== namespace)
      throw new XmlMisfit(`${path}/{${element.namespace}}${element.name} should be {${namespace}}${name}`);
  }

  private elementOf(name: string, given: Schema, value: unknown, attributes = ''): string {
    if (value === null) return `<${name}${attributes} xsi:nil="true"/>`;
    return `<${name}${attributes}>${this.contentOf(given, value, name)}</${name}>`;
  }

  private contentOf(given: Schema, value: unknown, path: string): string {
    if (Array.isArray(value)) {
      const { name, items } = this.member(given, path);
      return value.map((one) => this.elementOf(name, items, one)).join('');
    }
    if (typeof value !== 'object' || value === null) return escaped(String(value));
    const { properties = {} } = this.resolved(given);
    return Object.entries(value)
      .map(([field, one]) => {
        const schema = properties[field];
        if (!schema) throw new XmlMisfit(`${path}/${field} is not described`);
        return this.elementOf(schema.xml?.name ?? field, schema, one);
      })
      .join('');
  }

  private rootName(schema: Schema): string {
    const name = schema.xml?.name ?? this.resolved(schema).xml?.name;
    if (name === undefined) throw new XmlMisfit('the root has no name in the description');
    return name;
  }

  private resolved(schema: Schema): Schema {
    const some = schema.anyOf?.find(({ type }) => type !== 'null');
    if (some) return this.resolved(some);
    const name = schema.$ref?.split('/').at(-1);
    if (name === undefined) return schema;
    const found = this.schemas[name];
    if (!found) throw new XmlMisfit(`there is no schema ${name}`);
    return found;
  }
}

function isOf({ type }: Schema, wanted: string): boolean {
  return [type].flat().includes(wanted);
}

function literal(schema: Schema, text: string, path: string): unknown {
  if (isOf(schema, 'boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if ((isOf(schema, 'number') || isOf(schema, 'integer')) && NUMBER.test(text)) return Number(text);
  throw new XmlMisfit(`${path} is not a ${[schema.type].flat().join(' or ')}`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;');
}

function parse(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const top: Element = { name: '', namespace: '', nil: false, text: '', children: [] };
  const open = [top];
  parser.on('error', (error) => {
    throw new XmlMisfit(error.message);
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const nil = Object.values(attributes).some(
      (attribute) => attribute.uri === XSI && attribute.local === 'nil' && attribute.value === 'true',
    );
    const element: Element = { name: local, namespace: uri, nil, text: '', children: [] };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    if (open.length > 1) open.at(-1)!.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return top.children[0]!;
}
