import type { Interval, Range, Requirement } from '../compiled-rule';
import { Money } from '../../kernel/money';
import { sourceTextOf, type ASTNode } from './ast';
import { directRead } from './direct';
import { SETTINGS } from './scope';

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
 * The comparisons of a value with a literal or a setting without which a condition cannot be true. Other parts of it are left out.
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
  return left.op === 'value' || boundOf(left)
    ? comparedWith(left, EXCHANGED[operator], right)
    : comparedWith(right, operator, left);
}

function comparedWith(given: ASTNode, operator: Comparison, value: ASTNode): Requirement[] {
  const read = operator === '!=' ? undefined : directRead(value);
  if (operator === '!=' || !read) return [];
  const path = sourceTextOf(value);
  if (given.op === 'value' && typeof given.args === 'string')
    return operator === '==' ? [{ path, read, text: given.args }] : [];
  const bound = boundOf(given);
  return bound ? [{ path, read, within: (...context) => within(operator, bound(...context)) }] : [];
}

type Context = Parameters<Range['within']>;

/** What a number or an amount that is written out or set comes to: undefined where it is none. */
function boundOf(node: ASTNode): ((...context: Context) => bigint | undefined) | undefined {
  switch (node.op) {
    case 'value': {
      const { args: written } = node;
      return typeof written === 'bigint' ? () => written : undefined;
    }
    case 'call': {
      const [name, [literal]] = node.args;
      if (name !== 'money' || literal?.op !== 'value' || typeof literal.args !== 'string') return undefined;
      const { args: written } = literal;
      return (currency) => Money.parse(written, currency).minor;
    }
    case '.': {
      const [owner, name] = node.args;
      if (owner.op !== 'id' || owner.args !== SETTINGS) return undefined;
      return (currency, settings) => numberOf(settings?.get(name), currency);
    }
    default:
      return undefined;
  }
}

/** A whole number, of minor units where it is an amount; undefined where it is neither, or in another currency. */
export function numberOf(value: unknown, currency: string): bigint | undefined {
  if (value instanceof Money) return value.currency === currency ? value.minor : undefined;
  return typeof value === 'bigint' ? value : undefined;
}

/** What is above a whole number is at least the next one. */
function within(operator: Exclude<Comparison, '!='>, bound: bigint | undefined): Interval | undefined {
  if (bound === undefined) return undefined;
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
