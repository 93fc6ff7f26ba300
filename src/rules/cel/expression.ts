import type { ParseResult } from '@marcbachmann/cel-js';
import type { Requirement } from '../compiled-rule';
import { checkedTypeOf, childrenOf, type ASTNode } from './ast';
import { estimate, type Size } from './cost';
import { type Direct, directRead } from './direct';
import { explainProblem } from './explain';
import { EXPRESSION_BUDGET, MAX_SOURCE } from './limits';
import { replaceHas } from './macros';
import { requirementsIn } from './requirements';
import type { RuleScope } from './scope';
import { validateTypes } from './validate-types';
import { validateNames, type ExpressionProblem } from './validate-names';

/** The values of a rule's names for one event. */
export type Values = Readonly<Record<string, unknown>>;

/** A checked CEL expression. */
export interface Expression {
  readonly source: string;
  /** The CEL type of its result; `dyn` for what comes from the payload. */
  readonly type: string;
  readonly size: Size;
  /** Estimated cost, see `cost.ts`. */
  readonly cost: number;
  /** Whether it depends on something whose own definition has a problem: then its type says nothing. */
  readonly uncertain: boolean;
  readonly usesRaw: boolean;
  /** Ids of the steps whose outputs it hands on. */
  readonly steps: readonly string[];
  /** Names of the rule that it reads: of the event, of `let`, of `forEach`. */
  readonly names: readonly string[];
  /** Where it is a condition: what it asks of single values. */
  readonly requirements: readonly Requirement[];
  /** @throws whatever goes wrong; `explainFailure` says it in words */
  evaluate(values: Values): unknown;
}

export type CompiledExpression = { expression: Expression } | { problems: readonly ExpressionProblem[] };

/** Parses, checks and prices one expression. Nothing of it can run that was not found safe here. */
export function compileExpression(source: string, scope: RuleScope): CompiledExpression {
  if (source.trim() === '') return { problems: [{ start: 0, message: 'the expression is empty' }] };
  if (source.length > MAX_SOURCE) {
    return { problems: [{ start: 0, message: `the expression is longer than ${MAX_SOURCE} characters` }] };
  }
  let parsed: ParseResult;
  try {
    parsed = scope.environment.parse(source);
  } catch (error) {
    return { problems: [explainProblem(error, source)] };
  }
  const names = validateNames(parsed.ast, scope);
  if (names.length > 0) return { problems: names };
  replaceHas(parsed.ast);
  const checked = parsed.check();
  if (!checked.valid) return { problems: [explainProblem(checked.error, source)] };
  const uncertain = mentions(parsed.ast, (node) => isUncertain(node, scope));
  const shapes = uncertain ? [] : validateTypes(parsed.ast);
  if (shapes.length > 0) return { problems: shapes };
  return priced(source, parsed, scope, uncertain);
}

function priced(
  source: string,
  parsed: ParseResult,
  scope: RuleScope,
  uncertain: boolean,
): CompiledExpression {
  const { cost, size } = estimate(parsed.ast, scope.sizes);
  if (cost > EXPRESSION_BUDGET) {
    const times = Math.ceil(cost / EXPRESSION_BUDGET);
    const message = `the expression could cost ${times} times what is allowed, with lists and texts as long as they may be; nest fewer lists in each other`;
    return { problems: [{ start: 0, message }] };
  }
  const names = [...namesIn(parsed.ast)];
  return {
    expression: {
      source,
      type: checkedTypeOf(parsed.ast)?.name ?? 'dyn',
      size,
      cost,
      uncertain,
      usesRaw: names.includes('raw'),
      steps: [...stepsIn(parsed.ast)],
      names,
      requirements: requirementsIn(parsed.ast),
      evaluate: evaluator(parsed),
    },
  };
}

function evaluator(parsed: ParseResult): Expression['evaluate'] {
  const direct = directRead(parsed.ast);
  if (!direct) return (values) => parsed(values) as unknown;
  return (values) => valueOrNothing(direct, values) ?? (parsed(values) as unknown);
}

/** Nothing, too, where what is read is too large: of `&&` and `||` the other operand may decide, and the library knows. */
function valueOrNothing(direct: Direct, values: Values): unknown {
  try {
    return direct(values);
  } catch {
    return undefined;
  }
}

function mentions(node: ASTNode, test: (node: ASTNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => mentions(child, test));
}

function* namesIn(node: ASTNode): Iterable<string> {
  if (node.op === 'id') yield node.args;
  for (const child of childrenOf(node)) yield* namesIn(child);
}

function* stepsIn(node: ASTNode): Iterable<string> {
  if (node.op === '.' && node.args[0].op === 'id' && node.args[0].args === 'steps') yield node.args[1];
  for (const child of childrenOf(node)) yield* stepsIn(child);
}

function isUncertain(node: ASTNode, scope: RuleScope): boolean {
  if (node.op === 'id') return scope.broken.has(node.args);
  if (node.op !== '.' || node.args[0].op !== 'id' || node.args[0].args !== 'steps') return false;
  return scope.steps.get(node.args[1])?.output === undefined;
}
