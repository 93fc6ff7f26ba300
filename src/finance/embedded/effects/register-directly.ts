import { attempt } from '../../api/effects/effect-input';
import { type DirectInput, readDirect } from '../../api/effects/direct-registration';
import { isRefused } from '../../api/ports/outcome';
import { type DirectRegistration, registerDirectly } from '../payments/direct-registrations';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';

export const registerPayment = registering('payment');
export const registerReceipt = registering('receipt');

function registering(kind: DirectRegistration['kind']): EffectHandler<DirectInput> {
  return {
    recordsOf: () => 1,
    outputOf: ([id]) => ({ id }),
    async applyMany(posting, effects) {
      const payments = effects.map((effect) => attempt(() => toRegistration(kind, effect)));
      const registered = await applyReadable(payments, (readable) => registerDirectly(posting, readable));
      return registered.map((outcome) =>
        isRefused(outcome)
          ? outcome
          : {
              output: { id: outcome.id },
              attention: [],
              changes: [{ type: `${kind}.registered`, id: outcome.id }],
            },
      );
    },
  };
}

function toRegistration(
  kind: DirectRegistration['kind'],
  { organization, input, ids }: ReservedEffect<DirectInput>,
): DirectRegistration {
  const [id] = ids;
  if (id === undefined) throw new Error(`a ${kind} needs an identifier`);
  return { id, organization, kind, ...readDirect(input, organization) };
}
