import type { Values } from '../rules/cel/expression';
import type { CompiledRule } from '../rules/compiled-rule';

/** More rules than these are counted and not named. */
const MOST_RULES = 3;
/** Longer conditions are counted and not shown: a part of one says nothing. */
const MOST_OF_CONDITION = 100;

/**
 * Why rules did nothing about an event, for a person.
 * @param rules those that listen to the event, in the order in which they are tried; none of them applied
 * @param namesOf what the conditions of a rule read; absent: it is not said which of them was false
 */
export function notApplied(rules: readonly CompiledRule[], namesOf?: (rule: CompiledRule) => Values): string {
  const named = rules.slice(0, MOST_RULES).map((rule) => {
    if (namesOf === undefined) return `rule ${rule.name} did not apply`;
    const source = falseCondition(rule, namesOf);
    return `rule ${rule.name} did not apply: ${source === undefined ? 'a rule before it stops' : `${source} is false`}`;
  });
  const others = rules.length - named.length;
  return [...named, ...(others > 0 ? [`and ${others} more`] : [])].join('; ');
}

/** As it is written, on one line, or its place in the rule; undefined: none is false. */
function falseCondition(rule: CompiledRule, namesOf: (rule: CompiledRule) => Values): string | undefined {
  const isFalse = ({ test }: CompiledRule['conditions'][number]): boolean => {
    try {
      return !test(namesOf(rule));
    } catch {
      // It was not tried: the rule has another that is false, or stands behind one that stops.
      return false;
    }
  };
  const index = rule.conditions.findIndex(isFalse);
  const source = rule.conditions[index]?.source.replace(/\s+/g, ' ').trim();
  return source !== undefined && source.length > MOST_OF_CONDITION
    ? `condition ${index + 1} of ${rule.conditions.length}`
    : source;
}
