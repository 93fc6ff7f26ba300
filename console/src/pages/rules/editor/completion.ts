import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { ActionView, RuleNamesView } from '../../../../../src/admin/rules/actions.dto';
import type { TableView } from '../../../../../src/admin/rules/tables.dto';
import { candidates, elementOf, endsInText, type Meaning, typeOf } from './expression';
import { eventOf, membersOf, type Place, placeAt, stepsAbove, unquoted } from './place';

/** What the operators' API says about rules; what could not be read is absent, and is not offered. */
export interface Vocabulary {
  readonly schema: unknown;
  readonly actions: readonly ActionView[];
  readonly names: RuleNamesView | undefined;
  readonly tables: readonly TableView[];
}

type Schema = Readonly<Record<string, unknown>>;

const SETTING_TYPES: Readonly<Record<string, string>> = {
  ...{ text: 'string', choice: 'string', percentage: 'string' },
  ...{ bool: 'bool', int: 'int', Money: 'Money' },
};
/** Members that are expressions without `${…}`, by where they stand. */
const BARE = [/^when\/all\/\[\]$/, /^let\/\w+$/, /^then\/\[\]\/if$/, /^then\/\[\]\/forEach\/\w+$/];

/** Offers what can stand at the cursor: members, words to choose from, names in expressions. */
export function ruleCompletion(
  vocabulary: () => Vocabulary,
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const { state, pos } = context;
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    const lines = state.doc.toString().split('\n');
    const place = placeAt(lines, line.number - 1, before);
    if (isInComment(place)) return null;
    const expression = expressionBefore(place, before);
    if (expression !== undefined)
      return inExpression(context, expression, { lines, place, lineIndex: line.number - 1 }, vocabulary());
    return inDocument(context, before, place, vocabulary());
  };
}

