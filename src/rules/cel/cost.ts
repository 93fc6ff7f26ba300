import { checkedTypeOf, childrenOf, comprehensionOf, type ASTNode, type CheckedType } from './ast';
import { MAX_INSTALMENTS, MAX_LIST, MAX_TEXT } from './limits';

/**
 * How large a value can be at most, and what an expression can cost at most, from its text alone. After the
 * estimates of Kubernetes' CEL: one unit a step, a tenth of a unit for each character a step looks at, lists
 * as long as they may be, and what is done for each element counted that many times.
 */
export interface Size {
  /** Characters, where it may be text. */
  readonly text: number;
  /** Elements, where it may be a list. */
  readonly list: number;
  /** The largest element. */
  readonly item?: Size;
  /** Characters of all elements together, where less is known than of each. */
  readonly itemsText?: number;
}

export interface Estimate {
  readonly cost: number;
  readonly size: Size;
}

/** The sizes of names: variables of the rule and of the macros around. */
export type Sizes = ReadonlyMap<string, Size>;

const PER_CHARACTER = 0.1;
/** A weight is divided by and put in order among the others. */
const PER_WEIGHT = 10;
/** A converted number, date or amount. */
const SHORT_TEXT = 32;
/** Text that a change of letter case may make of one character. */
const CASE_GROWTH = 3;

const SCALAR: Size = { text: 0, list: 0 };

export function scalarOf(): Size {
  return SCALAR;
}

/** Something of the payload: any text or list, elements of the same sort. */
export const ANY: Size = Object.freeze({
  text: MAX_TEXT,
  list: MAX_LIST,
  get item(): Size {
    return ANY;
  },
});

/** A whole payload is compared at most once from end to end. */
const ANY_WEIGHT = 100_000;

function textSize(characters: number): Size {
  return { text: characters, list: 0 };
}

/** @param type a CEL type's name: `string`, `list<Line>`, `Money`, … */
export function sizeOfType(type: string): Size {
  if (type === 'string') return textSize(MAX_TEXT);
  if (type === 'dyn') return ANY;
  const item = /^list<(.+)>$/.exec(type)?.[1];
  return item === undefined ? SCALAR : { text: 0, list: MAX_LIST, item: sizeOfType(item) };
}

function sizeOfChecked(type: CheckedType | undefined): Size {
  return type === undefined ? ANY : sizeOfType(type.kind === 'dyn' ? 'dyn' : type.name);
}

/** What it costs to look at the whole of a value. */
function weight(size: Size): number {
  if (size === ANY) return ANY_WEIGHT;
  const items = size.item === undefined ? 0 : size.list * weight(size.item);
  return 1 + size.text * PER_CHARACTER + items;
}

function largest(left: Size, right: Size): Size {
  if (left === ANY || right === ANY) return ANY;
  const item = left.item && right.item ? largest(left.item, right.item) : (left.item ?? right.item);
  return { text: Math.max(left.text, right.text), list: Math.max(left.list, right.list), item };
}

/** Text after text, list after list; numbers stay numbers. */
function joined(left: Size, right: Size): Size {
  const item = left.item && right.item ? largest(left.item, right.item) : (left.item ?? right.item);
  return { text: left.text + right.text, list: left.list + right.list, item };
}

/** @param node checked; every name in it has a size */
export function estimate(node: ASTNode, sizes: Sizes): Estimate {
  const comprehension = comprehensionOf(node);
  if (comprehension) return estimateComprehension(node, sizes);
  const parts = childrenOf(node).map((child) => estimate(child, sizes));
  const below = parts.reduce((sum, { cost }) => sum + cost, 0);
  const own = estimateStep(
    node,
    parts.map(({ size }) => size),
    sizes,
  );
  return { cost: below + own.cost, size: own.size };
}

