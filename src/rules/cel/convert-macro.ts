import type { Environment } from '@marcbachmann/cel-js';
import { Money } from '../../kernel/money';
import { roundingOf } from './functions';
import type { ASTNode, CheckedType } from './ast';
import { type Checker, CURRENCY, type Evaluator, type Values } from './macros';
import { RuleRefusal } from './refusal';

/** A call on a value, as the library hands it to a macro. */
interface MethodCall {
  readonly ast: ASTNode;
  readonly args: readonly ASTNode[];
  readonly receiver: ASTNode;
}

/**
 * `amount.convert(rate, rounding)`: more than a function, because it needs the organization's currency from the evaluation
 * it stands in, and because an amount that is in this currency already needs no rate: none is looked up for it.
 */
export function registerConvertMacro(environment: Environment): void {
  environment.registerFunction('Money.convert(ast, ast): Money', ({ ast, args, receiver }: MethodCall) => {
    const [rate, rounding] = args as [ASTNode, ASTNode];
    const nodes = { receiver, rate, rounding };
    return { ast, async: false, typeCheck: convertCheck(nodes), evaluate: convertEvaluate(nodes) };
  });
}

interface ConvertNodes {
  readonly receiver: ASTNode;
  readonly rate: ASTNode;
  readonly rounding: ASTNode;
}

function convertCheck({ receiver, rate, rounding }: ConvertNodes) {
  return (checker: Checker, _macro: unknown, context: unknown): CheckedType => {
    const [amount, ...texts] = [receiver, rate, rounding].map((node) => checker.check(node, context));
    const fits =
      amount?.name === 'Money' && texts.every(({ name, kind }) => name === 'string' || kind === 'dyn');
    if (!fits) {
      const given = `${amount?.name}.convert(${texts.map(({ name }) => name).join(', ')})`;
      const message = `found no matching overload for '${given}'`;
      throw checker.createError('no_matching_overload', message, receiver);
    }
    return checker.getType('Money');
  };
}

function convertEvaluate({ receiver, rate, rounding }: ConvertNodes) {
  return (evaluator: Evaluator, _macro: unknown, values: Values): Money => {
    const currency = values.getValue(CURRENCY) as string;
    const amount = evaluator.run(receiver, values);
    const how = evaluator.run(rounding, values);
    if (!(amount instanceof Money) || typeof how !== 'string')
      throw new RuleRefusal('convert() needs an amount and text');
    if (amount.currency === currency) return amount;
    const text = evaluator.run(rate, values);
    if (typeof text !== 'string') throw new RuleRefusal('the rate is no text');
    return amount.convert(text, currency, roundingOf(how));
  };
}
