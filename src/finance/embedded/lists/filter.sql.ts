import { Prisma } from '../../../database/client/client';
import { inLowerCase, inUpperCase } from '../../../database/letter-case';
import {
  familyOf,
  FUNCTIONS,
  type Call,
  type Compared,
  type Comparison,
  type Expression,
  type Literal,
  type OneOf,
} from '../../../http/filter/expression';
import { unreadableOption } from '../../../http/filter/list-option-problem';
import { CalendarDate, CalendarDateError } from '../../../kernel/calendar-date';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { wireDate } from '../../api/shapes/wire';
import { allOf, type Columns } from './columns.sql';

const OPERATORS: Readonly<Record<Comparison, Prisma.Sql>> = {
  eq: Prisma.sql`=`,
  ne: Prisma.sql`is distinct from`,
  gt: Prisma.sql`>`,
  ge: Prisma.sql`>=`,
  lt: Prisma.sql`<`,
  le: Prisma.sql`<=`,
};
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
};
/** At the end of a date and time, after its ten characters of date. */
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;
const UTC_MIDNIGHT = /T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)$/i;
const NEVER = Prisma.sql`false`;
const ALWAYS = Prisma.sql`true`;

/**
 * A filter as a condition of SQL in which every value is a parameter. A comparison with null is false, so that
 * `ne` and `not` of it are true. Dates with a time are read in the organization's zone.
 * @throws Problem malformed-request for a point in time that falls on no day from 1900 to 9999
 */
export function conditionOf(
  expression: Expression,
  columns: Columns,
  organization: Organization,
): Prisma.Sql {
  return new FilterCompiler(columns, organization).condition(expression);
}

class FilterCompiler {
  constructor(
    private readonly columns: Columns,
    private readonly organization: Organization,
  ) {}

  /** May come out null, which counts as false wherever only truth is asked for. */
  condition(expression: Expression): Prisma.Sql {
    switch (expression.kind) {
      case 'and':
        return allOf(expression.operands.map((operand) => this.condition(operand)));
      case 'or':
        return Prisma.join(
          expression.operands.map((operand) => Prisma.sql`(${this.condition(operand)})`),
          ' or ',
        );
      case 'not':
        return Prisma.sql`not coalesce((${this.condition(expression.operand)}), false)`;
      case 'compare':
        return this.comparison(expression);
      case 'in':
        return this.oneOf(expression);
      default:
        return this.value(expression);
    }
  }

  private value(expression: Expression): Prisma.Sql {
    switch (expression.kind) {
      case 'field':
        return this.field(expression.path);
      case 'call':
        return this.call(expression);
      case 'literal':
        return literalOf(expression);
      default:
        return Prisma.sql`coalesce((${this.condition(expression)}), false)`;
    }
  }

  private field(path: string): Prisma.Sql {
    const found = this.columns[path];
    if (!found) throw new Error('a filter names a column that is not there');
    if (found.type !== 'money') return Prisma.sql`(${found.sql})`;
    const unit = 10 ** Money.exponentOf(this.organization.currency);
    // Decimal and exact: what has more decimals than the currency equals no amount.
    return Prisma.sql`((${found.sql})::numeric / ${unit}::int)`;
  }

  private call({ name, operands }: Call): Prisma.Sql {
    if (name === 'now') return Prisma.sql`now()`;
    const takesDay = FUNCTIONS[name].takes[0] === 'date';
    const [first, second] = operands.map((operand) => (takesDay ? this.day(operand) : this.value(operand)));
    if (!first) throw new Error('a function without operands');
    switch (name) {
      case 'date':
        return first;
      case 'tolower':
        return inLowerCase(first);
      case 'toupper':
        return inUpperCase(first);
      case 'trim':
        return Prisma.sql`btrim(${first})`;
      case 'length':
        return Prisma.sql`length(${first})`;
      case 'year':
        return Prisma.sql`extract(year from ${first})::int`;
      case 'month':
        return Prisma.sql`extract(month from ${first})::int`;
      case 'day':
        return Prisma.sql`extract(day from ${first})::int`;
      case 'contains':
        return Prisma.sql`(position(${second} in ${first}) > 0)`;
      case 'substringof':
        return Prisma.sql`(position(${first} in ${second}) > 0)`;
      case 'startswith':
        return Prisma.sql`starts_with(${first}, ${second})`;
      case 'endswith':
        return Prisma.sql`(right(${first}, length(${second})) = ${second})`;
    }
  }

  private comparison({ operator, left, right }: Compared): Prisma.Sql {
    if (isNull(right)) return this.withNull(operator, left);
    if (isNull(left)) return this.withNull(operator, right);
    if (isInstant(left)) return this.withInstant(operator, left, right);
    if (isInstant(right)) return this.withInstant(MIRRORED[operator], right, left);
    if (isPoint(right)) return this.withPoint(operator, left, right);
    if (isPoint(left)) return this.withPoint(MIRRORED[operator], right, left);
    if (operator === 'eq' && left.kind === 'field' && right.kind === 'literal')
      return Prisma.sql`${this.value(left)} = ${this.value(right)}`;
    const [one, other] = [this.comparable(left), this.comparable(right)];
    if (operator === 'eq' && left.kind !== 'literal' && right.kind !== 'literal')
      return Prisma.sql`${one} is not distinct from ${other}`;
    return Prisma.sql`${one} ${OPERATORS[operator]} ${other}`;
  }

