import { SaxesParser } from 'saxes';

/** An element of a document, with either text or elements. */
export interface XmlElement {
  /** Without prefix. */
  readonly name: string;
  /** Says of itself that it is null. */
  nil: boolean;
  /** Empty where there are children. */
  text: string;
  readonly children: XmlElement[];
}

/** The bytes are not UTF-8, not XML, or more than is taken. The message is safe to show. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

export const XML_LIMITS = {
  /** Elements within each other, the root included. */
  depth: 32,
  elements: 20_000,
  /** Of one element, namespace declarations included. */
  attributes: 20,
  /** Characters of an attribute's value. */
  attributeLength: 1000,
  /** Characters of a name, prefix included. */
  nameLength: 200,
} as const;

export type XmlLimits = Readonly<Record<keyof typeof XML_LIMITS, number>>;

/** The namespace of `nil`. */
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

const BLANK = /^[ \t\r\n]*$/;
/** How XML Schema writes them. */
export const XML_BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Parses UTF-8 bytes of XML 1.0 with namespaces into its root element. Comments are passed over and CDATA
 * counts as text. A document type, a processing instruction, an entity beyond XML's five, text beside
 * elements, and anything beyond the limits is refused where it is met; nothing is ever fetched.
 * @throws XmlError
 */
export function parseXmlBytes(bytes: Uint8Array, limits: XmlLimits = XML_LIMITS): XmlElement {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new XmlError('not valid UTF-8');
  }
  return new Document(limits).parse(text);
}

class Document {
  private readonly parser = new SaxesParser({ xmlns: true });
  private readonly open: XmlElement[] = [];
  private root: XmlElement | undefined;
  private elements = 0;
  private attributes = 0;

  constructor(private readonly limits: XmlLimits) {}

  parse(text: string): XmlElement {
    const { parser } = this;
    parser.on('error', () => this.fail('not well-formed XML'));
    parser.on('doctype', () => this.fail('XML with a document type, which is not taken'));
    parser.on('processinginstruction', () =>
      this.fail('XML with a processing instruction, which is not taken'),
    );
    parser.on('xmldecl', ({ version, encoding }) => {
      if (version !== '1.0') this.fail('XML of another version than 1.0');
      if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8')
        this.fail('XML that declares another encoding than UTF-8');
    });
    parser.on('opentagstart', ({ name }) => this.begin(name));
    parser.on('attribute', ({ name, value }) => this.checkAttribute(name, value));
    parser.on('opentag', ({ local, attributes }) => {
      const nil = Object.values(attributes).find((one) => one.uri === XSI && one.local === 'nil');
      this.enter(local, nil?.value);
    });
    parser.on('text', (piece) => this.append(piece));
    parser.on('cdata', (piece) => this.append(piece));
    parser.on('closetag', () => this.leave());
    parser.write(text).close();
    return this.root ?? this.fail('not well-formed XML');
  }

  private begin(name: string): void {
    this.elements += 1;
    this.attributes = 0;
    if (this.elements > this.limits.elements) this.fail(`XML of more than ${this.limits.elements} elements`);
    if (this.open.length >= this.limits.depth) this.fail(`nested deeper than ${this.limits.depth} elements`);
    this.checkName(name);
  }

  private checkAttribute(name: string, value: string): void {
    this.attributes += 1;
    if (this.attributes > this.limits.attributes)
      this.fail(`XML with more than ${this.limits.attributes} attributes on an element`);
    this.checkName(name);
    if (value.length > this.limits.attributeLength)
      this.fail(`XML with an attribute of more than ${this.limits.attributeLength} characters`);
  }

  private checkName(name: string): void {
    if (name.length > this.limits.nameLength)
      this.fail(`XML with a name of more than ${this.limits.nameLength} characters`);
  }

  private enter(name: string, nil: string | undefined): void {
    const isNil = nil === undefined ? false : XML_BOOLEANS.get(nil.trim());
    if (isNil === undefined) this.fail('XML with a nil that is neither true nor false');
    const element: XmlElement = { name, nil: isNil === true, text: '', children: [] };
    const parent = this.open.at(-1);
    if (parent) parent.children.push(element);
    else this.root = element;
    this.open.push(element);
  }

  private append(piece: string): void {
    const element = this.open.at(-1);
    if (element) element.text += piece;
  }

  private leave(): void {
    const element = this.open.pop();
    if (!element) return;
    const isBlank = BLANK.test(element.text);
    if (element.children.length > 0) {
      if (!isBlank) this.fail('XML with text beside elements');
      element.text = '';
    }
    if (element.nil && (element.children.length > 0 || !isBlank))
      this.fail('XML with content in an element that is nil');
  }

  private fail(reason: string): never {
    throw new XmlError(`${reason} (line ${this.parser.line}, column ${this.parser.column})`);
  }
}
