import type { EffectDeclaration } from '../../finance/api/effects/declaration';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import { EFFECTS } from '../../finance/api/effects/registry';
import type { Plan } from '../../rules/plan';

/** The day of an effect, `YYYY-MM-DD`: when the money moves, or when it is due; undefined: it has none. */
export function dayOf({ input }: PlannedEffect): string | undefined {
  if ('date' in input) return input.date;
  return 'dueDate' in input ? input.dueDate : undefined;
}

/**
 * What two plans say differently of an effect, the amount apart, each as a phrase without personal data; nothing where what was
 * planned before is no longer kept.
 */
export function contentOf(before: Plan, now: Plan, key: string, currency: string): string[] {
  if (before.removedAt !== undefined) return [];
  const [was, is] = [effectIn(before, key), effectIn(now, key)];
  if (!was || !is || was.operation !== is.operation) return [];
  const dates = !is.dayInferred && before.datesKnown === true && now.datesKnown === true;
  const declaration: EffectDeclaration<object> = EFFECTS[is.operation];
  return declaration.differences?.(was.input, is.input, { dates, names: true, currency }) ?? [];
}

function effectIn({ steps }: Plan, key: string): PlannedEffect | undefined {
  return steps.flatMap(({ effects }) => effects).find((effect) => effect.key === key);
}
