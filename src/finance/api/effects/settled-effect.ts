import type { EffectDeclaration } from './declaration';
import type { PlannedEffect } from './effect';
import { EFFECTS } from './registry';

/** What is kept of an effect, whole or in part. */
type KeptEffect = Pick<PlannedEffect, 'operation' | 'input' | 'leftOut'>;

/**
 * An effect as it is kept once it is settled: without the members of its input that are about a person, which are named
 * in `leftOut`. An effect without any, and one that was settled before, is given back as it is.
 */
export function settledEffect<E extends KeptEffect>(effect: E): E {
  const { personal = [] }: EffectDeclaration<never> = EFFECTS[effect.operation];
  const leftOut = personal.filter((name) => Object.hasOwn(effect.input, name));
  if (leftOut.length === 0) return effect;
  const input = Object.fromEntries(Object.entries(effect.input).filter(([name]) => !leftOut.includes(name)));
  return { ...effect, input, leftOut: [...(effect.leftOut ?? []), ...leftOut] };
}
