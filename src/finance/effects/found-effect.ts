import { type EffectRequest, type EffectResult, RECORD_MISSING } from '../api/effects/effect';
import { foundBy } from '../api/effects/registry';
import { type EffectKey, type EffectRecord, keyOf } from './effects.repository';

/** Whether a request changes nothing, so that {@link foundEffect} says what comes of it. */
export function isFinding({ effect }: EffectRequest): boolean {
  return foundBy(effect.operation) !== undefined;
}

/** The records that an effect looks for: the one it cannot do without first. */
export function wantedRecords({ organization, effect }: EffectRequest): [EffectKey, ...EffectKey[]] {
  const organizationId = organization.id;
  const others = effect.operation === 'credit-schedule.find' ? (effect.input.others ?? []) : [];
  return [{ organizationId, key: effect.key }, ...others.map((key) => ({ organizationId, key }))];
}

/**
 * What comes of an effect that finds.
 * @param records of what is {@link wantedRecords}, by {@link keyOf}; those that are not there are absent
 */
export function foundEffect(
  request: EffectRequest,
  records: ReadonlyMap<string, Pick<EffectRecord, 'state' | 'output'>>,
): EffectResult {
  const { key, operation } = request.effect;
  const [first, ...others] = wantedRecords(request).map((name) => records.get(keyOf(name)));
  if (first?.state !== 'applied') {
    const reason = `there is no ${foundBy(operation)} under the key ${key}: Ponte has not made it, or not yet`;
    return { state: 'refused', code: RECORD_MISSING, reason, waitsFor: key };
  }
  const more = others.flatMap((other) => (other?.state === 'applied' ? (other.output.all ?? []) : []));
  if (more.length === 0) return { state: 'existing', output: first.output, attention: [] };
  const all = [...(first.output.all ?? []), ...more];
  return { state: 'existing', output: { ...first.output, all }, attention: [] };
}
