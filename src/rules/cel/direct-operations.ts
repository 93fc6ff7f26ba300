import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { checkedTypeOf, comprehensionOf, type ASTNode } from './ast';
import type { Direct } from './direct';
import { instalments } from './functions';
import { CURRENCY } from './macros';

/*
 * The operators and functions that conditions and inputs are mostly made of, without the library's walk. Each gives nothing
 * where one of its operands gives nothing, and where it would fail: then the library evaluates, and says what is wrong.
 */

/** How a node's operands are read; undefined where they are more than reading. */
type Reader = (node: ASTNode) => Direct | undefined;

/** How to compute an operator or a call directly; undefined where it is left to the library. @param node checked */
export function operation(node: ASTNode, read: Reader): Direct | undefined {
  switch (node.op) {
    case '!_': {
      const operand = read(node.args);
      return operand && ((values) => negated(operand(values)));
    }
    case '&&':
      return both(node.args, false, read);
    case '||':
      return both(node.args, true, read);
    case '?:':
      return choice(node.args, read);
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(node.op, node.args, read);
    case '+':
    case '-':
      return sum(node, node.args, read);
    case 'call':
      return node.args[0] === 'money' ? amount(node.args[1]) : undefined;
    case 'rcall':
      return walk(node, read) ?? method(node.args, read);
    default:
      return undefined;
  }
}

function negated(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? !value : undefined;
}

function text(node: ASTNode): boolean {
  return checkedTypeOf(node)?.name === 'string';
}

/** One operand that is `decisive` decides, whatever the other is. */
function both(
  [left, right]: readonly [ASTNode, ASTNode],
  decisive: boolean,
  read: Reader,
): Direct | undefined {
  const [first, second] = [read(left), read(right)];
  if (!first || !second) return undefined;
  return (values) => {
    const value = first(values);
    if (typeof value !== 'boolean' || value === decisive) return value;
    return second(values);
  };
}

function choice(
  [condition, yes, no]: readonly [ASTNode, ASTNode, ASTNode],
  read: Reader,
): Direct | undefined {
  const [test, first, second] = [read(condition), read(yes), read(no)];
  if (!test || !first || !second) return undefined;
  return (values) => {
    const value = test(values);
    if (typeof value !== 'boolean') return undefined;
    return value ? first(values) : second(values);
  };
}

function combined(
  [left, right]: readonly [ASTNode, ASTNode],
  read: Reader,
  combine: (left: unknown, right: unknown) => unknown,
): Direct | undefined {
  const [first, second] = [read(left), read(right)];
  if (!first || !second) return undefined;
  return (values) => {
    const [one, other] = [first(values), second(values)];
    return one === undefined || other === undefined ? undefined : combine(one, other);
  };
}

/** Texts one after another, and amounts together: what is out of range or of two currencies, the library refuses. */
function sum(node: ASTNode, operands: readonly [ASTNode, ASTNode], read: Reader): Direct | undefined {
  const isSum = node.op === '+';
  if (isSum && text(node))
    return combined(operands, read, (left, right) => `${left as string}${right as string}`);
  if (checkedTypeOf(node)?.name !== 'Money') return undefined;
  return combined(operands, read, (left, right) => {
    if (!(left instanceof Money && right instanceof Money)) return undefined;
    return unlessRefused(() => (isSum ? left.plus(right) : left.minus(right)));
  });
}

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function comparison(
  operator: Comparison,
  operands: readonly [ASTNode, ASTNode],
  read: Reader,
): Direct | undefined {
  const holds = HOLDS[operator];
  const isEquality = operator === '==' || operator === '!=';
  if (!isEquality && operands.some(text)) return undefined;
  const [first, second] = operands.map(read);
  if (!first || !second) return undefined;
  return (values) => {
    const [left, right] = [first(values), second(values)];
    const order = left === undefined || right === undefined ? undefined : orderOf(left, right, isEquality);
    return order === undefined ? undefined : holds(order);
  };
}

/** Like a comparator; undefined where the library has to say. The order of texts is left to it. */
function orderOf(left: unknown, right: unknown, isEquality: boolean): number | undefined {
  if (left instanceof Money && right instanceof Money)
    return left.currency === right.currency ? left.compare(right) : undefined;
  if (left instanceof CalendarDate && right instanceof CalendarDate) return left.compare(right);
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0;
  const isPlain = typeof left === typeof right && (typeof left === 'string' || typeof left === 'boolean');
  return isEquality && isPlain ? Number(left !== right) : undefined;
}

/** `money("10.00")`, an amount that is written out. It was read once when it was checked. */
function amount([literal]: readonly ASTNode[]): Direct | undefined {
  if (literal?.op !== 'value' || typeof literal.args !== 'string') return undefined;
  const written = literal.args;
  let last: Money | undefined;
  return (values) => {
    const currency = values[CURRENCY];
    if (typeof currency !== 'string') return undefined;
    if (last?.currency !== currency) last = unlessRefused(() => Money.parse(written, currency));
    return last;
  };
}

/** Methods by their name: what they give of their subject and their arguments. */
const METHODS: Readonly<Record<string, (subject: unknown, args: readonly unknown[]) => unknown>> = {
  dateIn: (instant, [zone]) =>
    instant instanceof Date && typeof zone === 'string' ? CalendarDate.fromInstant(instant, zone) : undefined,
  instalments: (value, [count, first]) =>
    value instanceof Money && typeof count === 'bigint' && first instanceof CalendarDate
      ? instalments(value, count, first)
      : undefined,
  startsWith: (subject, [start]) =>
    typeof subject === 'string' && typeof start === 'string' ? subject.startsWith(start) : undefined,
  endsWith: (subject, [end]) =>
    typeof subject === 'string' && typeof end === 'string' ? subject.endsWith(end) : undefined,
  contains: (subject, [part]) =>
    typeof subject === 'string' && typeof part === 'string' ? subject.includes(part) : undefined,
  // What the size of a text is, the library has to say.
  size: (subject) => (Array.isArray(subject) ? BigInt(subject.length) : undefined),
};

/** What macros that walk a list give where it has no element. */
const OF_NO_ELEMENTS: Readonly<Record<string, unknown>> = {
  all: true,
  exists: false,
  exists_one: false,
  filter: Object.freeze([]),
  map: Object.freeze([]),
};

/** A walk over a list that may be empty, as that of an order's edits mostly is; elements are left to the library. */
function walk(node: ASTNode, read: Reader): Direct | undefined {
  const comprehension = comprehensionOf(node);
  const list = comprehension && read(comprehension.range);
  if (!list || node.op !== 'rcall') return undefined;
  const result = OF_NO_ELEMENTS[node.args[0]];
  return (values) => {
    const elements = list(values);
    return Array.isArray(elements) && elements.length === 0 ? result : undefined;
  };
}

function method(
  [name, subject, args]: readonly [string, ASTNode, readonly ASTNode[]],
  read: Reader,
): Direct | undefined {
  const apply = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  const [owner, ...others] = [subject, ...args].map(read);
  if (!apply || !owner || !others.every((argument) => argument !== undefined)) return undefined;
  return (values) => {
    const value = owner(values);
    const given = others.map((argument) => argument(values));
    return value === undefined ? undefined : unlessRefused(() => apply(value, given));
  };
}

/** Nothing where it fails: the library then fails in the same way, with the place. */
function unlessRefused<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}
