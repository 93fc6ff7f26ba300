import { EVENT_TYPES } from '../events/event';
import {
  type ActionDescription,
  describeActions,
  findAction,
  type InputDescription,
} from './actions/registry';
import { SETTING_TYPES } from './rule-settings';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Numbers and `true` in YAML are text to Ponte, and not to an editor. */
const TEXT = { type: ['string', 'number', 'boolean'] };
/** A whole value that is one expression. */
const EXPRESSION = { type: 'string', pattern: '^\\s*\\$\\{[\\s\\S]*\\}\\s*$' };
/** An expression that stands alone is written without braces. */
const BARE = { ...TEXT, not: EXPRESSION };
const NAME = '^[a-z][A-Za-z0-9_]{0,62}$';
/** Types whose values can be written without an expression. */
const WRITTEN: ReadonlySet<string> = new Set(['string', 'int', 'bool']);

/**
 * What a rule document looks like, for editors: members, events, actions with their inputs. What expressions say is checked
 * by Ponte alone.
 */
export function ruleSchema(): JsonSchema {
  const actions = describeActions();
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A rule of Ponte',
    ...object(
      {
        rule: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,62}$', description: 'Its name' },
        priority: {
          ...{ type: 'integer', minimum: -1_000, maximum: 1_000, default: 0 },
          description: 'Rules with a higher one are tried first',
        },
        stop: { type: 'boolean', default: false, description: 'Where it applies, no rule after it is tried' },
        settings: {
          ...{ type: 'object', maxProperties: 50, propertyNames: { pattern: NAME } },
          ...{ additionalProperties: setting(), description: 'What an organization can set' },
        },
        when: object(
          {
            event: { enum: [...EVENT_TYPES], description: 'The one event it acts on' },
            all: { type: 'array', maxItems: 50, items: BARE, description: 'Conditions; all must be true' },
          },
          ['event'],
        ),
        let: {
          ...{ type: 'object', maxProperties: 50, propertyNames: { pattern: NAME } },
          ...{ additionalProperties: BARE, description: 'Names for values' },
        },
        then: {
          type: 'array',
          minItems: 1,
          maxItems: 50,
          items: step(actions),
          description: 'Steps, from top to bottom',
        },
      },
      ['rule', 'when', 'then'],
    ),
  };
}

function object(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function setting(): JsonSchema {
  const properties = {
    type: { enum: [...SETTING_TYPES] },
    of: {
      type: 'array',
      minItems: 2,
      maxItems: 50,
      items: TEXT,
      description: 'What there is to choose from',
    },
    default: TEXT,
    description: { type: 'string' },
  };
  return {
    ...object(properties, ['type', 'default', 'description']),
    ...when('type', 'choice', { required: ['of'] }),
    else: { not: { required: ['of'] } },
  };
}

/** What holds in addition where a member has this value. */
function when(member: string, value: string, then: JsonSchema): JsonSchema {
  return { if: { properties: { [member]: { const: value } }, required: [member] }, then };
}

function step(actions: readonly ActionDescription[]): JsonSchema {
  const properties = {
    id: { type: 'string', pattern: NAME, description: 'Its name' },
    forEach: {
      ...{ type: 'object', minProperties: 1, maxProperties: 1, propertyNames: { pattern: NAME } },
      ...{ additionalProperties: BARE, description: 'The name of an element, and the list it is from' },
    },
    if: { ...BARE, description: 'It is left out where this is false' },
    do: { enum: actions.map(({ name }) => name), description: 'The action' },
    key: { ...TEXT, description: 'The business key of its effect' },
    with: { type: 'object', description: "The action's inputs" },
    ifMissing: {
      ...{ enum: ['refuse', 'skip', 'wait'] },
      description: 'What becomes of the step where what it looks for is not there',
    },
    onRefused: {
      enum: ['stop', 'continue'],
      description: 'What becomes of the rule where the step is refused',
    },
    approval: { enum: ['required'], description: 'An operator has to approve the effects' },
    notBefore: { ...EXPRESSION, description: 'The day before which it is not done' },
  };
  return { ...object(properties, ['id', 'do']), allOf: actions.map(stepOf) };
}

function stepOf({ name, description, key, input }: ActionDescription): JsonSchema {
  const needsInputs = input.some(({ required }) => required);
  const required = [...(key.required ? ['key'] : []), ...(needsInputs ? ['with'] : [])];
  const properties = {
    do: { description },
    key: { description: key.description },
    with: fields(input),
    ...ifMissingOf(name),
  };
  return when('do', name, { required, properties });
}

/** Only a step that looks for a record says what becomes of it where there is none. */
function ifMissingOf(name: string): JsonSchema {
  const finds = findAction(name)?.finds;
  if (!finds) return { ifMissing: false };
  return finds.canWait ? {} : { ifMissing: { enum: ['refuse', 'skip'] } };
}

function fields(input: readonly InputDescription[]): JsonSchema {
  const properties = Object.fromEntries(
    input.map((field) => [field.name, { ...valueOf(field), description: field.description }]),
  );
  return object(
    properties,
    input.filter(({ required }) => required).map(({ name }) => name),
  );
}

function valueOf({ type, fields: inner }: InputDescription): JsonSchema {
  if (inner !== undefined) {
    const written = fields(inner);
    return {
      anyOf: [EXPRESSION, type.startsWith('list<') ? { type: 'array', items: itemOf(written) } : written],
    };
  }
  if (type.startsWith('list<')) return { anyOf: [EXPRESSION, { type: 'array' }] };
  if (type === 'object') return { type: 'object', additionalProperties: TEXT };
  const kinds = type.split(' | ');
  if (kinds.some((kind) => WRITTEN.has(kind))) return TEXT;
  const words = kinds.filter((kind) => /^[a-z]/.test(kind));
  return words.length === 0 ? EXPRESSION : { anyOf: [EXPRESSION, { enum: words }] };
}

function itemOf(written: JsonSchema): JsonSchema {
  return { anyOf: [EXPRESSION, written] };
}
