import type { Values } from './cel/expression';
import { CURRENCY } from './cel/macros';
import { numberOf } from './cel/requirements';
import type {
  CompiledCondition,
  CompiledRule,
  Equality,
  Interval,
  Range,
  Requirement,
} from './compiled-rule';

/** The rules that one value of a path leaves over. */
interface ByText {
  readonly read: Equality['read'];
  /** Places of the rules in the whole list. */
  readonly places: Map<string, number[]>;
}

/** Between which numbers a value has to be for a rule to apply. */
interface Limit extends Interval {
  /** Place of the value among those that rules are found by. */
  readonly value: number;
}

/**
 * Rules of one event, found by what their conditions compare with a literal or a setting: of a thousand rules, each for another gateway
 * or from another amount on, the few for the order are tried. What is left out would have been tried in vain: one of its
 * conditions is false.
 */
export class Candidates {
  private readonly byPath = new Map<string, ByText>();
  /** Places of the rules that compare nothing with a text. */
  private readonly others: number[] = [];
  private readonly ranges: Ranges;
  private readonly rules: readonly CompiledRule[];

  /** @param rules in the order in which they are tried */
  constructor(rules: readonly CompiledRule[]) {
    this.rules = sharingConditions(rules);
    rules.forEach((rule, place) => this.add(equalityOf(rule), place));
    this.ranges = new Ranges(rules);
  }

  /** The rules to try, in their order. @param names what conditions without settings read of the event */
  of(names: Values): readonly CompiledRule[] {
    return this.ranges.fitting(this.placesByText(names), names).flatMap((place) => this.rules[place] ?? []);
  }

  private placesByText(names: Values): number[] {
    if (this.byPath.size === 0) return this.others;
    const places = [...this.others];
    for (const { read, places: byText } of this.byPath.values()) {
      const text = valueOf(read, names);
      if (typeof text === 'string') places.push(...(byText.get(text) ?? []));
      else for (const all of byText.values()) places.push(...all);
    }
    return places.sort((left, right) => left - right);
  }

  private add(equality: Equality | undefined, place: number): void {
    if (equality === undefined) {
      this.others.push(place);
      return;
    }
    const { path, text, read } = equality;
    const own = this.byPath.get(path) ?? { read, places: new Map<string, number[]>() };
    this.byPath.set(path, own);
    const places = own.places.get(text);
    if (places) places.push(place);
    else own.places.set(text, [place]);
  }
}

/**
 * The same rules, of which those with a condition that is written alike have one condition: a thousand that each ask
 * `!order.test` would have a thousand functions for it, and fetching those takes most of the time of trying the rules.
 */
function sharingConditions(rules: readonly CompiledRule[]): CompiledRule[] {
  const known = new Map<string, CompiledCondition>();
  return rules.map((rule) => {
    const conditions = rule.conditions.map((own) => {
      // All other names are those of the event and the organization.
      if (own.usesSettings === true) return own;
      const first = known.get(own.source) ?? own;
      known.set(own.source, first);
      return first;
    });
    return { ...rule, conditions };
  });
}

/** A rule with settings is refused where these do not fit the currency, also where the text is another: it is tried. */
function equalityOf({ conditions, settings }: CompiledRule): Equality | undefined {
  return settings.length > 0 ? undefined : conditions.flatMap(requirementsOf).find(isEquality);
}

function requirementsOf({ requirements = [] }: CompiledCondition): readonly Requirement[] {
  return requirements;
}

function isEquality(requirement: Requirement): requirement is Equality {
  return 'text' in requirement;
}

function isRange(requirement: Requirement): requirement is Range {
  return 'within' in requirement;
}

/** Which rules the numbers and amounts of an event leave over. Each value is read once for all of them. */
class Ranges {
  private readonly reads: Range['read'][] = [];
  /** Places in `reads` by path. */
  private readonly values = new Map<string, number>();
  private readonly ranges: readonly (readonly Range[])[];
  /** Of each rule by its place, in the currency that the organization had last. */
  private limits: readonly (readonly Limit[])[] = [];
  private currency: string | undefined;

  constructor(private readonly rules: readonly CompiledRule[]) {
    this.ranges = rules.map(({ conditions }) => conditions.flatMap(requirementsOf).filter(isRange));
    for (const { path, read } of this.ranges.flat())
      if (!this.values.has(path)) this.values.set(path, this.reads.push(read) - 1);
  }

  /** The places of rules that may apply, of the places given. */
  fitting(places: readonly number[], names: Values): readonly number[] {
    const currency = names[CURRENCY];
    if (this.reads.length === 0 || typeof currency !== 'string') return places;
    const limits = this.limitsIn(currency);
    const numbers: (bigint | number)[] = [];
    const isWithin = ({ value, least, most }: Limit): boolean => {
      // What is not known is in order with no number: no rule is left out for it.
      const number = (numbers[value] ??= numberOf(valueOf(this.reads[value], names), currency) ?? NaN);
      return !(number < least || number > most);
    };
    return places.filter((place) => limits[place]?.every(isWithin) ?? true);
  }

  private limitsIn(currency: string): readonly (readonly Limit[])[] {
    if (this.currency !== currency) {
      this.limits = this.rules.map((rule, place) => this.limitsOf(rule, this.ranges[place] ?? [], currency));
      this.currency = currency;
    }
    return this.limits;
  }

  private limitsOf({ settingsIn }: CompiledRule, ranges: readonly Range[], currency: string): Limit[] {
    const settings = valueOf(settingsIn, currency);
    // Where they cannot be read the rule is refused: it has to be tried.
    if (settings === undefined) return [];
    return ranges.flatMap(({ path, within }) => {
      const value = this.values.get(path);
      const interval = valueOf(() => within(currency, settings), undefined);
      return value === undefined || interval === undefined ? [] : [{ value, ...interval }];
    });
  }
}

/** Undefined where it fails: trying the condition says why. */
function valueOf<Given, Value>(read: ((given: Given) => Value) | undefined, given: Given): Value | undefined {
  try {
    return read?.(given);
  } catch {
    return undefined;
  }
}
