import fc from 'fast-check';
import { RuleScope } from '../../src/rules/cel/scope';
import { replaceHas } from '../../src/rules/cel/macros';
import { compileExpression } from '../../src/rules/cel/expression';
import { explainFailure } from '../../src/rules/cel/explain';
import { Candidates } from '../../src/rules/candidates';
import type { CompiledRule } from '../../src/rules/compiled-rule';
import { compiled, CONTEXT, TABLES } from '../../src/rules/fixtures';
import { EventNames, planRule } from '../../src/rules/plan-rule';
import { propertyRuns, propertySeed } from '../support/property-runs';
import { conditionText, findableText, orderEvent, setText } from './rule-conditions/arbitraries';

const scope = new RuleScope('order.paid', TABLES.keys());

/** A value, or the sentence that a person would read. */
function resultOf(evaluate: () => unknown): { value: unknown } | { refused: string; by: string } {
  try {
    return { value: evaluate() };
  } catch (error) {
    return { refused: explainFailure(error), by: (error as Error).name };
  }
}

/** What the library alone makes of an expression. */
function byLibrary(source: string) {
  const parsed = scope.environment.parse(source);
  replaceHas(parsed.ast);
  expect(parsed.check()).toMatchObject({ valid: true });
  return (values: Readonly<Record<string, unknown>>): unknown => parsed(values);
}

interface Own {
  readonly conditions: readonly string[];
  readonly set: { readonly least: string; readonly condition: string } | undefined;
}

/** A rule with these conditions, all of which it needs. */
function ruleOf(name: string, { conditions, set }: Own): CompiledRule {
  return compiled(
    [
      `rule: ${name}`,
      ...(set ? [`settings: { least: { type: Money, default: "${set.least}", description: d } }`] : []),
      `when: { event: order.paid, all: ${JSON.stringify([...conditions, ...(set ? [set.condition] : [])])} }`,
      'then: [{ id: c, do: customer.ensure, with: { name: x } }]',
    ].join('\n'),
  );
}

describe('conditions that are computed without the library', () => {
  it('come to what the library makes of them, its refusals included', () => {
    const found = { true: 0, false: 0, refused: 0 };
    fc.assert(
      fc.property(conditionText, fc.array(orderEvent, { minLength: 1, maxLength: 5 }), (source, events) => {
        const expression = compileExpression(source, scope);
        if ('problems' in expression) throw new Error(`${source}: ${JSON.stringify(expression.problems)}`);
        const library = byLibrary(source);
        for (const event of events) {
          // What was read once is remembered: each has values of its own.
          const [own, others] = [new EventNames(event, CONTEXT), new EventNames(event, CONTEXT)];
          const rule = { usesRaw: true, settings: [] as const } as unknown as CompiledRule;
          const result = resultOf(() => expression.expression.evaluate(own.of(rule)));
          expect(result).toEqual(resultOf(() => library(others.of(rule))));
          if ('refused' in result) found.refused += 1;
          else found[String(result.value) as 'true' | 'false'] += 1;
        }
      }),
      { numRuns: propertyRuns(400), ...propertySeed() },
    );
    for (const times of Object.values(found)) expect(times).toBeGreaterThan(60);
  });
});

describe('rules that are found by what they compare', () => {
  it('are all that apply or are refused, in their order', () => {
    const found = { tried: 0, leftOut: 0, refused: 0 };
    const own: fc.Arbitrary<Own> = fc.record({
      conditions: fc.array(findableText, { minLength: 1, maxLength: 3 }),
      set: fc.option(setText, { nil: undefined, freq: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(own, { minLength: 1, maxLength: 5 }),
        fc.array(orderEvent, { minLength: 1, maxLength: 5 }),
        (all, events) => {
          const rules = all.map((each, index) => ruleOf(`r${index}`, each));
          const candidates = new Candidates(rules);
          for (const event of events) {
            const left = candidates.of(new EventNames(event, CONTEXT).shared);
            const tried = new Map(left.map((rule) => [rule.name, rule]));
            const inOrder = rules.map(({ name }) => name).filter((name) => tried.has(name));
            expect([...tried.keys()]).toEqual(inOrder);
            for (const rule of rules) {
              const outcome = planRule(rule, event, CONTEXT);
              const same = tried.get(rule.name);
              expect(same ? planRule(same, event, CONTEXT) : { matched: false }).toEqual(outcome);
              found[same ? 'tried' : 'leftOut'] += 1;
              if ('refused' in outcome) found.refused += 1;
            }
          }
        },
      ),
      { numRuns: propertyRuns(100), ...propertySeed() },
    );
    for (const times of Object.values(found)) expect(times).toBeGreaterThan(50);
  });
});
