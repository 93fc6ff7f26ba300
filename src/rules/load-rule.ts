import { LRUCache } from 'lru-cache';
import { EVENT_TYPES, type EventType } from '../events/event';
import { RuleScope } from './cel/scope';
import type { CompiledCondition, CompiledLet, CompiledRule } from './compiled-rule';
import { Problems, type RuleProblem } from './document/problems';
import { readYaml, type DocumentNode, type MapNode, type TextNode } from './document/yaml-nodes';
import { Expressions } from './load/expressions';
import { asList, asMap, asText, Members } from './load/members';
import { SettingsReader } from './load/settings';
import { nameProblem, StepReader } from './load/steps';
import { CEL_TYPES, type RuleSetting, type SettingTexts, settingsReader } from './rule-settings';
import { meantOr, nearestName } from '../kernel/nearest';

/** What a rule is checked against. */
export interface RuleEnvironment {
  /** Names of the organization's lookup tables. */
  readonly tables: Iterable<string>;
  /** The only name it may have; absent: any. */
  readonly name?: string;
  /** What the organization has set on its rules, by the name of the rule; absent: nothing. */
  readonly settings?: ReadonlyMap<string, SettingTexts>;
  /** Names, values and signs it may be made of; absent: any number, for what is in force goes on. */
  readonly maxPieces?: number;
  /**
   * That nobody works with it yet: steps whose inputs contradict each other are problems. Absent: what is in force goes on, as
   * far as it does not need such a step.
   */
  readonly isNew?: boolean;
}

/** What a rule says of itself, as far as it can be read. */
export interface RuleHead {
  readonly name?: string;
  readonly event?: EventType;
  readonly settings?: readonly RuleSetting[];
}

export type LoadedRule =
  { readonly rule: CompiledRule } | { readonly problems: readonly RuleProblem[]; readonly head: RuleHead };

const RULE_NAME = /^[a-z][a-z0-9-]{0,62}$/;
/** What a rule is made of. */
export const RULE_MEMBERS: readonly string[] = [
  'rule',
  'priority',
  'stop',
  'settings',
  'when',
  'let',
  'then',
];
const MAX_PRIORITY = 1_000;
/** Conditions, lets, steps: no real rule comes near it. */
const MAX_ENTRIES = 50;

/** Characters of documents and of what they were checked against, all together. */
const MOST_REMEMBERED = 256 * 1024;
/** What was read lately: a start and each new organization read the same rules several times. */
const remembered = new LRUCache<string, LoadedRule>({
  maxSize: MOST_REMEMBERED,
  sizeCalculation: (_, key) => key.length,
});

/**
 * Reads a rule document, YAML or JSON, and checks everything that can be known without an event: shape, names,
 * types, inputs of actions, references between steps, lookup tables, cost.
 * @param version 1-based; plans carry it
 * @returns the rule, or every problem found, with line and column, in the document's order
 */
export function loadRule(document: string, environment: RuleEnvironment, version = 1): LoadedRule {
  const { tables, name, settings, maxPieces, isNew = false } = environment;
  const known = { ...environment, tables: [...tables] };
  const key = JSON.stringify([
    version,
    maxPieces,
    isNew,
    name,
    known.tables,
    [...(settings ?? [])],
    document,
  ]);
  let loaded = remembered.get(key);
  if (!loaded) remembered.set(key, (loaded = read(document, known, version)));
  return loaded;
}

function read(document: string, environment: RuleEnvironment, version: number): LoadedRule {
  const problems = new Problems(document);
  const root = readYaml(document, problems, environment.maxPieces);
  const map = root && asMap('a rule', root, problems);
  const reader = new RuleReader(problems, environment);
  const rule = map && reader.read(map, version);
  return rule && problems.isEmpty ? { rule } : { problems: problems.list(), head: reader.head };
}

/** Whether a rule can have this name. */
export function isRuleName(text: string): boolean {
  return RULE_NAME.test(text);
}

function isPriority(text: string): boolean {
  return /^-?\d{1,4}$/.test(text) && Math.abs(Number(text)) <= MAX_PRIORITY;
}

function celTypesOf(settings: readonly RuleSetting[]): Record<string, string> {
  return Object.fromEntries(settings.map(({ name, type }) => [name, CEL_TYPES[type]]));
}

class RuleReader {
  head: RuleHead = {};

  constructor(
    private readonly problems: Problems,
    private readonly environment: RuleEnvironment,
  ) {}

