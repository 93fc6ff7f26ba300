import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { checkedTypeOf, type ASTNode } from './ast';
import { Fact } from './facts';
import { StepOutput } from './references';

/*
 * Most of what rules compute is a name, a field of it, or an entry of a table. These are read here without the
 * library's walk over the expression. Where anything is absent or not of the kind that was checked, nothing is read:
 * then the library evaluates the expression, and says what is wrong.
 */

/** Reads a value; undefined: it cannot be read so. */
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
  Address: (value) => value instanceof Fact,
  CustomerRef: (value) => value instanceof StepOutput,
  ScheduleRef: (value) => value instanceof StepOutput,
  ScheduleRefs: (value) => value instanceof StepOutput,
  ReceiptRefs: (value) => value instanceof StepOutput,
};

/** How to read an expression directly; undefined where it is more than reading. @param node checked */
export function directRead(node: ASTNode): Direct | undefined {
  const isOfKind = KINDS[checkedTypeOf(node)?.name ?? ''];
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
      return memberOf(left, () => name);
    }
    case '[]':
      return memberOf(node.args[0], keyOf(node.args[1]));
    default:
      return undefined;
  }
}

/** What stands between the brackets behind a table: text that is written out or read. */
function keyOf(node: ASTNode): Direct | undefined {
  if (checkedTypeOf(node)?.name !== 'string') return undefined;
  if (node.op !== 'value') return directRead(node);
  const text = node.args;
  return () => text;
}

/** A field of a fact, an entry of a table, an output of a step. */
function memberOf(left: ASTNode, key: Direct | undefined): Direct | undefined {
  const owner = reading(left);
  if (!owner || !key) return undefined;
  return (values) => {
    const value = owner(values);
    const name = key(values);
    if (typeof name !== 'string') return undefined;
    if (value instanceof Fact) return value.field(name);
    return value instanceof Map ? (value as ReadonlyMap<string, unknown>).get(name) : undefined;
  };
}