  private withNull(operator: Comparison, operand: Expression): Prisma.Sql {
    if (operator !== 'eq' && operator !== 'ne') return NEVER;
    if (isNull(operand)) return operator === 'eq' ? ALWAYS : NEVER;
    const value = this.comparable(operand);
    return operator === 'eq' ? Prisma.sql`${value} is null` : Prisma.sql`${value} is not null`;
  }

  /** A stored day is its midnight: a point between two of them equals none. */
  private withPoint(operator: Comparison, operand: Expression, point: Literal): Prisma.Sql {
    const { day, isMidnight } = this.dayOf(point);
    if (!isMidnight && operator === 'eq') return NEVER;
    if (!isMidnight && operator === 'ne') return ALWAYS;
    const between: Partial<Record<Comparison, Comparison>> = isMidnight ? {} : { ge: 'gt', lt: 'le' };
    const sign = OPERATORS[between[operator] ?? operator];
    return Prisma.sql`${this.value(operand)} ${sign} ${day.toString()}::date`;
  }

  /** A day that is written out is compared with the day on which the instant falls; a stored one is its midnight. */
  private withInstant(operator: Comparison, instant: Expression, other: Expression): Prisma.Sql {
    if (other.kind === 'literal' && other.type === 'date')
      return Prisma.sql`${this.day(instant)} ${OPERATORS[operator]} ${literalOf(other)}`;
    return Prisma.sql`${this.value(instant)} ${OPERATORS[operator]} ${this.instant(other)}`;
  }

  /** Something of dates as `timestamptz`. */
  private instant(expression: Expression): Prisma.Sql {
    const { timeZone } = this.organization;
    if (isInstant(expression)) return this.value(expression);
    if (isPoint(expression)) {
      this.dayOf(expression);
      return OFFSET.test(expression.value.slice(10))
        ? Prisma.sql`${expression.value}::timestamptz`
        : Prisma.sql`(${expression.value}::timestamp at time zone ${timeZone}::text)`;
    }
    return Prisma.sql`((${this.value(expression)})::timestamp at time zone ${timeZone}::text)`;
  }

  /** Something of dates as the `date` it falls on. */
  private day(expression: Expression): Prisma.Sql {
    if (isInstant(expression))
      return Prisma.sql`((${this.value(expression)}) at time zone ${this.organization.timeZone}::text)::date`;
    return isPoint(expression)
      ? Prisma.sql`${this.dayOf(expression).day.toString()}::date`
      : this.value(expression);
  }

  private oneOf({ operand, values }: OneOf): Prisma.Sql {
    if (isNull(operand)) return values.some(isNull) ? ALWAYS : NEVER;
    if (isInstant(operand)) {
      const alternatives = values.map((value) => this.comparison(equal(operand, value)));
      return Prisma.join(
        alternatives.map((alternative) => Prisma.sql`(${alternative})`),
        ' or ',
      );
    }
    const value = operand.kind === 'field' ? this.value(operand) : this.comparable(operand);
    const wanted = values.filter((literal) => !isNull(literal)).flatMap((literal) => this.member(literal));
    const conditions = [
      ...(values.some(isNull) ? [Prisma.sql`${value} is null`] : []),
      ...(wanted.length > 0 ? [Prisma.sql`${value} in (${Prisma.join(wanted)})`] : []),
    ];
    return conditions.length > 0 ? Prisma.join(conditions, ' or ') : NEVER;
  }

  private member(literal: Literal): Prisma.Sql[] {
    if (!isPoint(literal)) return [literalOf(literal)];
    const { day, isMidnight } = this.dayOf(literal);
    return isMidnight ? [Prisma.sql`${day.toString()}::date`] : [];
  }

  /**
   * Text is compared by its characters' codes, so that every database orders it alike. Whether a field equals a text is the same in
   * any order, and is asked without one: indexes know none but the database's own.
   */
  private comparable(expression: Expression): Prisma.Sql {
    const value = this.value(expression);
    return familyOf(expression.type) === 'text' ? Prisma.sql`(${value}) collate "C"` : value;
  }

  private dayOf({ value, position }: Literal): { day: CalendarDate; isMidnight: boolean } {
    const { timeZone } = this.organization;
    try {
      // Clients that keep a day as a date and time write it so, whatever the zone.
      if (UTC_MIDNIGHT.test(value)) return { day: CalendarDate.parse(value.slice(0, 10)), isMidnight: true };
      const day = CalendarDate.parseIn(value, timeZone);
      const hasOffset = OFFSET.test(value.slice(10));
      const isMidnight = hasOffset
        ? Date.parse(value) === Date.parse(wireDate(day, timeZone))
        : /T00:00(?::00(?:\.0+)?)?$/i.test(value);
      return { day, isMidnight };
    } catch (error) {
      if (!(error instanceof CalendarDateError)) throw error;
      throw unreadableOption('$filter', position, 'there is no such day from 1900 to 9999');
    }
  }
}

function isNull({ type }: Expression): boolean {
  return type === 'null';
}

function isInstant({ type }: Expression): boolean {
  return type === 'instant';
}

function equal(left: Expression, right: Expression): Compared {
  return { kind: 'compare', operator: 'eq', left, right, type: 'boolean', position: left.position };
}

function isPoint(expression: Expression): expression is Literal & { readonly type: 'date-time' } {
  return expression.type === 'date-time';
}

function literalOf({ type, value }: Literal): Prisma.Sql {
  switch (type) {
    case 'guid':
      return Prisma.sql`${value}::uuid`;
    case 'date':
      return Prisma.sql`${value}::date`;
    case 'boolean':
      return value === 'true' ? ALWAYS : NEVER;
    case 'text':
      return Prisma.sql`${value}::text`;
    default:
      return Prisma.sql`${value}::numeric`;
  }
}
