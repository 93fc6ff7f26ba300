import type { Environment } from '@marcbachmann/cel-js';
import { Money, MoneyError } from '../../kernel/money';
import { childrenOf, setMacro, type ASTNode, type CheckedType } from './ast';
import { Fact, isPresent } from './facts';
import { RuleRefusal } from './refusal';

/**
 * The two functions that are more than functions: `has`, because it must not read what is absent, and
 * `money`, because it needs the organization's currency from the evaluation it stands in. The library hands
 * macros its checker, its evaluator and the evaluation's values; these are the parts of them used here.
 */
export interface Checker {
  check(node: ASTNode, context: unknown): CheckedType;
  getType(name: string): CheckedType;
  createError(code: string, message: string, node: ASTNode): Error;
}

export interface Evaluator {
  run(node: ASTNode, context: Values): unknown;
}

export interface Values {
  getValue(name: string): unknown;
}

interface Call {
  readonly ast: ASTNode;
  readonly args: readonly ASTNode[];
}

/** Under this name the organization's currency travels with the values; no expression can spell it. */
export const CURRENCY = ' currency';

/** Widest of all currencies: what does not fit its three decimals fits none. */
const WIDEST_CURRENCY = 'KWD';

export function registerMoneyMacro(environment: Environment): void {
  environment.registerFunction('money(ast): Money', ({ ast, args }: Call) => {
    const [amount] = args as [ASTNode];
    return { ast, async: false, typeCheck: moneyCheck(amount), evaluate: moneyEvaluate(amount) };
  });
}

function moneyCheck(amount: ASTNode) {
  return (checker: Checker, _macro: unknown, context: unknown): CheckedType => {
    const type = checker.check(amount, context);
    if (type.name !== 'string' && type.kind !== 'dyn') {
      throw checker.createError(
        'no_matching_overload',
        `found no matching overload for 'money(${type.name})'`,
        amount,
      );
    }
    if (amount.op === 'value' && typeof amount.args === 'string') {
      const refused = moneyProblem(amount.args);
      if (refused) throw checker.createError('bad_literal', `money("${amount.args}"): ${refused}`, amount);
    }
    return checker.getType('Money');
  };
}

function moneyProblem(text: string): string | undefined {
  try {
    Money.parse(text, WIDEST_CURRENCY);
    return undefined;
  } catch (error) {
    return error instanceof MoneyError ? error.message : 'not an amount';
  }
}

function moneyEvaluate(amount: ASTNode) {
  // A literal is the same amount every time; one currency is remembered, which is all an organization has.
  let last: Money | undefined;
  const literal = amount.op === 'value';
  return (evaluator: Evaluator, _macro: unknown, values: Values): Money => {
    const currency = values.getValue(CURRENCY) as string;
    if (literal && last?.currency === currency) return last;
    const text = evaluator.run(amount, values);
    if (typeof text !== 'string') throw new RuleRefusal('money() needs text');
    return (last = Money.parse(text, currency));
  };
}

/**
 * Puts our `has` in place of the library's in every call of it below `node`. Ours checks the field's name,
 * is false as soon as anything on the way is absent, and false for empty text, lists and addresses.
 */
export function replaceHas(node: ASTNode): void {
  if (node.op === 'call' && node.args[0] === 'has') {
    const [path] = node.args[1];
    if (path)
      setMacro(node, { ast: node, async: false, typeCheck: hasCheck(path), evaluate: hasEvaluate(path) });
  }
  childrenOf(node).forEach(replaceHas);
}

function hasCheck(path: ASTNode) {
  return (checker: Checker, _macro: unknown, context: unknown): CheckedType => {
    checker.check(path, context);
    return checker.getType('bool');
  };
}

function hasEvaluate(path: ASTNode) {
  return (evaluator: Evaluator, _macro: unknown, values: Values): boolean =>
    isPresent(valueAt(path, evaluator, values));
}

function valueAt(node: ASTNode, evaluator: Evaluator, values: Values): unknown {
  if (node.op === '.') return memberOf(valueAt(node.args[0], evaluator, values), node.args[1]);
  if (node.op === '[]') {
    return memberOf(valueAt(node.args[0], evaluator, values), evaluator.run(node.args[1], values));
  }
  return evaluator.run(node, values);
}

/** A field, entry or element; undefined when there is none. */
function memberOf(value: unknown, key: unknown): unknown {
  if (value instanceof Map) return value.get(key);
  if (Array.isArray(value)) return value[Number(key)];
  if (value instanceof Fact) return value.field(String(key));
  // The kernel's values have few fields, declared to the checker, and none of them is ever absent.
  return value ?? undefined;
}
