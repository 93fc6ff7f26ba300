import type { Interval, Requirement } from '../compiled-rule';
import { Money } from '../../kernel/money';
import { sourceTextOf, type ASTNode } from './ast';
import { directRead } from './direct';

/*
 * What a condition asks of single values of the event, by which rules are found without being tried (`candidates.ts`). In
 * CEL one operand of `&&` that is false decides, whatever the other is, an error included: so each comparison that has to
 * be true stands for the whole condition where it is false.
 */

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** The same comparison with its operands exchanged: `5 < a` is `a > 5`. */
const EXCHANGED: Readonly<Record<Comparison, Comparison>> = {
  ...{ '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' },
};

const OPPOSITE: Readonly<Record<Comparison, Comparison>> = {
  ...{ '==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<' },
};

/**
 * The comparisons of a value with a literal without which a condition cannot be true. Other parts of it are left out.
 * @param node checked
 * @param isNegated whether the node has to be false instead
 */
export function requirementsIn(node: ASTNode, isNegated = false): Requirement[] {
  switch (node.op) {
    case '!_':
      return requirementsIn(node.args, !isNegated);
    case '&&':
      return isNegated ? [] : node.args.flatMap((each) => requirementsIn(each));
    case '||':
      return isNegated ? node.args.flatMap((each) => requirementsIn(each, true)) : [];
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparisonOf(isNegated ? OPPOSITE[node.op] : node.op, node.args);
    default:
      return [];
  }
}

function comparisonOf(operator: Comparison, [left, right]: readonly [ASTNode, ASTNode]): Requirement[] {
  return isLiteral(left)
    ? comparedWith(left, EXCHANGED[operator], right)
    : comparedWith(right, operator, left);
}

function isLiteral(node: ASTNode): boolean {
  return node.op === 'value' || amountIn(node) !== undefined;
}

function comparedWith(literal: ASTNode, operator: Comparison, value: ASTNode): Requirement[] {
  if (operator === '!=' || !isLiteral(literal)) return [];
  const read = directRead(value);
  if (!read) return [];
  const path = sourceTextOf(value);
  const amount = amountIn(literal);
  if (amount !== undefined)
    return [{ path, read, within: (currency) => interval(operator, Money.parse(amount, currency).minor) }];
  const { args: written } = literal;
  if (typeof written === 'bigint') return [{ path, read, within: () => interval(operator, written) }];
  return typeof written === 'string' && operator === '==' ? [{ path, read, text: written }] : [];
}

/** The text of `money("10.00")`. */
function amountIn(node: ASTNode): string | undefined {
  if (node.op !== 'call' || node.args[0] !== 'money') return undefined;
  const [literal] = node.args[1];
  return literal?.op === 'value' && typeof literal.args === 'string' ? literal.args : undefined;
}

/** What is above a whole number is at least the next one. */
function interval(operator: Exclude<Comparison, '!='>, bound: bigint): Interval {
  switch (operator) {
    case '==':
      return { least: bound, most: bound };
    case '<':
      return { least: -Infinity, most: bound - 1n };
    case '<=':
      return { least: -Infinity, most: bound };
    case '>':
      return { least: bound + 1n, most: Infinity };
    case '>=':
      return { least: bound, most: Infinity };
  }
}