function estimateStep(node: ASTNode, parts: readonly Size[], sizes: Sizes): Estimate {
  const [left = SCALAR, right = SCALAR] = parts;
  switch (node.op) {
    case 'value':
      return { cost: 1, size: textSize(typeof node.args === 'string' ? node.args.length : 0) };
    case 'id':
      return { cost: 1, size: sizes.get(node.args) ?? ANY };
    case '[]':
      return { cost: 1, size: left.item ?? sizeOfChecked(checkedTypeOf(node)) };
    case '?:':
      return { cost: 1, size: largest(right, parts[2] ?? SCALAR) };
    case '+': {
      const size = joined(left, right);
      return { cost: 1 + size.text * PER_CHARACTER + size.list, size };
    }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { cost: 1 + Math.min(weight(left), weight(right)), size: SCALAR };
    case 'in':
      return { cost: 1 + right.list * Math.min(weight(left), weight(right.item ?? SCALAR)), size: SCALAR };
    case 'list':
      return { cost: 1 + parts.length, size: listOf(parts) };
    case 'call':
      return estimateCall(node.args[0], parts, node);
    case 'rcall':
      return estimateCall(node.args[0], parts, node);
    default:
      return { cost: 1, size: sizeOfChecked(checkedTypeOf(node)) };
  }
}

function listOf(items: readonly Size[]): Size {
  const [first, ...others] = items;
  return { text: 0, list: items.length, item: first && others.reduce(largest, first) };
}

function estimateCall(name: string, parts: readonly Size[], node: ASTNode): Estimate {
  const [subject = SCALAR, argument = SCALAR] = parts;
  const scan = 1 + subject.text * PER_CHARACTER;
  switch (name) {
    case 'contains':
    case 'indexOf':
    case 'lastIndexOf':
      return { cost: scan * Math.max(1, argument.text * PER_CHARACTER), size: SCALAR };
    case 'trim':
    case 'substring':
      return { cost: scan, size: textSize(subject.text) };
    case 'lowerAscii':
    case 'upperAscii':
      return { cost: scan, size: textSize(subject.text * CASE_GROWTH) };
    case 'split':
      return {
        cost: scan * Math.max(1, argument.text * PER_CHARACTER) + subject.text,
        size: pieces(subject.text),
      };
    case 'join':
      return joinEstimate(subject, argument);
    case 'string':
      return { cost: scan, size: textSize(Math.max(SHORT_TEXT, subject.text)) };
    case 'allocate':
      return {
        cost: 1 + argument.list * PER_WEIGHT,
        size: { text: 0, list: argument.list, item: SCALAR },
      };
    case 'plus':
    case 'minus':
      return { cost: 1 + argument.list, size: SCALAR };
    case 'instalments':
      return { cost: MAX_INSTALMENTS, size: { text: 0, list: MAX_INSTALMENTS, item: SCALAR } };
    default:
      return { cost: scan, size: sizeOfChecked(checkedTypeOf(node)) };
  }
}

function pieces(characters: number): Size {
  return { text: 0, list: characters + 1, item: textSize(characters), itemsText: characters };
}

function joinEstimate(list: Size, separator: Size): Estimate {
  const characters = (list.itemsText ?? list.list * (list.item?.text ?? 0)) + list.list * separator.text;
  return { cost: 1 + list.list + characters * PER_CHARACTER, size: textSize(characters) };
}

function estimateComprehension(node: ASTNode, sizes: Sizes): Estimate {
  const parts = comprehensionOf(node);
  if (parts === undefined) return { cost: 1, size: ANY };
  const range = estimate(parts.range, sizes);
  const inner = new Map(sizes).set(parts.variable, range.size.item ?? ANY);
  const body = parts.body.map((child) => estimate(child, inner));
  const each = body.reduce((sum, { cost }) => sum + cost, 1);
  const results = node.op === 'rcall' ? node.args[0] : '';
  return {
    cost: range.cost + 1 + range.size.list * each,
    size: resultOf(results, range.size, body.at(-1)?.size ?? SCALAR),
  };
}

function resultOf(name: string, range: Size, last: Size): Size {
  if (name === 'map') return { text: 0, list: range.list, item: last };
  if (name === 'filter') return { text: 0, list: range.list, item: range.item, itemsText: range.itemsText };
  return SCALAR;
}
