import type { CompiledRule } from './compiled-rule';

/** What decides when a rule is tried. */
export type Ranked = Pick<CompiledRule, 'name' | 'priority'>;

/** Whether one rule is tried before another: from the highest priority down, then by name. Like a comparator. */
export function compareRules(left: Ranked, right: Ranked): number {
  if (left.priority !== right.priority) return right.priority - left.priority;
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}

/** Rules of one event in the order in which they are tried. */
export function inOrder<R extends Ranked>(rules: readonly R[]): R[] {
  return [...rules].sort(compareRules);
}
