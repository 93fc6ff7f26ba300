import type { Values } from './cel/expression';
import type { CompiledRule, Equality } from './compiled-rule';

/** The rules that one value of a path leaves over. */
interface ByText {
  readonly read: Equality['read'];
  /** Places of the rules in the whole list. */
  readonly places: Map<string, number[]>;
}

/**
 * Rules of one event, found by what their conditions compare with a text: of a thousand rules, each for another gateway, the
 * few for the gateway of the order are tried. What is left out would have been tried in vain: one of its conditions is false.
 */
export class Candidates {
  private readonly byPath = new Map<string, ByText>();
  /** Places of the rules that compare nothing with a text. */
  private readonly others: number[] = [];

  /** @param rules in the order in which they are tried */
  constructor(private readonly rules: readonly CompiledRule[]) {
    rules.forEach((rule, place) => this.add(rule, place));
  }

  /** The rules to try, in their order. @param names what conditions without settings read of the event */
  of(names: Values): readonly CompiledRule[] {
    if (this.byPath.size === 0) return this.rules;
    const places = [...this.others];
    for (const { read, places: byText } of this.byPath.values()) {
      const text = valueOf(read, names);
      if (typeof text === 'string') places.push(...(byText.get(text) ?? []));
      else for (const all of byText.values()) places.push(...all);
    }
    return places.sort((left, right) => left - right).flatMap((place) => this.rules[place] ?? []);
  }

  private add({ conditions, settings }: CompiledRule, place: number): void {
    // What settings are is not among the names that all rules have.
    const equality = settings.length > 0 ? undefined : conditions.find((each) => each.equality)?.equality;
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

/** Undefined where it cannot be read: trying the condition says why. */
function valueOf(read: Equality['read'], names: Values): unknown {
  try {
    return read(names);
  } catch {
    return undefined;
  }
}
