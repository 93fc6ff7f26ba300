import * as fc from 'fast-check';
import { inLines } from '../../console/src/json';
import { propertyRuns, propertySeed } from '../support/property-runs';

describe('a text of JSON in lines', () => {
  it('has each member and each element in a line of its own', () => {
    expect(inLines('{"a":[1,{"b":null}],"c":"d"}')).toBe(
      ['{', '  "a": [', '    1,', '    {', '      "b": null', '    }', '  ],', '  "c": "d"', '}'].join('\n'),
    );
  });

  it('keeps numbers as they were sent, which would lose digits otherwise', () => {
    expect(inLines('[1.10,12345678901234567890,1e400,-0]')).toBe(
      '[\n  1.10,\n  12345678901234567890,\n  1e400,\n  -0\n]',
    );
  });

  it('keeps a member that is there twice, and what is within texts', () => {
    expect(inLines('{"a":"{,}: [\\"x\\\\\\"]","a":2}')).toBe('{\n  "a": "{,}: [\\"x\\\\\\"]",\n  "a": 2\n}');
  });

  it('has what is empty in one line', () => {
    expect(inLines('{"a":{},"b":[ ]}')).toBe('{\n  "a": {},\n  "b": []\n}');
    expect(inLines('[]')).toBe('[]');
  });

  it('is the text itself where it is no JSON', () => {
    for (const text of ['', ' ', 'a=1&b=2', '{"a":', '{"a":1}}', "{'a':1}", '<a/>', '\ufeff{}'])
      expect(inLines(text)).toBe(text);
  });

  it('may be one long line, and be nested as deep as a shop likes', () => {
    const long = JSON.stringify({ a: '"'.repeat(500_000) });
    expect(inLines(long)).toBe(`{\n  ${long.slice(1, 5)} ${long.slice(5, -1)}\n}`);
    const depth = 20_000;
    expect(inLines('['.repeat(depth) + ']'.repeat(depth)).length).toBeLessThan(10_000_000);
  });

  it('means the same, and in lines already it stays, whatever it is', () => {
    const law = fc.property(fc.json(), fc.nat(3), (text, indentation) => {
      const shown = inLines(JSON.stringify(JSON.parse(text), null, indentation));
      expect(JSON.parse(shown)).toEqual(JSON.parse(text));
      expect(inLines(shown)).toBe(shown);
      expect(shown).toBe(JSON.stringify(JSON.parse(text), null, 2));
    });
    fc.assert(law, { numRuns: propertyRuns(500), ...propertySeed() });
  });
});
