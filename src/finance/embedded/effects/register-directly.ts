import { type DirectInput, readDirect } from '../../api/effects/direct-registration';
import { type DirectRegistration, registerDirectly } from '../payments/direct-registrations';
import { type EffectHandler, oneRecordEach } from './effect-handler';

export const registerPayment = registering('payment');
export const registerReceipt = registering('receipt');

function registering(kind: DirectRegistration['kind']): EffectHandler<DirectInput> {
  return oneRecordEach(
    ({ organization, input }, id) => ({ id, organization, kind, ...readDirect(input, organization) }),
    registerDirectly,
    `${kind}.registered`,
  );
}
