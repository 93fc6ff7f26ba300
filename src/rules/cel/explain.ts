import { EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js';
import { CalendarDateError } from '../../kernel/calendar-date';
import { MoneyError } from '../../kernel/money';
import { didYouMean, nearestName } from '../../kernel/nearest';
import { checkedTypeOf, sourceTextOf, type ASTNode } from './ast';
import { fieldNamesOf } from './event-types';
import { SIGNATURES } from './functions';
import { PARSER_LIMITS } from './limits';
import { RuleRefusal } from './refusal';
import type { ExpressionProblem } from './validate-names';

/** The library's names of tokens, as people write them. */
const TOKENS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  IDENTIFIER: 'a name',
  NUMBER: 'a number',
  STRING: 'text',
  BOOLEAN: 'true or false',
  NULL: 'null',
  LPAREN: '"("',
  RPAREN: '")"',
  LBRACKET: '"["',
  RBRACKET: '"]"',
  LBRACE: '"{"',
  RBRACE: '"}"',
  DOT: '"."',
  COMMA: '","',
  COLON: '":"',
  QUESTION: '"?"',
};

const LIMITS: Readonly<Record<string, string>> = {
  maxAstNodes: `the expression is too long: more than ${PARSER_LIMITS.maxAstNodes} parts`,
  maxDepth: `nested deeper than ${PARSER_LIMITS.maxDepth} levels`,
  maxListElements: `the list has more than ${PARSER_LIMITS.maxListElements} elements`,
  maxMapEntries: 'a map cannot be written in a rule',
  maxCallArguments: `more than ${PARSER_LIMITS.maxCallArguments} arguments`,
};

/** Fields of the types that are not made of facts. */
const OTHER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Money: ['currency'],
  Instalment: ['value', 'dueDate', 'number'],
};

/** What a parse or type error of the library means, and where. */
export function explainProblem(error: unknown, source: string): ExpressionProblem {
  if (!(error instanceof ParseError || error instanceof CelTypeError)) {
    return { start: 0, message: 'the expression cannot be read' };
  }
  const node = error.node as ASTNode | undefined;
  const start = Math.min(error.range?.start ?? 0, source.length);
  const elsewhere = operatorOfOthers(source, start) ?? negationBefore(source, start);
  if (error instanceof ParseError && elsewhere !== undefined) return { start, message: elsewhere };
  return { start, ...explainCode(error.code, error.summary, node) };
}

/** Operators as other languages write them, where one of them is. */
function operatorOfOthers(source: string, start: number): string | undefined {
  const [word] = /^(?:and|or|not)\b|^=(?!=)|^<>|^&(?!&)|^\|(?!\|)/i.exec(source.slice(start)) ?? [];
  const own = word === undefined ? undefined : OPERATORS[word.toLowerCase()];
  return own && `"${word}" is written "${own}"`;
}

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ and: '&&', or: '||', not: '!', '&': '&&', '|': '||', '=': '==', '<>': '!=' },
};

/** The library takes `not` for a name, and finds what follows it out of place. */
function negationBefore(source: string, start: number): string | undefined {
  const [, word] = /\b(not)\s+$/i.exec(source.slice(0, start)) ?? [];
  return word && `"${word}" is written "!"`;
}

function explainCode(
  code: string,
  summary: string,
  node: ASTNode | undefined,
): Omit<ExpressionProblem, 'start'> {
  switch (code) {
    case 'limit_exceeded':
      return { message: LIMITS[/Exceeded (\w+)/.exec(summary)?.[1] ?? ''] ?? summary };
    case 'expected_token':
    case 'unexpected_token':
      return { message: inWords(summary) };
    case 'no_such_key':
      return unknownField(node, summary);
    case 'invalid_index_type':
      return {
        message:
          'a list has no fields, its elements have: order.lines.exists(l, l.sku == "A-1") asks of all of them, order.lines[0].sku is of the first',
      };
    case 'no_such_overload':
      return { message: impossibleOperator(summary) };
    case 'no_matching_overload':
      return { message: impossibleCall(summary) };
    default:
      return { message: summary.charAt(0).toLowerCase() + summary.slice(1) };
  }
}

