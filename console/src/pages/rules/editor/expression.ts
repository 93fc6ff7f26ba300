import type { RuleNamesView } from '../../../../../src/admin/rules/actions.dto';

/** What names mean in an expression: their types, and what types and functions there are. */
export interface Meaning {
  readonly names: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly functions: RuleNamesView['functions'];
}

/** What may follow: a name with its type, or how a function is written. */
export interface Candidate {
  readonly name: string;
  readonly detail: string;
  readonly isCall: boolean;
}

const COMPREHENSIONS = 'map|filter|exists_one|exists|all';

/** A text with all that belongs to it, as far as it is written. */
const TEXT = /(["'])((?:\\[\s\S]|(?!\1)[^\\])*)(\1?)/g;

/** Whether an expression ends within a text, where nothing is a name. */
export function endsInText(expression: string): boolean {
  return [...expression.matchAll(TEXT)].some(([, , , end]) => end === '');
}

/** The same with nothing in its texts that could be taken for brackets or names. */
function withoutTexts(expression: string): string {
  return expression.replace(TEXT, (_whole, mark: string, _text, end: string) => `${mark}${end}`);
}

/** What can stand where `written` ends, of which the last word may be begun. */
export function candidates(written: string, { names, types, functions }: Meaning): Candidate[] {
  const before = withoutTexts(written);
  const known = withElements(before, { names, types, functions });
  if (!/\.\w*$/.test(before)) {
    const own = [...known.names].map(([name, type]) => ({ name, detail: type, isCall: false }));
    const free = functions.flatMap(({ name, forms }) => {
      const form = forms.find((each) => each.startsWith(`${name}(`));
      return form === undefined ? [] : [{ name, detail: form, isCall: true }];
    });
    return [...own, ...free];
  }
  const type = typeOf(chainBefore(before.replace(/\.\w*$/, '')), known);
  const fields = [...(types.get(type ?? '') ?? [])].map(([name, of]) => ({
    ...{ name, detail: of, isCall: false },
  }));
  return [...fields, ...methodsOf(type, functions)];
}

/** The CEL type of a name with fields, elements and calls after it; undefined: it cannot be told. */
export function typeOf(expression: string, { names, types, functions }: Meaning): string | undefined {
  const [, first, rest = ''] = /^\s*(\w+)([\s\S]*)$/.exec(withoutTexts(expression)) ?? [];
  if (first === undefined) return undefined;
  let [type, left] = [names.get(first), rest];
  if (type === undefined && left.startsWith('(')) {
    type = resultOf(functions, first, (form) => form.startsWith(`${first}(`));
    left = left.slice(closing(left));
  }
  while (type !== undefined && left.trim() !== '') {
    const field = /^\.(\w+)/.exec(left);
    if (left.startsWith('[')) {
      left = left.slice(closing(left));
      type = elementOf(type) ?? (type === 'map<string, string>' ? 'string' : undefined);
    } else if (field?.[1] !== undefined) {
      left = left.slice(field[0].length);
      if (left.startsWith('(')) {
        left = left.slice(closing(left));
        type = resultOfMethod(type, field[1], functions);
      } else type = types.get(type)?.get(field[1]);
    } else return undefined;
  }
  return type;
}

export function elementOf(type: string | undefined): string | undefined {
  return /^list<(.*)>$/.exec(type ?? '')?.[1];
}

/** The names of elements that a comprehension brings: `l` within `order.lines.filter(l, …`. */
function withElements(before: string, meaning: Meaning): Meaning {
  const names = new Map(meaning.names);
  const begun = new RegExp(`([\\w.[\\]]+)\\.(?:${COMPREHENSIONS})\\(\\s*(\\w+)\\s*,`, 'g');
  for (const [, list = '', name = ''] of before.matchAll(begun))
    names.set(name, elementOf(typeOf(list, { ...meaning, names })) ?? '');
  return { ...meaning, names };
}

/** The last chain of names, elements and calls in a text: `b.c[0]` of `a + b.c[0]`. */
function chainBefore(text: string): string {
  let at = text.length;
  while (at > 0) {
    const letter = text[at - 1] ?? '';
    if (letter === ')' || letter === ']') {
      const opened = opening(text, at - 1);
      if (opened === -1) break;
      at = opened;
    } else if (/[\w.]/.test(letter)) at -= 1;
    else break;
  }
  return text.slice(at);
}

function opening(text: string, close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at -= 1) {
    if (text[at] === ')' || text[at] === ']') depth += 1;
    if ((text[at] === '(' || text[at] === '[') && (depth -= 1) === 0) return at;
  }
  return -1;
}

/** Where what begins with a bracket ends. */
function closing(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(' || text[at] === '[') depth += 1;
    if ((text[at] === ')' || text[at] === ']') && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}

function methodsOf(type: string | undefined, functions: Meaning['functions']): Candidate[] {
  if (type === undefined) return [];
  return functions.flatMap(({ name, forms }) => {
    const form = forms.find((each) => takes(each, type, name));
    return form === undefined ? [] : [{ name, detail: form, isCall: true }];
  });
}

/** Whether a function is written after a value of a type: `list.size()` after any list. */
function takes(form: string, type: string, name: string): boolean {
  const [receiver] = form.split(`.${name}(`);
  if (receiver === form || receiver === undefined) return false;
  return receiver === type || (receiver === 'list' && type.startsWith('list<'));
}

function resultOfMethod(type: string, name: string, functions: Meaning['functions']): string | undefined {
  const result = resultOf(functions, name, (form) => takes(form, type, name));
  // What is left of a list has the same elements.
  return result === 'list' ? (name === 'filter' ? type : undefined) : result;
}

function resultOf(
  functions: Meaning['functions'],
  name: string,
  fits: (form: string) => boolean,
): string | undefined {
  const form = functions.find((each) => each.name === name)?.forms.find(fits);
  return form?.split(') : ')[1];
}
