import fc from 'fast-check';
import { parseTemplate } from './template';

describe('a mapped value', () => {
  it.each([
    ['text alone', 'abc', [{ kind: 'literal', text: 'abc' }]],
    ['an expression alone', '${a.b}', [{ kind: 'expression', source: 'a.b', start: 2 }]],
    [
      'text around expressions',
      'x ${a} y ${b}',
      [
        { kind: 'literal', text: 'x ' },
        { kind: 'expression', source: 'a', start: 4 },
        { kind: 'literal', text: ' y ' },
        { kind: 'expression', source: 'b', start: 11 },
      ],
    ],
    [
      'braces in text of an expression',
      '${"}" + \'{\'}',
      [{ kind: 'expression', source: '"}" + \'{\'', start: 2 }],
    ],
    ['braces in braces', '${{a}}', [{ kind: 'expression', source: '{a}', start: 2 }]],
    ['an escaped quote', '${"a\\"}"}', [{ kind: 'expression', source: '"a\\"}"', start: 2 }]],
    ['triple quotes', '${"""a"}"""}', [{ kind: 'expression', source: '"""a"}"""', start: 2 }]],
    ['an escaped opening', 'a $${b}', [{ kind: 'literal', text: 'a ${b}' }]],
    ['a dollar alone', '$5 {x}', [{ kind: 'literal', text: '$5 {x}' }]],
    ['nothing', '', []],
  ])('of %s', (_, value, parts) => {
    expect(parseTemplate(value)).toEqual({ parts });
  });

  it.each([
    ['a ${b', 2],
    ['${"}', 0],
    ['${a ${b}', 0],
  ])('%s is not closed', (value, start) => {
    expect(parseTemplate(value)).toMatchObject({
      problem: { start, message: expect.stringContaining('is not closed') as string },
    });
  });

  it('loses nothing: text and expressions put together again give the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '$', '{', '}', '"', ' ') }), (value) => {
        const template = parseTemplate(value);
        if ('problem' in template) return;
        const written = template.parts.map((part) =>
          part.kind === 'literal' ? part.text.split('${').join('$${') : `\${${part.source}}`,
        );
        expect(written.join('')).toBe(value);
      }),
    );
  });
});
