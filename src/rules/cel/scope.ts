import { Environment } from '@marcbachmann/cel-js';
import { EVENT_TYPES, type EventType } from '../../events/event';
import type { LookupTables } from '../lookup-table';
import { registerConvertMacro } from './convert-macro';
import { ANY, scalarOf, sizeOfType, type Size } from './cost';
import { eventVariables, FACT_TYPES, otherSubjects } from './event-types';
import { registerValueTypes } from './functions';
import { PARSER_LIMITS } from './limits';
import { registerMoneyMacro } from './macros';
import { RAW_OBJECT, RawObject } from './raw';
import { registerOutputTypes, stepOutput, type OutputType } from './references';

/** The type of the table entries: the only map there is. */
const TABLE = 'map<string, string>';

/** The name of {@link SettingsValue}. */
export const SETTINGS = 'settings';

/** The value of `settings`: what a rule declares, as the organization has it. */
export class SettingsValue extends Map<string, unknown> {}
class TablesValue extends Map<string, ReadonlyMap<string, string>> {}
class StepsValue extends Map<string, StepValue> {}
abstract class StepValue extends Map<string, unknown> {}

/** By source. */
const tablesValues = new WeakMap<LookupTables, Map<string, TablesValue>>();

/** The value of `tables`, made once for each set of tables and each source. @param source its slug */
export function tablesValue(tables: LookupTables, source: string): unknown {
  const values = tablesValues.get(tables) ?? new Map<string, TablesValue>();
  tablesValues.set(tables, values);
  const known = values.get(source);
  if (known) return known;
  const value = new TablesValue([...tables].map(([name, table]) => [name, table.lookup(source)]));
  values.set(source, value);
  return value;
}

let shared: Environment | undefined;

/** Types and functions, the same for every rule; rules add their names to clones of it. */
function sharedEnvironment(): Environment {
  if (shared) return shared;
  const environment = new Environment({ limits: PARSER_LIMITS });
  registerValueTypes(environment);
  registerMoneyMacro(environment);
  registerConvertMacro(environment);
  registerOutputTypes(environment);
  environment.registerType(RAW_OBJECT, { ctor: RawObject });
  for (const { name, ctor, fields } of FACT_TYPES) {
    const types = Object.entries(fields).map(([field, { type }]) => [field, type] as const);
    environment.registerType(name, { ctor, fields: Object.fromEntries(types) });
  }
  return (shared = environment);
}

/** The outputs of one step, or undefined where its action is not known. */
export interface StepSignature {
  readonly id: string;
  readonly output: Readonly<Record<string, OutputType>> | undefined;
}

/** What the names of one rule mean: grows as its document is read from top to bottom. */
export class RuleScope {
  environment: Environment;
  /** Names that can be used here, with how large their values can be. */
  sizes = new Map<string, Size>();
  /** Names whose definition has a problem of its own: what depends on them is not judged. */
  readonly broken = new Set<string>();
  /** Names that exist, but not here, with the reason. */
  readonly elsewhere = new Map<string, string>();
  readonly tables: ReadonlySet<string>;
  /** Names of the settings that the rule declares; undefined: it declares none. */
  settings: ReadonlySet<string> | undefined;
  readonly steps = new Map<string, StepSignature>();
  /** Steps before the one being read: the only ones whose outputs it may use. */
  readonly earlierSteps = new Set<string>();
  /** Steps whose outputs no other step can use, with the member that says why: `forEach` or `notBefore`. */
  readonly withoutOutput = new Map<string, 'forEach' | 'notBefore'>();

  /** @param event undefined when the document names none that is known: then nothing about it is judged */
  constructor(event: EventType | undefined, tables: Iterable<string>) {
    this.environment = sharedEnvironment().clone();
    this.tables = new Set(tables);
    if (event === undefined) this.defineUnknownEvent();
    else this.defineEvent(event);
    this.environment.registerType('Tables', {
      ctor: TablesValue,
      fields: Object.fromEntries([...this.tables].map((name) => [name, TABLE])),
    });
    this.define('tables', 'Tables', scalarOf());
    this.define('raw', 'dyn', ANY);
    this.elsewhere.set('steps', 'only the steps below can use outputs of steps');
    this.elsewhere.set(SETTINGS, 'the rule declares none; add "settings" to it');
  }

  /** Declares what the organization can set. Without it `settings` is a name like any other. @param types CEL types by name */
  defineSettings(types: Readonly<Record<string, string>>): void {
    this.settings = new Set(Object.keys(types));
    this.environment.registerType('Settings', { ctor: SettingsValue, fields: { ...types } });
    this.define(SETTINGS, 'Settings', scalarOf());
  }

  /** Whether a name is taken, by this rule or by the language. */
  has(name: string): boolean {
    return this.sizes.has(name) || this.environment.hasVariable(name) || name in {};
  }

  define(name: string, type: string, size: Size): void {
    this.environment.registerVariable(name, type);
    this.sizes.set(name, size);
    this.elsewhere.delete(name);
  }

  /** A name whose definition is broken: known, so that it is complained about once only. */
  defineBroken(name: string): void {
    this.define(name, 'dyn', ANY);
    this.broken.add(name);
  }

  /** Reads with one more name, which is known within `read` only. */
  withName<T>(name: string, type: string, size: Size, read: () => T): T {
    const { environment, sizes } = this;
    this.environment = environment.clone();
    this.sizes = new Map(sizes);
    try {
      this.define(name, type, size);
      return read();
    } finally {
      this.environment = environment;
      this.sizes = sizes;
    }
  }

  /** Declares all steps at once; {@link earlierSteps} decides which of them may be used. */
  defineSteps(steps: readonly StepSignature[]): unknown {
    const value = new StepsValue();
    const fields: Record<string, string> = {};
    for (const step of steps) {
      this.steps.set(step.id, step);
      fields[step.id] = step.output === undefined ? 'dyn' : `Step_${step.id}`;
      if (step.output !== undefined) value.set(step.id, this.defineStep(step.id, step.output));
    }
    this.environment.registerType('Steps', { ctor: StepsValue, fields });
    this.define('steps', 'Steps', scalarOf());
    return value;
  }

  private defineStep(id: string, output: Readonly<Record<string, OutputType>>): StepValue {
    class OutputsOfStep extends StepValue {}
    this.environment.registerType(`Step_${id}`, { ctor: OutputsOfStep, fields: { ...output } });
    const outputs = Object.entries(output);
    return new OutputsOfStep(outputs.map(([name, type]) => [name, stepOutput(type, id, name)]));
  }

  private defineEvent(event: EventType): void {
    const variables = eventVariables(event);
    for (const [name, type] of Object.entries(variables)) this.define(name, type, sizeOfType(type));
    for (const name of otherSubjects(event)) {
      const has = name === 'customer' && 'order' in variables ? 'order.customer' : `no ${name}`;
      this.elsewhere.set(name, `${event.startsWith('o') ? 'an' : 'a'} ${event} event has ${has}`);
    }
  }

  /** Which event it is has a problem of its own; the rest is judged as if it brought everything. */
  private defineUnknownEvent(): void {
    const variables = Object.assign({}, ...EVENT_TYPES.map(eventVariables)) as Record<string, string>;
    for (const [name, type] of Object.entries(variables)) this.define(name, type, sizeOfType(type));
  }
}
