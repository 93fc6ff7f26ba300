import { Environment } from '@marcbachmann/cel-js';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Money } from '../../src/kernel/money';
import { registerValueTypes } from '../../src/rules/cel/functions';
import { parseTemplate } from '../../src/rules/document/template';
import { type Applied, ORDER, TABLES } from './engines';

/** What the names of expressions mean. */
type Names = Record<string, unknown>;
type Evaluate = (names: Names) => unknown;

/** The parts of a rule's document that have expressions. */
interface RuleDocument {
  readonly when: { readonly all: readonly string[] };
  readonly let: Readonly<Record<string, string>>;
  readonly then: readonly {
    readonly id: string;
    readonly if?: string;
    readonly forEach?: Readonly<Record<string, string>>;
    readonly key?: string;
    readonly with?: unknown;
  }[];
}

/** What steps hand on to those after them. */
const STEPS = { customer: { id: 'c' }, schedule: { all: 's' }, owed: { all: 's' }, account: { id: 'a' } };

/**
 * The expressions of a rule's document, evaluated by the CEL library alone as Ponte evaluates them: conditions, `let`, and of
 * each step that applies its key and inputs. The library was given exact amounts and days, so the same values come out; they
 * are not checked, and no plan is made of them.
 */
export function bareCel(path: string): Applied {
  const rule = parse(readFileSync(path, 'utf8')) as RuleDocument;
  const environment = new Environment({ unlistedVariablesAreDyn: true });
  registerValueTypes(environment);
  environment.registerFunction('money(string): Money', (text: string) => Money.parse(text, 'BRL'));
  const expression = (source: string): Evaluate => environment.parse(source);
  const mapped = (value: unknown): Evaluate => {
    if (typeof value === 'string') return mappedText(value, expression);
    const fields = Object.entries(value ?? {}).map(([name, own]) => [name, mapped(own)] as const);
    return (names) => Object.fromEntries(fields.map(([name, evaluate]) => [name, evaluate(names)]));
  };
  const conditions = rule.when.all.map(expression);
  const lets = Object.entries(rule.let).map(([name, source]) => [name, expression(source)] as const);
  const steps = rule.then.map((step) => {
    const [element, list] = Object.entries(step.forEach ?? {})[0] ?? [];
    return {
      applies: step.if === undefined ? () => true : expression(step.if),
      element,
      list: list === undefined ? undefined : expression(list),
      values: mapped({ key: step.key ?? '', with: step.with ?? {} }),
    };
  });
  const given = names();
  return () => {
    const known: Names = { ...given };
    for (const condition of conditions) if (condition(known) !== true) return undefined;
    for (const [name, evaluate] of lets) known[name] = evaluate(known);
    return steps.flatMap(({ applies, element, list, values }) => {
      if (!list || element === undefined) return applies(known) === true ? [values(known)] : [];
      return (list(known) as unknown[])
        .map((own) => ({ ...known, [element]: own }))
        .filter((inner) => applies(inner) === true)
        .map((inner) => values(inner));
    });
  };
}

function mappedText(text: string, expression: (source: string) => Evaluate): Evaluate {
  const template = parseTemplate(text);
  if ('problem' in template) throw new Error(template.problem.message);
  const [first, ...others] = template.parts;
  if (first?.kind === 'expression' && others.length === 0) return expression(first.source);
  const parts = template.parts.map((part) =>
    part.kind === 'literal' ? JSON.stringify(part.text) : part.source,
  );
  return expression(parts.length === 0 ? '""' : parts.join(' + '));
}

/** The order that Ponte is given, with the members that the rule reads. */
function names(): Names {
  const total = Money.parse('100.00', 'BRL');
  const payment = { ...ORDER.payment, value: total, paidAt: new Date('2026-03-05T01:30:00Z') };
  const order = { ...ORDER, total, instalments: 3n, payment, payments: [payment], edits: [] };
  return { order, org: { timeZone: 'America/Sao_Paulo' }, tables: TABLES, steps: STEPS };
}
