import { EVENT_TYPES, type EventType } from '../events/event';
import { eventVariables, FACT_TYPES } from './cel/event-types';
import { SIGNATURES, VALUE_FIELDS } from './cel/functions';

/** A name in an expression, with its CEL type. */
export interface TypedName {
  name: string;
  type: string;
}

/** What expressions can say, as data, for editors of rules. */
export interface RuleNames {
  /** What each event brings. */
  events: { event: EventType; names: TypedName[] }[];
  types: { name: string; fields: TypedName[] }[];
  functions: { name: string; forms: string[] }[];
}

/** Names that every rule knows; tables, settings and steps are of an organization or a rule. */
export function ruleNames(): RuleNames {
  const values = Object.entries(VALUE_FIELDS).map(([name, fields]) => ({ name, fields: typed(fields) }));
  const facts = FACT_TYPES.map(({ name, fields }) => ({
    name,
    fields: Object.entries(fields).map(([field, { type }]) => ({ name: field, type })),
  }));
  return {
    events: EVENT_TYPES.map((event) => ({ event, names: typed(eventVariables(event)) })),
    types: [...facts, ...values],
    functions: Object.entries(SIGNATURES).map(([name, forms]) => ({ name, forms: [...forms] })),
  };
}

function typed(names: Readonly<Record<string, string>>): TypedName[] {
  return Object.entries(names).map(([name, type]) => ({ name, type }));
}
