import { LosslessNumber } from '../../kernel/lossless-json';
import { IsFlag, IsInteger32, IsNested, IsNestedList, Optional } from '../validation';
import { parseXmlBytes } from './parse-xml';
import { objectOfXml, parseXmlAs } from './xml-json';

class Part {
  @IsFlag()
  on!: boolean;
}

class Shape {
  @Optional()
  @IsInteger32()
  count?: number | null;

  @Optional()
  @IsNested(() => Part)
  part?: Part | null;

  @Optional()
  @IsNestedList(() => Part, { max: 2 })
  parts?: Part[] | null;
}

const read = (xml: string) => parseXmlAs(Shape, Buffer.from(xml, 'utf8'));

describe('a body in XML', () => {
  it('is read without the spaces around numbers, flags and elements', () => {
    expect(read('<c>\n<count>\t12\r\n</count> <part> <on> 1 </on> </part><parts> </parts></c>')).toEqual({
      count: new LosslessNumber('12'),
      part: { on: true },
      parts: [],
    });
  });

  it.each(['count', 'part', 'parts'])(
    'is read in one pass, though a megabyte of spaces stands within its %s',
    (name) => {
      const text = `1${' '.repeat(1_000_000)}1`;
      expect(read(`<c><${name}>${text}</${name}></c>`)).toEqual({ [name]: text });
    },
  );
});

describe('what a request and a reply in XML may say', () => {
  const readReply = (xml: string) => objectOfXml(parseXmlBytes(Buffer.from(xml, 'utf8')), Shape, 'reply');

  it('is the same where both say it as it is documented', () => {
    const xml = '<r><count>12</count><part><on>true</on></part><parts><item><on>0</on></item></parts></r>';
    expect(readReply(xml)).toEqual(read(xml));
    expect(read(xml)).toEqual({
      count: new LosslessNumber('12'),
      part: { on: true },
      parts: [{ on: false }],
    });
  });

  it.each([
    [
      'a name in another letter case',
      '<r><COUNT>12</COUNT></r>',
      { COUNT: new LosslessNumber('12') },
      { COUNT: '12' },
    ],
    ['a field that is not documented', '<r><note>12</note></r>', { note: true }, { note: '12' }],
    ['a list that is not documented', '<r><notes><i>1</i></notes></r>', { notes: true }, { notes: ['1'] }],
    ['an object that is not documented', '<r><a><b>1</b></a></r>', { a: true }, { a: { b: '1' } }],
    ['elements in a number', '<r><count><b>1</b></count></r>', { count: {} }, { count: { b: '1' } }],
  ])('differs in %s', (_, xml, request, reply) => {
    expect(read(xml)).toEqual(request);
    expect(readReply(xml)).toEqual(reply);
  });

  it('differs in an element that is there twice, which is refused of a request and the last of a reply', () => {
    const xml = '<r><count>1</count><count>2</count></r>';
    expect(() => read(xml)).toThrow('the same element twice');
    expect(readReply(xml)).toEqual({ count: new LosslessNumber('2') });
  });
});
