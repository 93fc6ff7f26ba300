import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { checkedTypeOf, type ASTNode } from './ast';
import { operation } from './direct-operations';
import { FACT_TYPES, fieldNamesOf } from './event-types';
import { Fact, isPresent } from './facts';
import { StepOutput } from './references';

/*
 * Most of what rules compute is a name, a field of it, or an entry of a table, compared with a text or an amount. These
 * are read here without the library's walk over the expression. Where anything is absent or not of the kind that was
 * checked, nothing is read: then the library evaluates the expression, and says what is wrong.
 */

/** Reads a value; undefined: it cannot be read so. @throws RuleRefusal where a part of it is larger than may be read */
export type Direct = (values: Readonly<Record<string, unknown>>) => unknown;

/** Whether a value is of a CEL type. Types that are not here are left to the library. */
const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  int: (value) => typeof value === 'bigint',
  double: (value) => typeof value === 'number',
  Money: (value) => value instanceof Money,
  Date: (value) => value instanceof CalendarDate,
  Instant: (value) => value instanceof Date,
  CustomerRef: (value) => value instanceof StepOutput,
  ScheduleRef: (value) => value instanceof StepOutput,
  ScheduleRefs: (value) => value instanceof StepOutput,
  ReceiptRefs: (value) => value instanceof StepOutput,
};

const FACTS: ReadonlySet<string> = new Set(FACT_TYPES.map(({ name }) => name));

function kindOf(type: string): ((value: unknown) => boolean) | undefined {
  if (type.startsWith('list<')) return Array.isArray;
  return FACTS.has(type) ? (value) => value instanceof Fact : KINDS[type];
}

/** How to read an expression directly; undefined where it is more than reading. @param node checked */
export function directRead(node: ASTNode): Direct | undefined {
  const isOfKind = kindOf(checkedTypeOf(node)?.name ?? '');
  const read = isOfKind && reading(node);
  if (!isOfKind || !read) return undefined;
  return (values) => {
    const value = read(values);
    return isOfKind(value) ? value : undefined;
  };
}

function reading(node: ASTNode): Direct | undefined {
  switch (node.op) {
    case 'id': {
      const name = node.args;
      return (values) => values[name];
    }
    case '.': {
      const [left, name] = node.args;
      return pathOf(node) ?? memberOf(left, () => name);
    }
    case '[]':
      return elementOf(node.args) ?? memberOf(node.args[0], keyOf(node.args[1]));
    case 'value': {
      const { args: value } = node;
      return typeof value === 'string' || typeof value === 'bigint' ? () => value : undefined;
    }
    default:
      return operation(node, directRead) ?? presence(node);
  }
}

/** `has` of a path of fields: whatever is absent on the way makes it false. */
function presence(node: ASTNode): Direct | undefined {
  if (node.op !== 'call' || node.args[0] !== 'has') return undefined;
  const [path] = node.args[1];
  const read = path && fieldsOf(path);
  return read && ((values) => isPresent(read(values)));
}

/** A field of a field of a name; undefined where it is absent. */
function fieldsOf(node: ASTNode): Direct | undefined {
  if (node.op === 'id') return reading(node);
  if (node.op !== '.') return undefined;
  const [left, name] = node.args;
  // Of the payload, tables and outputs the library knows what is there.
  const owner = fieldNamesOf(checkedTypeOf(left)?.name ?? '').includes(name) ? fieldsOf(left) : undefined;
  if (!owner) return undefined;
  return (values) => {
    const value = owner(values);
    return value instanceof Fact ? value.field(name) : undefined;
  };
}

/** `list[0]`, with the number written out. */
function elementOf([left, index]: readonly [ASTNode, ASTNode]): Direct | undefined {
  const list = index.op === 'value' && typeof index.args === 'bigint' ? directRead(left) : undefined;
  if (!list || index.op !== 'value') return undefined;
  const place = Number(index.args);
  return (values) => {
    const elements = list(values);
    return Array.isArray(elements) ? (elements as readonly unknown[])[place] : undefined;
  };
}

/** What stands between the brackets behind a table: text that is written out or read. */
function keyOf(node: ASTNode): Direct | undefined {
  return checkedTypeOf(node)?.name === 'string' ? directRead(node) : undefined;
}

/** A member of a member of a name. One function for the whole: where many rules are tried, most time goes to fetching each. */
function pathOf(node: ASTNode): Direct | undefined {
  const names = namesOf(node);
  const [first, ...members] = names ?? [];
  if (first === undefined) return undefined;
  return (values) => members.reduce(memberNamed, values[first]);
}

function namesOf(node: ASTNode): readonly string[] | undefined {
  if (node.op === 'id') return [node.args];
  const owner = node.op === '.' ? namesOf(node.args[0]) : undefined;
  return owner && node.op === '.' ? [...owner, node.args[1]] : undefined;
}

/** A field of a fact, an entry of a table, an output of a step. */
function memberNamed(value: unknown, name: string): unknown {
  if (value instanceof Fact) return value.field(name);
  return value instanceof Map ? (value as ReadonlyMap<string, unknown>).get(name) : undefined;
}

function memberOf(left: ASTNode, key: Direct | undefined): Direct | undefined {
  const owner = reading(left);
  if (!owner || !key) return undefined;
  return (values) => {
    const value = owner(values);
    const name = key(values);
    return typeof name === 'string' ? memberNamed(value, name) : undefined;
  };
}
