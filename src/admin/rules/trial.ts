import type { CanonicalEvent, EventType } from '../../events/event';
import { readEvent } from '../../events/read-event';
import { parseJsonBytes } from '../../kernel/lossless-json';
import type { DocumentKey } from '../../kernel/document-key';
import type { Organization } from '../../kernel/organization';
import type { FieldError } from '../../kernel/problem';
import type { CompiledRule } from '../../rules/compiled-rule';
import type { RuleProblem } from '../../rules/document/problems';
import { MAX_RULE_PIECES } from '../../rules/document/yaml-nodes';
import { loadRule } from '../../rules/load-rule';
import { LookupTable, type LookupTables } from '../../rules/lookup-table';
import { planRule, type RuleContext } from '../../rules/plan-rule';
import type { Costly } from '../../rules/event-budget';
import type { RuleSetting, SettingTexts } from '../../rules/rule-settings';
import { type RuleTraits, traitsOf } from '../../rules/shared-keys';
import type { PreviewedEvent } from './preview.dto';

/*
 * Reading and trying rule documents, as tasks and answers that can be sent between threads. What somebody sends to be
 * tried may take long; it is done where it keeps nobody waiting (see `trials.ts`).
 */

/** A document to be read. */
export interface CheckTask {
  readonly kind: 'check';
  readonly document: string;
  /** Names of the organization's lookup tables. */
  readonly tables: readonly string[];
  /** What the organization has set on its rules, by the name of the rule. */
  readonly settings: ReadonlyMap<string, SettingTexts>;
  /** The only name the rule may have; absent: any. */
  readonly name?: string;
  /** Whether it is stored already: it may then be larger than a new one. */
  readonly stored?: boolean;
}

export interface CheckAnswer {
  readonly name: string | null;
  readonly event: EventType | null;
  /** Null where it has problems. */
  readonly rule: CheckedRule | null;
  /** What it declares, as far as that can be read. */
  readonly settings: readonly RuleSetting[];
  readonly problems: readonly RuleProblem[];
}

/** What is asked of a rule that has no problems. */
export type CheckedRule = RuleTraits & Costly;

/** A canonical event as JSON text, and its payload where that is not in the text. */
export interface EventText {
  readonly json: string;
  readonly raw?: unknown;
}

/** A document to be tried on events. */
export interface PreviewTask {
  readonly kind: 'preview';
  readonly document: string;
  readonly name: string;
  /** Of the stored rule; undefined when the document is not stored: it may then not be as large. */
  readonly version: number | undefined;
  readonly organization: Organization;
  readonly documentKey: DocumentKey;
  /** What the organization has set on the rule. */
  readonly settings: SettingTexts;
  /** Entries by the table's name. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly events: readonly EventText[];
}

/** What the rule would do; or what is wrong with the document, or with the first event that is none. */
export type PreviewAnswer =
  | {
      readonly events: PreviewedEvent[];
      readonly rule: CheckedRule;
    }
  | { readonly problems: readonly RuleProblem[] }
  | { readonly faults: FieldError[] };

export function runTrial(task: CheckTask | PreviewTask): CheckAnswer | PreviewAnswer {
  return task.kind === 'check' ? check(task) : preview(task);
}

function check({ document, tables, settings, name, stored = false }: CheckTask): CheckAnswer {
  const environment = { tables, settings, ...(name !== undefined && { name }), ...strictness(stored) };
  const loaded = loadRule(document, environment);
  if ('rule' in loaded) {
    const { rule } = loaded;
    return { name: rule.name, event: rule.event, rule: checked(rule), settings: rule.settings, problems: [] };
  }
  const { head, problems } = loaded;
  const { name: own = null, event = null, settings: declared = [] } = head;
  return { name: own, event, rule: null, settings: declared, problems };
}

function checked(rule: CompiledRule): CheckedRule {
  const { cost, conditionsCost, event } = rule;
  return { ...traitsOf(rule), cost, conditionsCost, event };
}

function strictness(stored: boolean): { maxPieces?: number; isNew?: boolean } {
  return stored ? {} : { maxPieces: MAX_RULE_PIECES, isNew: true };
}

function preview(task: PreviewTask): PreviewAnswer {
  const { document, name, version, organization, documentKey, tables, events } = task;
  const settings = new Map([[name, task.settings]]);
  const environment = { tables: tables.keys(), settings, name, ...strictness(version !== undefined) };
  const loaded = loadRule(document, environment, version);
  if ('problems' in loaded) return { problems: loaded.problems };
  const lookups: LookupTables = new Map(
    [...tables].map(([table, entries]) => [table, new LookupTable(table, entries)]),
  );
  const context = { organization, documentKey, tables: lookups };
  const previewed: PreviewedEvent[] = [];
  for (const { json, raw } of events) {
    const read = readEvent(parseJsonBytes(Buffer.from(json)));
    if ('faults' in read) return { faults: read.faults };
    const event: CanonicalEvent = raw === undefined ? read.event : { ...read.event, raw };
    previewed.push(previewOf(loaded.rule, event, previewed.length, context));
  }
  return { events: previewed, rule: checked(loaded.rule) };
}

function previewOf(
  rule: CompiledRule,
  event: CanonicalEvent,
  index: number,
  context: RuleContext,
): PreviewedEvent {
  const facts = { index, type: event.type, businessKey: event.key };
  const outcome = planRule(rule, event, context);
  if (!outcome.matched) return { ...facts, matched: false, refused: null, plan: null };
  if ('plan' in outcome)
    return {
      ...facts,
      matched: true,
      refused: null,
      plan: { currency: context.organization.currency, steps: outcome.plan.steps },
    };
  const { step = null, reason } = outcome.refused;
  return { ...facts, matched: true, refused: { step, reason }, plan: null };
}
