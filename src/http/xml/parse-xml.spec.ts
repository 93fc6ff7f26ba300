import fc from 'fast-check';
import { HOSTILE_XML } from '../../../test/support/hostile-xml';
import { parseXmlBytes, XmlError, type XmlElement } from './parse-xml';
import { propertyRuns } from '../../../test/support/property-runs';
import { anyText } from '../../../test/support/any-text';

const parse = (text: string): XmlElement => parseXmlBytes(Buffer.from(text, 'utf8'));
const leaf = (name: string, text: string): XmlElement => ({ name, nil: false, text, children: [] });

describe('XML that is taken', () => {
  it.each([
    ['a declaration', '<?xml version="1.0" encoding="utf-8"?>\n<c>x</c>', 'x'],
    ['an encoding in capitals', "<?xml version='1.0' encoding='UTF-8' standalone='yes'?><c>x</c>", 'x'],
    ['a byte order mark', '\ufeff<?xml version="1.0"?><c>x</c>', 'x'],
    ['the five entities', '<c>&lt;&gt;&amp;&quot;&apos;</c>', '<>&"\''],
    ['character references', '<c>&#65;&#x42;&#x1F600;&#13;</c>', 'AB😀\r'],
    ['CDATA', '<c>a<![CDATA[<b>&amp;]]]]><![CDATA[>]]></c>', 'a<b>&amp;]]>'],
    ['comments', '<!-- a --><c>a<!-- <b> & -->b</c><!-- c -->', 'ab'],
    ['ends of lines as one LF', '<c>a\r\nb\rc\nd</c>', 'a\nb\nc\nd'],
    ['spaces that stand in text', '<c>  a  </c>', '  a  '],
    ['a prefix', '<p:c xmlns:p="urn:x">x</p:c>', 'x'],
    ['an attribute that says nothing', '<c xmlns="urn:x" a="1">x</c>', 'x'],
    ['any letters', '<c>Itaú 日本 😀</c>', 'Itaú 日本 😀'],
  ])('reads %s', (_name, xml, text) => expect(parse(xml)).toEqual(leaf('c', text)));

  it('reads elements in elements, blanks between them aside', () => {
    expect(parse('<c>\n  <a>1</a>\n  <b><d/></b>\n</c>')).toEqual({
      ...leaf('c', ''),
      children: [leaf('a', '1'), { ...leaf('b', ''), children: [leaf('d', '')] }],
    });
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('reads nil="%s" whatever the prefix', (value, nil) => {
    const xml = `<c xmlns:p="http://www.w3.org/2001/XMLSchema-instance"><a p:nil="${value}"/></c>`;
    expect(parse(xml).children).toEqual([{ ...leaf('a', ''), nil }]);
  });

  it('takes nil of another namespace for an attribute that says nothing', () => {
    expect(parse('<c xmlns:p="urn:x"><a p:nil="true" nil="true"/></c>').children).toEqual([leaf('a', '')]);
  });

  it('takes as much as the limits allow', () => {
    expect(() => parse('<c>'.repeat(32) + '</c>'.repeat(32))).not.toThrow();
    expect(parse(`<c>${'<x/>'.repeat(19_999)}</c>`).children).toHaveLength(19_999);
    const attributes = Array.from({ length: 20 }, (_, index) => `a${index}="${'x'.repeat(1000)}"`);
    expect(() => parse(`<${'c'.repeat(200)} ${attributes.join(' ')}/>`)).not.toThrow();
  });
});

describe('XML that is not taken', () => {
  // What only a reader of records can check is refused there.
  const later = ['the same element twice'];

  it.each(
    HOSTILE_XML.filter(({ name }) => !later.includes(name)).map(({ name, body }) => [name, body] as const),
  )('refuses %s', (_name, body) => expect(() => parseXmlBytes(body)).toThrow(XmlError));

  it('says where it is broken and repeats nothing of it', () => {
    expect(() => parse('<c>\n  <secret>&oops;</secret>\n</c>')).toThrow(
      'not well-formed XML (line 2, column 16)',
    );
  });

  it('stops at the first violation: what follows is not read', () => {
    expect(() => parse(`${'<c>'.repeat(40)}&oops;`)).toThrow('nested deeper than 32 elements (line 1,');
  });
});

describe('any input', () => {
  const fails = (bytes: Uint8Array): boolean => {
    try {
      parseXmlBytes(bytes);
      return true;
    } catch (error) {
      return error instanceof XmlError;
    }
  };
  const pieces = fc.constantFrom(
    ...[
      '<',
      '>',
      '</',
      '/>',
      '<a',
      '<a>',
      '</a>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      '&',
      '&#',
      ';',
    ],
    ...[
      '<!DOCTYPE',
      '[',
      ']',
      '"',
      "'",
      '=',
      ' ',
      'xmlns:',
      'xml',
      ':',
      'a',
      '\u0000',
      '\ud800',
      '&lt;',
      '<?xml ',
    ],
  );

  it('is an element or an XmlError, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fails), { numRuns: propertyRuns(100) });
  });

  it('is an element or an XmlError, however close to XML', () => {
    const texts = fc.array(fc.oneof(pieces, anyText({ maxLength: 4 })), { maxLength: 30 });
    fc.assert(
      fc.property(texts, (parts) => fails(Buffer.from(`<c>${parts.join('')}</c>`))),
      { numRuns: propertyRuns(400) },
    );
  });
});
