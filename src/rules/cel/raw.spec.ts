import { parseJsonBytes } from '../../kernel/lossless-json';
import { paidOrder, textOf } from '../fixtures';

function withRaw(json: string) {
  return paidOrder({}, parseJsonBytes(Buffer.from(json)));
}

describe('the payload', () => {
  it.each([
    ['${raw.name}', 'Ana'],
    ['${raw.id}', '12345678901234567890'],
    ['${raw.fee}', '1.10'],
    ['${money(raw.fee) + money("0.05")}', '1.15'],
    ['${int(raw.count) + 1}', '8'],
    ['${raw.gift}', 'true'],
    ['${raw.gift == true}', 'true'],
    ['${raw["odd name"]}', 'odd'],
    ['${raw.notes.filter(n, n.name == "cpf").map(n, n.value)[0]}', 'secret'],
    ['${raw.notes.exists(n, n.name == "gift")}', 'false'],
    ['${raw.deep.er.still}', 'here'],
    ['${size(raw.notes)}', '2'],
    ['${"cpf" in raw.names}', 'true'],
    ['${has(raw.name)} ${has(raw["odd name"])} ${has(raw.deep.er.still)}', 'true true true'],
    [
      '${has(raw.nothing)} ${has(raw.nil)} ${has(raw.empty)} ${has(raw.nothing.at.all)}',
      'false false false false',
    ],
  ])('%s is %s', (template, expected) => {
    const event = withRaw(`{
      "name": "Ana", "id": 12345678901234567890, "fee": 1.10, "count": 7, "gift": true, "odd name": "odd",
      "notes": [{"name": "cpf", "value": "secret"}, {"name": "x", "value": "y"}], "names": ["cpf"],
      "deep": {"er": {"still": "here"}}, "nil": null, "empty": ""
    }`);
    expect(textOf(`= ${template}`, event)).toBe(`= ${expected}`);
  });

  it.each([
    ['${raw.nothing}', 'raw.nothing is absent; test has(raw.nothing) first'],
    ['${raw.nil}', 'raw.nil is absent; test has(raw.nil) first'],
    ['${raw.list}', 'the payload has no text here'],
    ['${raw.object}', 'the payload has no text here'],
    ['${raw.object.map(k, string(k)).join()}', 'an object of the payload is not a list'],
    ['= ${money(raw.object)}', 'money() needs text'],
    ['${raw.text.map(x, string(x)).join()}', 'raw.text cannot be computed'],
    ['${raw.list[5]}', 'the list has no element at this position'],
    ['${string(raw.list)}', 'something in the payload is not of the kind that string(raw.list) needs'],
  ])('%s is refused: %s', (template, reason) => {
    const event = withRaw('{"nil": null, "list": [null, "a"], "object": {"a": 1}, "text": "t"}');
    expect(textOf(template, event)).toEqual({ refused: `input "name": ${reason}` });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'])(
    'has a member "%s" only when the payload has one',
    (name) => {
      expect(textOf(`= \${has(raw["${name}"])}`, withRaw('{}'))).toBe('= false');
      expect(textOf(`\${raw["${name}"]}`, withRaw('{}'))).toHaveProperty('refused');
      expect(textOf(`\${raw["${name}"]}`, withRaw(`{"${name}": "mine"}`))).toBe('mine');
      expect(textOf(`\${raw["${name}"].x}`, withRaw(`{"${name}": {"x": "mine"}}`))).toBe('mine');
    },
  );

  it('does not lend its members to anything else', () => {
    const event = withRaw('{"__proto__": {"polluted": "yes"}, "a": {}}');
    expect(textOf('${has(raw.polluted)} ${has(raw.a.polluted)}', event)).toBe('false false');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each([['[]'], ['"text"'], ['null'], ['5']])('that is %s has no members', (json) => {
    expect(textOf('= ${has(raw.a)}', withRaw(json))).toBe('= false');
  });

  it('refuses lists and texts that are too large, when they are read', () => {
    const event = withRaw(
      JSON.stringify({ list: Array.from({ length: 501 }, () => 1), text: 'x'.repeat(5_001) }),
    );
    expect(textOf('${order.number}${has(raw.other)}', event)).toBe('#1001false');
    expect(textOf('= ${size(raw.list)}', event)).toEqual({
      refused: 'input "name": the list "list" has 501 elements; a rule can read at most 500',
    });
    expect(textOf('${raw.text}', event)).toEqual({
      refused: 'input "name": the text "text" is longer than 5000 characters',
    });
  });
});