  read(map: MapNode, version: number): CompiledRule | undefined {
    const members = new Members('the rule', map, RULE_MEMBERS, this.problems);
    const name = this.ruleName(members);
    const { priority, stop } = this.rank(members);
    const texts = (name === undefined ? undefined : this.environment.settings?.get(name)) ?? {};
    const settings = this.settings(members, texts);
    const when = members.need('when')?.value;
    const whenMap = when && asMap('"when"', when, this.problems);
    const whenMembers = whenMap && new Members('"when"', whenMap, ['event', 'all'], this.problems);
    const event = whenMembers && this.event(whenMembers);
    this.head = { name, event, ...(settings && { settings }) };
    const scope = new RuleScope(event, this.environment.tables);
    if (settings) scope.defineSettings(celTypesOf(settings));
    const expressions = new Expressions(scope, this.problems);
    const letNodes = this.letNodes(members.get('let')?.value, expressions);
    const conditions = this.conditions(whenMembers?.get('all')?.value, expressions);
    const conditionsCost = expressions.cost;
    const lets = this.lets(letNodes, expressions);
    const then = members.need('then')?.value;
    const list = then && asList('"then"', then, this.problems);
    if (list?.items.length === 0) this.problems.add(list.offset, '"then" has no steps');
    const items = this.atMost('steps', list?.items ?? [], then);
    const { steps, stepOutputs } = new StepReader(expressions, this.environment.isNew === true).read(items);
    if (name === undefined || event === undefined) return undefined;
    const { usesRaw, cost } = expressions;
    return {
      ...{ name, version, event, priority, stop, conditions, lets, steps, stepOutputs, usesRaw, cost },
      ...{ conditionsCost, settings: settings ?? [], settingsIn: settingsReader(settings ?? [], texts) },
    };
  }

  private rank(members: Members): { priority: number; stop: boolean } {
    const priority = members.get('priority')?.value;
    if (priority !== undefined && !(priority.kind === 'text' && isPriority(priority.value))) {
      const message = `"priority" is a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}; rules with a higher one are tried first`;
      this.problems.add(priority.offset, message);
    }
    const stop = members.get('stop')?.value;
    const isStop = stop?.kind === 'text' && stop.value === 'true';
    if (stop !== undefined && !isStop && !(stop.kind === 'text' && stop.value === 'false'))
      this.problems.add(stop.offset, '"stop" is true or false');
    return { priority: priority?.kind === 'text' ? Number(priority.value) : 0, stop: isStop };
  }

  private settings(members: Members, texts: SettingTexts): RuleSetting[] | undefined {
    const node = members.get('settings')?.value;
    return node && new SettingsReader(this.problems, texts).read(node);
  }

  private ruleName(members: Members): string | undefined {
    const node = members.text('rule');
    if (node === undefined) return undefined;
    if (!isRuleName(node.value)) {
      this.problems.add(node.offset, "a rule's name is made of lower-case letters, digits and hyphens");
      return undefined;
    }
    const { name } = this.environment;
    if (name !== undefined && name !== node.value)
      this.problems.add(node.offset, `the rule is called "${node.value}" here, and "${name}" in the address`);
    return node.value;
  }

  private event(members: Members): EventType | undefined {
    const node = members.text('event');
    if (node === undefined) return undefined;
    const event = EVENT_TYPES.find((type) => type === node.value);
    if (event !== undefined) return event;
    const nearest = nearestName(node.value, EVENT_TYPES);
    this.problems.add(
      node.offset,
      `there is no event "${node.value}"${meantOr(nearest, EVENT_TYPES)}`,
      nearest,
    );
    return undefined;
  }

  private conditions(node: DocumentNode | undefined, expressions: Expressions): CompiledCondition[] {
    const list = node && asList('"all"', node, this.problems);
    const items = this.atMost('conditions', list?.items ?? [], node);
    return items.flatMap((item, index) => {
      const source = asText(`condition ${index + 1}`, item, this.problems);
      const condition = source && expressions.condition(source);
      return condition === undefined ? [] : [condition];
    });
  }

  /** Names first: what is used too early is told apart from what does not exist. */
  private letNodes(
    node: DocumentNode | undefined,
    { scope }: Expressions,
  ): { name: TextNode; value: DocumentNode }[] {
    const map = node && asMap('"let"', node, this.problems);
    const members = this.atMost('names', [...(map?.members.values() ?? [])], node);
    return members.flatMap(({ key, value }) => {
      if (!this.isFreeName(key, scope)) return [];
      scope.elsewhere.set(key.value, 'it is defined further down');
      return [{ name: key, value }];
    });
  }

  private isFreeName(name: TextNode, scope: RuleScope): boolean {
    const problem = nameProblem(name.value, scope);
    if (problem !== undefined) this.problems.add(name.offset, problem);
    return problem === undefined;
  }

  private lets(
    nodes: readonly { name: TextNode; value: DocumentNode }[],
    expressions: Expressions,
  ): CompiledLet[] {
    return nodes.flatMap(({ name: { value: name }, value }) => {
      const source = asText(`"${name}"`, value, this.problems);
      const expression = source && expressions.whole(source, undefined);
      if (expression === undefined || expression.uncertain) {
        expressions.scope.defineBroken(name);
        return [];
      }
      expressions.scope.define(name, expression.type, expression.size);
      return [{ name, source: source?.value ?? '', evaluate: (values) => expression.evaluate(values) }];
    });
  }

  private atMost<T>(what: string, items: readonly T[], node: DocumentNode | undefined): readonly T[] {
    if (items.length <= MAX_ENTRIES) return items;
    this.problems.add(
      node?.offset ?? 0,
      `there are ${items.length} ${what}; at most ${MAX_ENTRIES} are taken`,
    );
    return items.slice(0, MAX_ENTRIES);
  }
}
