import type { Attention } from '../api/effects/attention';
import { datesCount, type EffectDeclaration } from '../api/effects/declaration';
import type { EffectRequest } from '../api/effects/effect';
import { EFFECTS } from '../api/effects/registry';
import type { PlannedBefore } from './planned-before.repository';

/** Whether {@link contentDiffers} may say anything of an effect, whatever it was applied with. */
export function mayDiffer({ operation }: EffectRequest['effect']): boolean {
  const declaration: EffectDeclaration<never> = EFFECTS[operation];
  return declaration.differences !== undefined;
}

/**
 * What a person must look at where an effect that was applied is asked for with other content than its amount, which is
 * compared by itself. A rule that was changed in between asks for something else on purpose.
 */
export function contentDiffers(request: EffectRequest, before: PlannedBefore | undefined): Attention[] {
  const { effect, rule } = request;
  const { currency } = request.organization;
  if (!before || before.effect.operation !== effect.operation) return [];
  if (before.rule === rule?.name && before.ruleVersion !== rule.version) return [];
  // What came before its planned day, as when an acquirer pays early, is what the day was planned for.
  const isPlanned = effect.notBefore !== undefined && before.effect.notBefore === undefined;
  const dates = !isPlanned && !effect.dayInferred && datesCount(request, before);
  const context = { dates, names: !before.rulesPut, currency };
  const declaration: EffectDeclaration<object> = EFFECTS[effect.operation];
  const differences = declaration.differences?.(before.effect.input, effect.input, context) ?? [];
  if (differences.length === 0) return [];
  const detail = `${effect.key} was applied with other content than it is now asked for with, and nothing was changed: ${differences.join('; ')}`;
  return [{ code: 'content-differs', detail, amount: effect.amount ?? '0' }];
}
