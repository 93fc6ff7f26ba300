import { readDirect, type DirectInput } from '../../api/effects/direct-registration';
import { Problem } from '../../../kernel/problem';
import {
  nameOf,
  type RemoteEffect,
  type RemoteEffectHandler,
  type RemoteEffectResult,
  stalled,
} from './remote-effect';

/** Registers a payment on an account (operation 3), whose answer is its identifier. */
export const registerPayment: RemoteEffectHandler<DirectInput> = (effect) =>
  register(effect, 'payments.register');

/** Registers a receipt on an account (operation 4), whose answer is its identifier. */
export const registerReceipt: RemoteEffectHandler<DirectInput> = (effect) =>
  register(effect, 'receipts.register');

async function register(
  effect: RemoteEffect<DirectInput>,
  operation: 'payments.register' | 'receipts.register',
): Promise<RemoteEffectResult> {
  const { connection, organization, deliveryId, tools } = effect;
  const registration = readDirect(effect.input, organization);
  if (!registration.value.isPositive) throw new Problem('validation-failed', 'the value must be more than 0');
  const { category, costCenter } = registration;
  const body = {
    accountId: await tools.names.account(connection, organization, registration.account),
    stakeholderId: registration.stakeholderId,
    categoryId: category === undefined ? undefined : tools.names.category(category),
    costCenterId:
      costCenter === undefined
        ? undefined
        : await tools.names.costCenter(connection, organization, costCenter),
    value: Number(registration.value.toString()),
    date: registration.date.toString(),
    description: registration.description,
    reference: registration.reference,
  };
  const content = { operation, body };
  const result = await tools.calls.make(connection, nameOf(effect), content, { deliveryId });
  if (result.state !== 'applied') return stalled(result);
  return { state: 'applied', output: result.output, attention: [] };
}
