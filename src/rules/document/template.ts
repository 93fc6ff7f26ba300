/** A piece of a mapped value: text as it stands, or an expression from `${` to `}`. */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'expression';
      readonly source: string;
      /** Where the source begins in the value. */ readonly start: number;
    };

export type Template =
  | { readonly parts: readonly TemplatePart[] }
  | { readonly problem: { readonly start: number; readonly message: string } };

/**
 * Cuts a mapped value into text and expressions. `$${` stands for `${` itself. Braces and quotes inside an
 * expression's text do not end it.
 */
export function parseTemplate(value: string): Template {
  const parts: TemplatePart[] = [];
  let literal = '';
  let at = 0;
  while (at < value.length) {
    if (value.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (value.startsWith('${', at)) {
      const end = expressionEnd(value, at + 2);
      if (end === undefined) return { problem: { start: at, message: unclosed(value) } };
      if (literal !== '') parts.push({ kind: 'literal', text: literal });
      parts.push({ kind: 'expression', source: value.slice(at + 2, end), start: at + 2 });
      literal = '';
      at = end + 1;
    } else {
      literal += value[at];
      at += 1;
    }
  }
  if (literal !== '') parts.push({ kind: 'literal', text: literal });
  return { parts };
}

function unclosed(value: string): string {
  const cut = /["'][^"']*$/.test(value)
    ? ' (a "#" after a space begins a comment: put quotes around the value)'
    : '';
  return `"\${" is not closed by "}"${cut}`;
}

/** Where the `}` of an expression stands that begins at `from`. */
function expressionEnd(value: string, from: number): number | undefined {
  let depth = 0;
  let at = from;
  while (at < value.length) {
    const character = value[at];
    if (character === '"' || character === "'") {
      const end = stringEnd(value, at, character);
      if (end === undefined) return undefined;
      at = end;
      continue;
    }
    if (character === '{') depth += 1;
    if (character === '}') {
      if (depth === 0) return at;
      depth -= 1;
    }
    at += 1;
  }
  return undefined;
}

/** One past the closing quote of CEL text: single or triple quotes, with backslash escapes unless it is raw. */
function stringEnd(value: string, start: number, quote: string): number | undefined {
  const triple = quote.repeat(3);
  const closing = value.startsWith(triple, start) ? triple : quote;
  let at = start + closing.length;
  while (at < value.length) {
    if (value[at] === '\\') at += 2;
    else if (value.startsWith(closing, at)) return at + closing.length;
    else at += 1;
  }
  return undefined;
}
