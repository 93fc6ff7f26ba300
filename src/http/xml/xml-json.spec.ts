import { LosslessNumber } from '../../kernel/lossless-json';
import { IsFlag, IsInteger32, IsNested, IsNestedList, Optional } from '../validation';
import { parseXmlAs } from './xml-json';

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
