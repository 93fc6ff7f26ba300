import { nearestName } from '../../kernel/nearest';
import {
  comparable,
  familyOf,
  FUNCTIONS,
  type Comparison,
  type Expression,
  type FunctionName,
  type Literal,
  type ValueType,
} from './expression';
import type { ListFields } from './fields';
import { literalIn, type LiteralType } from './lexer';
import { TokenReader } from './token-reader';

const MAX_DEPTH = 24;
const MAX_VALUES = 200;
const COMPARISONS: readonly string[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const CONNECTIVES = [...COMPARISONS, 'and', 'or', 'in'];

/**
 * Reads a `$filter` against the properties of a list. What comes back is a condition whose names are known and
 * whose types fit. Words, functions and properties are taken in any letter case.
 * @throws Problem malformed-request with the position and, for an unknown name, the nearest one
 */
export function parseFilter(source: string, fields: ListFields): Expression {
  return new FilterParser(new TokenReader('$filter', source, fields)).parse();
}

/** Recursive descent: or, and, not, comparison, operand. Depth and length are bounded, so the work is. */
class FilterParser {
  private depth = 0;

  constructor(private readonly reader: TokenReader) {}

  parse(): Expression {
    const condition = this.condition(this.disjunction());
    if (this.reader.current.kind !== 'end') throw this.trailing();
    return condition;
  }

  private disjunction(): Expression {
    return this.joined('or', () => this.joined('and', () => this.negation()));
  }

  private joined(kind: 'and' | 'or', part: () => Expression): Expression {
    const first = part();
    if (this.reader.word !== kind) return first;
    const operands = [this.condition(first)];
    while (this.reader.word === kind) {
      this.reader.take();
      operands.push(this.condition(part()));
    }
    return { kind, operands, type: 'boolean', position: first.position };
  }

  private negation(): Expression {
    if (this.reader.word !== 'not') return this.comparison();
    const { position } = this.reader.take();
    const operand = this.deeper(position, () => this.condition(this.negation()));
    return { kind: 'not', operand, type: 'boolean', position };
  }

  private comparison(): Expression {
    const first = this.operand();
    const { word } = this.reader;
    if (word === 'in') return this.oneOf(first);
    if (word === undefined || !COMPARISONS.includes(word)) return first;
    this.reader.take();
    const second = this.operand();
    const [left, right] = [unquoted(first, second.type), unquoted(second, first.type)];
    this.refuseMismatch(left, right);
    return {
      kind: 'compare',
      operator: word as Comparison,
      left,
      right,
      type: 'boolean',
      position: left.position,
    };
  }

  private oneOf(operand: Expression): Expression {
    this.reader.take();
    this.reader.expectSign('(');
    const values: Literal[] = [];
    for (;;) {
      if (values.length === MAX_VALUES)
        throw this.reader.problem(this.reader.current.position, `there may be at most ${MAX_VALUES} values`);
      const written = this.literal();
      const value = written && (unquoted(written, operand.type) as Literal);
      if (!value) throw this.reader.unexpected('a value');
      this.refuseMismatch(operand, value);
      values.push(value);
      if (!this.reader.isSign(',')) break;
      this.reader.take();
    }
    this.reader.expectSign(')');
    return { kind: 'in', operand, values, type: 'boolean', position: operand.position };
  }

  private operand(): Expression {
    const { reader } = this;
    if (reader.isSign('(')) {
      const { position } = reader.take();
      const inner = this.deeper(position, () => this.disjunction());
      reader.expectSign(')');
      return inner;
    }
    const literal = this.literal();
    if (literal) return literal;
    const { following } = reader;
    if (reader.word !== undefined && following.kind === 'punctuation' && following.text === '(')
      return this.call();
    const { path, position } = reader.path();
    const type = reader.fields[path]?.type;
    if (type === undefined) throw new Error('a property that was found is not there');
    return { kind: 'field', path, type, position };
  }

  /** The literal that stands here, if one does. */
  private literal(): Literal | undefined {
    const { kind, text, position } = this.reader.current;
    if (kind === 'name') {
      const word = text.toLowerCase();
      if (word !== 'true' && word !== 'false' && word !== 'null') return undefined;
      this.reader.take();
      return word === 'null'
        ? { kind: 'literal', type: 'null', value: '', position }
        : { kind: 'literal', type: 'boolean', value: word, position };
    }
    if (kind === 'punctuation' || kind === 'end') return undefined;
    this.reader.take();
    return { kind: 'literal', type: kind, value: text, position };
  }

  private call(): Expression {
    const { text, position } = this.reader.take();
    const name = Object.keys(FUNCTIONS).find((known) => known === text.toLowerCase()) as
      FunctionName | undefined;
    if (name === undefined) throw this.reader.unknown('function', text, position, Object.keys(FUNCTIONS));
    const { takes, gives } = FUNCTIONS[name];
    this.reader.expectSign('(');
    const operands = this.deeper(position, () =>
      takes.map((wanted, index) => {
        if (index > 0) this.reader.expectSign(',');
        const operand = this.disjunction();
        if (operand.type !== wanted && !(wanted === 'date' && familyOf(operand.type) === 'date'))
          throw this.reader.problem(operand.position, `${name} takes a ${wanted}, not a ${operand.type}`);
        return operand;
      }),
    );
    this.reader.expectSign(')');
    return { kind: 'call', name, operands, type: gives, position };
  }

  private condition(expression: Expression): Expression {
    if (expression.type === 'boolean') return expression;
    if (this.reader.current.kind !== 'end' && !this.reader.isSign(')')) throw this.trailing();
    throw this.reader.problem(
      expression.position,
      `a condition is expected, not a ${familyOf(expression.type)}`,
    );
  }

  private trailing(): Error {
    const { word } = this.reader;
    const { text, position } = this.reader.current;
    if (word === undefined || CONNECTIVES.includes(word))
      return this.reader.unexpected('an operator or the end');
    const nearest = nearestName(text, CONNECTIVES);
    return this.reader.problem(position, 'an operator or the end is expected here', nearest);
  }

  private refuseMismatch(left: Expression, right: Expression): void {
    if (!comparable(left.type, right.type)) {
      throw this.reader.problem(
        right.position,
        `a ${familyOf(left.type)} cannot be compared with a ${familyOf(right.type)}`,
      );
    }
    if (left.type === 'date-time' && right.type === 'date-time')
      throw this.reader.problem(right.position, 'two points in time cannot be compared with each other');
  }

  private deeper<T>(position: number, read: () => T): T {
    this.depth += 1;
    if (this.depth > MAX_DEPTH)
      throw this.reader.problem(position, `the filter is more than ${MAX_DEPTH} levels deep`);
    const result = read();
    this.depth -= 1;
    return result;
  }
}

/** Which literals a text stands for beside a value of some type. */
const QUOTED: Partial<Readonly<Record<string, readonly LiteralType[]>>> = {
  guid: ['guid'],
  number: ['number'],
  date: ['date-time', 'date'],
};

/** A quoted guid, number, boolean or date beside something of that type as what it says; anything else as it is. */
function unquoted(expression: Expression, beside: ValueType): Expression {
  if (expression.kind !== 'literal' || expression.type !== 'text') return expression;
  const { value, position } = expression;
  const family = familyOf(beside);
  if (family === 'boolean' && /^(?:true|false)$/i.test(value))
    return { kind: 'literal', type: 'boolean', value: value.toLowerCase(), position };
  const found = literalIn(value, QUOTED[family] ?? []);
  return found
    ? { kind: 'literal', type: found.kind as LiteralType, value: found.text, position }
    : expression;
}