function inWords(summary: string): string {
  const words = summary.replace(/\b[A-Z]{2,}\b/g, (token) => TOKENS[token] ?? token.toLowerCase());
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function unknownField(node: ASTNode | undefined, summary: string): Omit<ExpressionProblem, 'start'> {
  const name = summary.replace(/^No such key: /, '');
  const left = node?.op === '.' || node?.op === '[]' ? checkedTypeOf(node.args[0]) : undefined;
  if (left === undefined) return { message: `unknown field "${name}"` };
  const nearest = nearestName(name, OTHER_FIELDS[left.name] ?? fieldNamesOf(left.name));
  return { message: `${left.name} has no field "${name}"${didYouMean(nearest)}`, nearest };
}

function impossibleOperator(summary: string): string {
  const operation = summary.replace(/^no such overload: /, '').replace(/\bdyn\b/g, 'raw');
  return `${operation} is not possible${hintFor(operation)}`;
}

function hintFor(operation: string): string {
  if (operation === 'string in string') return '; part of a text is order.number.contains("A")';
  const types = new Set(operation.split(' '));
  const literal = ['string', 'int', 'double'].some((type) => types.has(type));
  if (types.has('Money') && ['*', '/', '%'].some((operator) => types.has(operator)))
    return '; a share of an amount is amount.percent("50", "half-up"), parts of one are amount.allocate([…])';
  if (types.has('Money') && literal) return '; an amount is written money("0.00")';
  if (types.has('Date') && literal) return '; a date is written date("2026-01-31")';
  if (types.has('Instant')) return '; the day of an instant is instant.dateIn(org.timeZone)';
  if (types.has('int') && types.has('double')) return '; write 2.0 for a number that need not be whole';
  return '';
}

function impossibleCall(summary: string): string {
  const call = summary.replace(/^found no matching overload for /, '').replace(/'/g, '');
  const name = /(\w+)\([^)]*\)$/.exec(call)?.[1] ?? '';
  if (name === 'money') return `${call} is not possible; an amount is written money("10.00"), with quotes`;
  if (/^list(?:<.*>)?\.contains\(/.test(call))
    return `${call} is not possible; of a list, ask order.lines.exists(l, l.sku == "A-1"), or "A-1" in order.lines.map(l, l.sku)`;
  const signatures = Object.hasOwn(SIGNATURES, name) ? SIGNATURES[name] : undefined;
  return `${call} is not possible${signatures ? `; it is ${signatures.join(' or ')}` : ''}`;
}

/** Digits of a taxpayer's number or telephone, or an e-mail address: not to be repeated in a reason. */
const PERSONAL = /@|(?:\d\D{0,2}){8}/;
/** What a table is looked up by and tells nothing about a person: the rule's own text, or how the shop is set up. */
const IMPERSONAL =
  /^(?:(['"])(?:(?!\1).)*\1|(?:order\.(?:payment\.(?:gateway|method)|source|total\.currency)|(?:refund|dispute|payout|settlement)\.gateway|org\.\w+|event\.type)(?:\.(?:lowerAscii|upperAscii|trim)\(\))*)$/s;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** What rates are kept by: a currency with a month or a day. However a rule makes one, it is about no person. */
const RATE = /^([A-Z]{3}) \d{4}-\d\d(?:-\d\d)?$/;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const MAX_SHOWN = 60;

/**
 * Why an evaluation failed, as a sentence for a person. Says what the expression is, not what the event's
 * values are; a table's missing key is named only where it cannot be about a person.
 */
export function explainFailure(error: unknown): string {
  if (error instanceof RuleRefusal || error instanceof MoneyError || error instanceof CalendarDateError) {
    return error.message;
  }
  if (error instanceof EvaluationError) {
    return explainEvaluation(error.code, error.summary, error.node);
  }
  return 'it cannot be computed';
}

function explainEvaluation(code: string, summary: string, node: ASTNode | undefined): string {
  switch (code) {
    case 'no_such_key':
      return missing(summary.replace(/^No such key: /, ''), node);
    case 'index_out_of_bounds':
      return 'the list has no element at this position';
    case 'index_out_of_range':
      return 'the text has no character at this position';
    case 'division_by_zero':
    case 'modulo_by_zero':
      return 'it divides by zero';
    case 'numeric_overflow':
      return 'the number is too large';
    case 'int_conversion_error':
    case 'double_conversion_error':
      return 'the text is not a number';
    case 'no_such_overload':
    case 'no_matching_overload':
      return `something in the payload is not of the kind that ${where(node)} needs`;
    default:
      return `${where(node)} cannot be computed`;
  }
}

function missing(key: string, node: ASTNode | undefined): string {
  if (node?.op !== '.' && node?.op !== '[]') return 'something it reads is absent';
  const table = /^tables\.(\w+)$/.exec(sourceTextOf(node.args[0]))?.[1];
  if (table === undefined) return absent(shown(sourceTextOf(node)));
  const isSafe =
    isRate(key) ||
    ((node.op === '.' || isImpersonal(node.args[1])) && !PERSONAL.test(key) && key.length <= MAX_SHOWN);
  return `table ${table} has no entry for ${isSafe ? `"${key}"` : 'this key'} and no default`;
}

function absent(path: string): string {
  return path.startsWith('tables.') ? `${path} is absent` : `${path} is absent; test has(${path}) first`;
}

/** Whether a table's key was made of nothing that is about a person; after a dot it is the rule's own text. */
function isImpersonal(node: ASTNode): boolean {
  return node.op === '+' ? node.args.every(isImpersonal) : IMPERSONAL.test(sourceTextOf(node).trim());
}

function isRate(key: string): boolean {
  return CURRENCIES.has(RATE.exec(key)?.[1] ?? '');
}

function where(node: ASTNode | undefined): string {
  return node === undefined ? 'it' : shown(sourceTextOf(node));
}

/** The rule's own text, cut where it is long; what somebody wrote into it about a person is left out. */
export function shown(source: string): string {
  const impersonal = source.replace(/(["'])(.*?)\1/gs, (written, quote: string, text: string) =>
    PERSONAL.test(text) && !DAY.test(text) ? `${quote}…${quote}` : written,
  );
  const line = impersonal.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN - 1)}…`;
}
