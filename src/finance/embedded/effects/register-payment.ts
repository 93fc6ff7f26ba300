import { attempt } from '../../api/effects/effect-input';
import { type PaymentInput, readPayment } from '../../api/effects/payment-register';
import { isRefused } from '../../api/ports/outcome';
import { type DirectRegistration, registerDirectly } from '../payments/direct-registrations';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';

export const registerPayment: EffectHandler<PaymentInput> = {
  recordsOf: () => 1,
  outputOf: ([id]) => ({ id }),
  async applyMany(posting, effects) {
    const payments = effects.map((effect) => attempt(() => toRegistration(effect)));
    const registered = await applyReadable(payments, (readable) => registerDirectly(posting, readable));
    return registered.map((outcome) =>
      isRefused(outcome)
        ? outcome
        : {
            output: { id: outcome.id },
            attention: [],
            changes: [{ type: 'payment.registered', id: outcome.id }],
          },
    );
  },
};

function toRegistration({ organization, input, ids }: ReservedEffect<PaymentInput>): DirectRegistration {
  const [id] = ids;
  if (id === undefined) throw new Error('a payment needs an identifier');
  return { id, organization, kind: 'payment', ...readPayment(input, organization) };
}
