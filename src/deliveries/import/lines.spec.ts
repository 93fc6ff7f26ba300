import { linesOf } from './lines';

const read = (text: string | Buffer, first = 1): [number, string][] =>
  [...linesOf(Buffer.from(text), first)].map(({ number, bytes }) => [number, bytes.toString('utf8')]);

describe('the lines of an import', () => {
  it('have their numbers, those that hold nothing too', () => {
    expect(read('{"a":1}\n\n \t\r\n{"b":2}\r\n{"c":3}')).toEqual([
      [1, '{"a":1}'],
      [4, '{"b":2}'],
      [5, '{"c":3}'],
    ]);
    expect(read('{"a":1}\n', 2_001)).toEqual([[2_001, '{"a":1}']]);
    expect(read('')).toEqual([]);
  });

  it('begin behind a byte order mark, and keep every other byte', () => {
    expect(read('\ufeff{"a":1}')).toEqual([[1, '{"a":1}']]);
    const [line] = [...linesOf(Buffer.from([0x22, 0xff, 0x00, 0x22, 0x0a]), 1)];
    expect(line?.bytes).toEqual(Buffer.from([0x22, 0xff, 0x00, 0x22]));
  });
});
