import { readPayment, type PaymentInput } from '../../api/effects/payment-register';
import { Problem } from '../../../kernel/problem';
import { nameOf, type RemoteEffectHandler, stalled } from './remote-effect';

/** Registers a payment on an account (operation 3), whose answer is its identifier. */
export const registerPayment: RemoteEffectHandler<PaymentInput> = async (effect) => {
  const { connection, organization, deliveryId, tools } = effect;
  const payment = readPayment(effect.input, organization);
  if (!payment.value.isPositive) throw new Problem('validation-failed', 'the value must be more than 0');
  const { category, costCenter } = payment;
  const body = {
    accountId: await tools.names.account(connection, organization, payment.account),
    stakeholderId: payment.stakeholderId,
    categoryId: category === undefined ? undefined : tools.names.category(category),
    costCenterId:
      costCenter === undefined
        ? undefined
        : await tools.names.costCenter(connection, organization, costCenter),
    value: Number(payment.value.toString()),
    date: payment.date.toString(),
    description: payment.description,
    reference: payment.reference,
  };
  const content = { operation: 'payments.register', body } as const;
  const result = await tools.calls.make(connection, nameOf(effect), content, { deliveryId });
  if (result.state !== 'applied') return stalled(result);
  return { state: 'applied', output: result.output, attention: [] };
};
