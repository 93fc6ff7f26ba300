/** Bodies in XML that nobody means well with, or that are broken: each must be refused as it stands. */
export interface HostileXml {
  readonly name: string;
  readonly body: Buffer;
}

const DECLARED = '<?xml version="1.0" encoding="utf-8"?>';

function named(name: string, body: string | Buffer): HostileXml {
  return { name, body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body };
}

const LAUGHS = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
).join('');

/** Every one would make a customer if it were read leniently. */
export const HOSTILE_XML: readonly HostileXml[] = [
  named('billion laughs', `<!DOCTYPE c [<!ENTITY l0 "ha">${LAUGHS}]><c><name>&l9;</name></c>`),
  named(
    'quadratic blow-up',
    `<!DOCTYPE c [<!ENTITY a "${'a'.repeat(50_000)}">]><c><name>${'&a;'.repeat(50_000)}</name></c>`,
  ),
  named(
    'external entity (file)',
    '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><c><name>&x;</name></c>',
  ),
  named(
    'external entity (http)',
    '<!DOCTYPE c [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]><c><name>&x;</name></c>',
  ),
  named(
    'external entity (public)',
    '<!DOCTYPE c [<!ENTITY x PUBLIC "-//X//Y" "http://127.0.0.1:9/x">]><c><name>&x;</name></c>',
  ),
  named(
    'parameter entities',
    '<!DOCTYPE c [<!ENTITY % a SYSTEM "http://127.0.0.1:9/x.dtd"> %a;]><c><name>x</name></c>',
  ),
  named('external DTD', '<!DOCTYPE c SYSTEM "http://127.0.0.1:9/x.dtd"><c><name>x</name></c>'),
  named('harmless document type', `${DECLARED}<!DOCTYPE c><c><name>x</name></c>`),
  named('document type alone', '<!DOCTYPE c [<!ELEMENT c ANY>]>'),
  named('unfinished document type', '<!DOCTYPE c [<!ENTITY x "y"'),
  named('document type after the root', '<c><name>x</name></c><!DOCTYPE c>'),
  named('100,000 levels', '<c>'.repeat(100_000) + '</c>'.repeat(100_000)),
  named('33 levels', '<c>'.repeat(33) + '</c>'.repeat(33)),
  named('100,000 levels never closed', '<c>'.repeat(100_000)),
  named('attribute of almost 1 MB', `<c a="${'x'.repeat(1_000_000)}"><name>x</name></c>`),
  named('attribute that never ends', `<c a="${'x'.repeat(1_000_000)}`),
  named('attribute of 1,001 characters', `<c a="${'x'.repeat(1001)}"><name>x</name></c>`),
  named(
    '100,000 attributes',
    `<c ${Array.from({ length: 100_000 }, (_, index) => `a${index}=""`).join(' ')}><name>x</name></c>`,
  ),
  named(
    '21 attributes',
    `<c ${Array.from({ length: 21 }, (_, index) => `a${index}=""`).join(' ')}><name>x</name></c>`,
  ),
  named('20,001 elements', `<c><name>x</name>${'<x/>'.repeat(19_999)}</c>`),
  named('name of almost 1 MB', `<${'c'.repeat(1_000_000)}/>`),
  named('name of 201 characters', `<${'c'.repeat(201)}><name>x</name></${'c'.repeat(201)}>`),
  named('attribute name of 201 characters', `<c ${'a'.repeat(201)}="1"><name>x</name></c>`),
  named('same attribute twice', '<c a="1" a="2"><name>x</name></c>'),
  named('same attribute twice by namespace', '<c xmlns:p="u" xmlns:q="u" p:a="1" q:a="2"><name>x</name></c>'),
  named('attribute without quotes', '<c a=1><name>x</name></c>'),
  named('attribute without value', '<c a><name>x</name></c>'),
  named('less-than in an attribute', '<c a="<"><name>x</name></c>'),
  named('unclosed root', '<c><name>x</name>'),
  named('unclosed tag', '<c><name>x</name></c'),
  named('unclosed element', '<c><name>x</c>'),
  named('mismatched tags', '<c><name>x</nome></c>'),
  named('letter case of tags', '<c><name>x</Name></c>'),
  named('crossed tags', '<c><name><a>x</name></a></c>'),
  named('end without start', '</c>'),
  named('text after the root', '<c><name>x</name></c>x'),
  named('text before the root', 'x<c><name>x</name></c>'),
  named('two roots', '<c><name>x</name></c><c><name>y</name></c>'),
  named('no root', DECLARED),
  named('comment alone', '<!-- nothing -->'),
  named('spaces alone', '  \n '),
  named('declaration after a space', ` ${DECLARED}<c><name>x</name></c>`),
  named('declaration twice', `${DECLARED}${DECLARED}<c><name>x</name></c>`),
  named('declaration without version', '<?xml encoding="utf-8"?><c><name>x</name></c>'),
  named('XML 1.1', '<?xml version="1.1"?><c><name>x</name></c>'),
  named('ISO-8859-1 declared', '<?xml version="1.0" encoding="ISO-8859-1"?><c><name>x</name></c>'),
  named('UTF-16 declared', '<?xml version="1.0" encoding="UTF-16"?><c><name>x</name></c>'),
  named('UTF-7 declared', '<?xml version="1.0" encoding="utf-7"?><c><name>+ADw-</name></c>'),
  named('UTF-16, little end first', Buffer.from('\ufeff<c><name>x</name></c>', 'utf16le')),
  named('UTF-16, big end first', Buffer.from('\ufeff<c><name>x</name></c>', 'utf16le').swap16()),
  named('UTF-16 without mark', Buffer.from('<c><name>x</name></c>', 'utf16le')),
  named('ISO-8859-1 bytes', Buffer.from('<c><name>Itaú</name></c>', 'latin1')),
  named(
    'overlong UTF-8',
    Buffer.concat([Buffer.from('<c><name>'), Buffer.from([0xc0, 0xbc]), Buffer.from('</name></c>')]),
  ),
  named(
    'half a surrogate pair in UTF-8',
    Buffer.concat([Buffer.from('<c><name>'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('</name></c>')]),
  ),
  named('cut within a character', Buffer.from('<c><name>x</name></c>é').subarray(0, -1)),
  named('bare ampersand', '<c><name>Lia & Cia</name></c>'),
  named('ampersand at the end', '<c><name>x</name></c>&'),
  named('undefined entity', '<c><name>&nbsp;</name></c>'),
  ...['constructor', 'toString', '__proto__'].map((name) =>
    named(`entity that is a property of every object: ${name}`, `<c><name>&${name};</name></c>`),
  ),
  named('entity without semicolon', '<c><name>&amp x</name></c>'),
  named('reference to no character', '<c><name>&#0;</name></c>'),
  named('reference to a control character', '<c><name>&#1;</name></c>'),
  named('reference to half a surrogate pair', '<c><name>&#xD800;</name></c>'),
  named('reference beyond Unicode', '<c><name>&#x110000;</name></c>'),
  named('reference of endless digits', `<c><name>&#${'9'.repeat(500_000)};</name></c>`),
  named(']]> in text', '<c><name>a]]>b</name></c>'),
  named('unfinished CDATA', '<c><name><![CDATA[x</name></c>'),
  named('CDATA outside of the root', '<![CDATA[x]]><c><name>x</name></c>'),
  named('unfinished comment', '<c><name>x</name><!-- </c>'),
  named('two hyphens in a comment', '<c><!-- -- --><name>x</name></c>'),
  named('control character', '<c><name>a\u0001b</name></c>'),
  named('null byte in text', '<c><name>a\u0000b</name></c>'),
  named('null byte at the end', '<c><name>x</name></c>\u0000'),
  named('character that is none', '<c><name>a\uffffb</name></c>'),
  named('processing instruction', '<?go to="x"?><c><name>x</name></c>'),
  named('style sheet', '<?xml-stylesheet href="http://127.0.0.1:9/x.xsl"?><c><name>x</name></c>'),
  named('prefix bound to nothing', '<p:c><name>x</name></p:c>'),
  named('prefix that every object has', '<constructor:c><name>x</name></constructor:c>'),
  named('name of two colons', '<c xmlns:a="u"><a:b:name>x</a:b:name></c>'),
  named('text beside elements', '<c>x<name>y</name></c>'),
  named('CDATA beside elements', '<c><![CDATA[x]]><name>y</name></c>'),
  named('the same element twice', '<c><name>x</name><name>y</name></c>'),
  named(
    'nil with content',
    '<c xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><name i:nil="true">x</name></c>',
  ),
  named(
    'nil that is neither true nor false',
    '<c xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><name i:nil="yes">x</name></c>',
  ),
  named('JSON', '{"name":"x"}'),
  named('HTML', '<!doctype html><html><br><p>x</html>'),
  named('include of another document', '<xi:include href="file:///etc/passwd"/>'),
];
