import { CalendarDate, CalendarDateError } from '../../kernel/calendar-date';
import { ROUNDINGS } from '../../kernel/money';
import { isTimeZone } from '../../kernel/time-zone';
import { checkedTypeOf, childrenOf, comprehensionOf, type ASTNode } from './ast';
import { percentageProblem, rateProblem } from './rates';
import type { ExpressionProblem } from './validate-names';

/** Kinds of values that a payload can bring. */
const RAW_KINDS = new Set(['string', 'bool', 'dyn', 'list']);

const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%']);

/**
 * Goes over a type-checked expression and finds mistakes that the library's checker lets through: a field by a
 * computed name, a walk over a table, a payload's text used as a number, a literal date that does not exist.
 */
export function validateTypes(node: ASTNode): ExpressionProblem[] {
  const own = [
    bracketedField(node),
    walkedTable(node),
    rawAsNumber(node),
    badDate(node),
    badZone(node),
    badRate(node),
  ];
  return [...own.filter((problem) => problem !== undefined), ...childrenOf(node).flatMap(validateTypes)];
}

function bracketedField(node: ASTNode): ExpressionProblem | undefined {
  if (node.op !== '[]' || checkedTypeOf(node.args[0])?.kind !== 'message') return undefined;
  return { start: node.start, message: 'a field is written with a dot, for example order.total' };
}

function walkedTable(node: ASTNode): ExpressionProblem | undefined {
  const range = comprehensionOf(node)?.range;
  if (range === undefined || checkedTypeOf(range)?.kind !== 'map') return undefined;
  return { start: range.start, message: 'a table is no list' };
}

/** Numbers, amounts and dates of a payload are text: compared as they are they would never be equal. */
function rawAsNumber(node: ASTNode): ExpressionProblem | undefined {
  if (!COMPARISONS.has(node.op) && node.op !== 'in') return undefined;
  const [left, right] = childrenOf(node).map((child) => checkedTypeOf(child));
  const element = node.op === 'in' && right?.kind === 'list' ? right.valueType : right;
  const kinds = [left, element].map((type) => (type?.kind === 'primitive' ? type.name : type?.kind));
  if (!kinds.includes('dyn') || kinds.every((kind) => kind !== undefined && RAW_KINDS.has(kind))) {
    return undefined;
  }
  const message =
    'numbers and dates of the payload are text; write int(…), double(…), money(…) or date(…) around it';
  return { start: node.start, message };
}

/** The text of a literal argument at a position of a call. */
function literalArgument(
  args: readonly ASTNode[],
  index: number,
): { text: string; start: number } | undefined {
  const node = args[index];
  if (node?.op !== 'value' || typeof node.args !== 'string') return undefined;
  return { text: node.args, start: node.start };
}

function badDate(node: ASTNode): ExpressionProblem | undefined {
  if (node.op !== 'call' || node.args[0] !== 'date' || node.args[1].length !== 1) return undefined;
  const literal = literalArgument(node.args[1], 0);
  if (literal === undefined) return undefined;
  try {
    CalendarDate.parse(literal.text);
    return undefined;
  } catch (error) {
    const reason = error instanceof CalendarDateError ? error.message : 'not a date';
    return { start: literal.start, message: `date("${literal.text}"): ${reason}` };
  }
}

function badZone(node: ASTNode): ExpressionProblem | undefined {
  let literal: { text: string; start: number } | undefined;
  if (node.op === 'rcall' && node.args[0] === 'dateIn') literal = literalArgument(node.args[2], 0);
  if (node.op === 'call' && node.args[0] === 'date') literal = literalArgument(node.args[1], 1);
  if (literal === undefined || isTimeZone(literal.text)) return undefined;
  return { start: literal.start, message: `there is no time zone "${literal.text}"` };
}

/** What is written in the rule is checked when it is loaded, and what a payload brings when it comes. */
function badRate(node: ASTNode): ExpressionProblem | undefined {
  if (node.op !== 'rcall' || !Object.hasOwn(RATES, node.args[0])) return undefined;
  const [name, , args] = node.args;
  const [rate, rounding] = [literalArgument(args, 0), literalArgument(args, 1)];
  if (rounding !== undefined && !ROUNDINGS.some((known) => known === rounding.text))
    return { start: rounding.start, message: `rounding is ${ROUNDINGS.join(', ')}` };
  const problem = rate && RATES[name]?.(rate.text);
  return problem === undefined
    ? undefined
    : { start: rate?.start ?? 0, message: `${name}("${rate?.text}"): ${problem}` };
}

/** Functions that take a rate and a rounding: why a rate is none for them. */
const RATES: Readonly<Record<string, (rate: string) => string | undefined>> = {
  percent: percentageProblem,
  convert: rateProblem,
};
