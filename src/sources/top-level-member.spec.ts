import fc from 'fast-check';
import { elementsOfMember, topLevelBytes, topLevelElements, topLevelMember } from './top-level-member';

const read = (json: string, name = 'id'): unknown => topLevelMember(Buffer.from(json), name);

describe('topLevelMember', () => {
  it.each<[what: string, json: string, expected: unknown]>([
    ['a number at the front', '{"id":1001,"rest":{}}', 1001],
    ['a text', '{ "name" : "x" , "id" : "A-1" }', 'A-1'],
    ['what stands after nested members of the name', '{"customer":{"id":1},"list":[{"id":2}],"id":3}', 3],
    ['what stands after texts full of quotes and braces', '{"a":"}\\"{,\\\\","id":4}', 4],
    ['a name that is escaped', '{"\\u0069d":5}', 5],
    ['an object', '{"id":{"a":[1,"]"]},"b":1}', { a: [1, ']'] }],
    ['null', '{"id":null}', null],
    ['the last member', '{"a":[],"id":true}', true],
    ['one before the text breaks', '{"id":6,"rest":', 6],
    ['the first of two', '{"id":7,"id":8}', 7],
  ])('finds %s', (_, json, expected) => {
    expect(read(json)).toEqual(expected);
  });

  it.each([
    '',
    ' ',
    'null',
    '[1]',
    '"id"',
    '{}',
    '{"a":1}',
    '{"a":{"id":1}}',
    '{"id"',
    '{"id":',
    '{"id":}',
    '{"id":nonsense}',
    '{"a:1,"id":2}',
    '{a:1,"id":2}',
    '{"a" 1,"id":2}',
    '{"a":"\\"',
  ])('finds nothing in %j', (json) => {
    expect(read(json)).toBeUndefined();
  });

  it('agrees with a whole reading of any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1, '\t'),
        (object, space) => {
          const json = JSON.stringify(object, null, space);
          const whole = JSON.parse(json) as Record<string, unknown>;
          for (const name of Object.keys(whole)) {
            if (/^[\w ]+$/.test(name)) expect(read(json, name)).toEqual(whole[name]);
          }
          expect(read(json, 'not there')).toEqual(whole['not there']);
        },
      ),
    );
  });

  it('ends on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const hostile = Buffer.concat([Buffer.from('{"a":'), Buffer.from(bytes)]);
        expect(() => topLevelMember(hostile, 'id')).not.toThrow();
      }),
    );
  });
});

describe('the elements of a list', () => {
  const elements = (text: string): string[] | undefined =>
    topLevelElements(Buffer.from(text))?.map((element) => element.toString('utf8'));

  it('are taken apart to the byte', () => {
    expect(elements(' [ {"a": [1, 2], "b": "]}\\"," } ,12345678901234567890.10 , "x,y", [ ] ]\n')).toEqual([
      '{"a": [1, 2], "b": "]}\\"," }',
      '12345678901234567890.10 ',
      '"x,y"',
      '[ ]',
    ]);
    expect(elements('[]')).toEqual([]);
  });

  it.each(['', '{}', '[', '[1', '[1,', '[1,]', '[,1]', '[1] 2', '[{"a": 1}', '["a]', '[1}', 'null'])(
    'are none of %j',
    (text) => {
      expect(elements(text)).toBeUndefined();
    },
  );

  it('are taken out of a member of an object as well, where nothing but lists has any', () => {
    const within = (text: string): string[] | undefined =>
      elementsOfMember(Buffer.from(text), 'data')?.map((element) => element.toString('utf8'));
    expect(within('{"object":"list", "data" : [ {"id":12345678901234567890} ,{}] ,"has_more":true}')).toEqual(
      ['{"id":12345678901234567890}', '{}'],
    );
    expect(within('{"data":[]}')).toEqual([]);
    for (const text of ['{"data":{}}', '{"data":null}', '{"rows":{"data":[]}}', '[]', '{"data":[1', ''])
      expect(within(text)).toBeUndefined();
  });
});

describe('topLevelBytes', () => {
  it('are those of the member, to the byte', () => {
    const json = Buffer.from('{"a":{"id":1}, "id" : { "n": 1.10 , "s":"}\\"" } ,"b":2}');
    expect(topLevelBytes(json, 'id')?.toString()).toBe('{ "n": 1.10 , "s":"}\\"" }');
    expect(topLevelBytes(json, 'c')).toBeUndefined();
  });
});