/** In YAML a comment begins after a space, unless the whole value stands in quotation marks. */
function isInComment({ written }: Place): boolean {
  return !/^["']/.test(written) && /(?:^|\s)#/.test(written);
}

/** What is written of the expression at the cursor; undefined: it is in none. */
function expressionBefore({ path, kind, written }: Place, before: string): string | undefined {
  const begun = before.lastIndexOf('${');
  if (begun !== -1 && !before.slice(begun).includes('}')) return before.slice(begun + 2);
  const isBare = BARE.some((form) => form.test(path.join('/')));
  if (!isBare || (kind === 'member' && path.at(-1) !== '[]')) return undefined;
  return written.replace(/^["']/, '');
}

function inExpression(
  { explicit, pos }: CompletionContext,
  expression: string,
  at: { lines: readonly string[]; place: Place; lineIndex: number },
  vocabulary: Vocabulary,
): CompletionResult | null {
  const key = /\btables\.(\w+)\[(["'])([^"']*)$/.exec(expression);
  if (key) {
    const [, table, , written = ''] = key;
    const entries = vocabulary.tables.find(({ name }) => name === table)?.entries ?? {};
    const options = Object.entries(entries).map(([label, detail]) => ({ label, detail, type: 'constant' }));
    return { from: pos - written.length, options, validFor: /^[^"']*$/ };
  }
  if (endsInText(expression)) return null;
  const word = /\w*$/.exec(expression)?.[0] ?? '';
  const isAfterDot = /\.\w*$/.test(expression);
  if (word === '' && !isAfterDot && !explicit) return null;
  const options = candidates(expression, meaningAt(at, vocabulary)).map(
    ({ name, detail, isCall }): Completion => ({
      label: name,
      detail,
      type: isCall ? 'function' : isAfterDot ? 'property' : 'variable',
      ...(isCall && { apply: `${name}(` }),
      boost: isCall ? -1 : 0,
    }),
  );
  return { from: pos - word.length, options, validFor: /^\w*$/ };
}

/** What names mean at a line: those of the event, of the organization, and what the rule itself defines above. */
function meaningAt(
  { lines, place, lineIndex }: { lines: readonly string[]; place: Place; lineIndex: number },
  { names: known, tables, actions }: Vocabulary,
): Meaning {
  const event = eventOf(lines.join('\n'));
  const brought = known?.events.find((each) => each.event === event)?.names ?? [];
  const names = new Map(brought.map(({ name, type }) => [name, type]));
  const types = new Map(
    (known?.types ?? []).map(({ name, fields }) => [
      name,
      new Map(fields.map((field) => [field.name, field.type])),
    ]),
  );
  const meaning = { names, types, functions: known?.functions ?? [] };
  names.set('raw', 'dyn').set('tables', 'Tables');
  types.set('Tables', new Map(tables.map(({ name }) => [name, 'map<string, string>'])));
  const settings = settingsOf(lines);
  if (settings.size > 0) {
    names.set('settings', 'Settings');
    types.set('Settings', settings);
  }
  const [top, ...below] = place.path;
  const lets = membersOf(top === 'let' ? lines.slice(0, lineIndex) : lines, 'let');
  if (top !== 'when' && top !== 'settings')
    for (const [name, value] of lets) names.set(name, typeOf(value, meaning) ?? '');
  if (top !== 'then') return meaning;
  const steps = stepsAbove(lines, lineIndex).slice(0, -1);
  if (steps.length > 0) names.set('steps', 'Steps');
  types.set('Steps', new Map(steps.map(({ id }) => [id, `Step ${id}`])));
  for (const { id, action } of steps) {
    const output = actions.find(({ name }) => name === action)?.output ?? [];
    types.set(`Step ${id}`, new Map(output.map(({ name, type }) => [name, type])));
  }
  const [, element, list = ''] = /forEach\s*:\s*(?:\{\s*)?(\w+)\s*:\s*([^\n}]*)/.exec(place.step) ?? [];
  if (element !== undefined && !below.includes('forEach'))
    names.set(element, elementOf(typeOf(unquoted(list), meaning)) ?? '');
  return meaning;
}

function settingsOf(lines: readonly string[]): Map<string, string> {
  const settings = membersOf(lines, 'settings');
  return new Map(
    [...settings].map(([name, value]) => [
      name,
      SETTING_TYPES[/\btype\s*:\s*(\w+)/.exec(value)?.[1] ?? ''] ?? '',
    ]),
  );
}

function inDocument(
  { explicit, pos }: CompletionContext,
  before: string,
  place: Place,
  { schema, actions }: Vocabulary,
): CompletionResult | null {
  const named = /(?:^|[\s{,])(event|do)\s*:\s+["']?([\w.]*)$/.exec(before);
  if (named) {
    const [, member, written = ''] = named;
    const path = member === 'event' ? ['when', 'event'] : ['then', '[]', 'do'];
    const options = wordsOf(schemaAt(schema, path, '')).map((label): Completion => {
      const info = actions.find(({ name }) => name === label)?.description;
      return { label, type: 'enum', ...(info !== undefined && { info }) };
    });
    return { from: pos - written.length, options, validFor: /^[\w.]*$/ };
  }
  const { path, kind, written, step } = place;
  if (!/^[\w.-]*$/.test(written)) return null;
  if (kind === 'value') {
    const options = wordsOf(schemaAt(schema, path, step)).map((label) => ({ label, type: 'enum' }));
    return options.length === 0 ? null : { from: pos - written.length, options, validFor: /^[\w.-]*$/ };
  }
  if (written === '' && !explicit) return null;
  const action = actions.find(({ name }) => name === actionIn(step));
  const options = membersIn(schemaAt(schema, path, step)).map(({ name, description, isNeeded, of }) => {
    const type = path.at(-1) === 'with' ? action?.input.find((each) => each.name === name)?.type : undefined;
    return {
      label: name,
      type: 'property',
      apply: `${name}:${of === 'object' || of === 'array' ? '' : ' '}`,
      boost: isNeeded ? 1 : 0,
      detail: `${type ?? ''}${isNeeded ? ' *' : ''}`,
      ...(description !== undefined && { info: description }),
    } satisfies Completion;
  });
  return options.length === 0 ? null : { from: pos - written.length, options, validFor: /^[\w.-]*$/ };
}

function actionIn(step: string): string | undefined {
  return /(?:^|[\s{,])do\s*:\s*["']?([\w.]+)/.exec(step)?.[1];
}

function schemaAt(schema: unknown, path: readonly string[], step: string): Schema | undefined {
  let at = asSchema(schema);
  for (const [depth, name] of path.entries()) {
    const whole = written(at);
    at = asSchema(
      name === '[]'
        ? whole?.['items']
        : (asSchema(whole?.['properties'])?.[name] ?? whole?.['additionalProperties']),
    );
    if (depth === 1 && path[0] === 'then' && name === '[]') at = withAction(at, actionIn(step));
  }
  return written(at);
}

/** What a step looks like that does this action. */
function withAction(step: Schema | undefined, action: string | undefined): Schema | undefined {
  const branches = Array.isArray(step?.['allOf']) ? step['allOf'].map(asSchema) : [];
  const branch = branches.find((each) => {
    const condition = asSchema(asSchema(each?.['if'])?.['properties']);
    return asSchema(condition?.['do'])?.['const'] === action;
  });
  const then = asSchema(branch?.['then']);
  if (!step || !then) return step;
  const own = asSchema(step['properties']) ?? {};
  const more = asSchema(then['properties']) ?? {};
  const merged = Object.entries(own).flatMap(([name, of]) => {
    if (more[name] === false) return [];
    return [[name, { ...asSchema(of), ...asSchema(more[name]), ...(name === 'do' && asSchema(of)) }]];
  });
  return {
    ...step,
    properties: Object.fromEntries(merged) as Schema,
    required: [...textsOf(step['required']), ...textsOf(then['required'])],
  };
}

/** Of what is either an expression or written out: what is written out. */
function written(schema: Schema | undefined): Schema | undefined {
  const choices = Array.isArray(schema?.['anyOf']) ? schema['anyOf'].map(asSchema) : [];
  return choices.find((choice) => choice?.['type'] === 'object' || choice?.['type'] === 'array') ?? schema;
}

function membersIn(
  schema: Schema | undefined,
): { name: string; description: string | undefined; isNeeded: boolean; of: unknown }[] {
  const needed = new Set(textsOf(schema?.['required']));
  return Object.entries(asSchema(schema?.['properties']) ?? {}).map(([name, each]) => {
    const { description, type } = asSchema(each) ?? {};
    return {
      name,
      description: typeof description === 'string' ? description : undefined,
      isNeeded: needed.has(name),
      of: type,
    };
  });
}

function wordsOf(schema: Schema | undefined): string[] {
  if (schema?.['type'] === 'boolean') return ['true', 'false'];
  return textsOf(schema?.['enum']);
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function asSchema(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null ? (value as Schema) : undefined;
}
