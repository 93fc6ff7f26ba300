import { readDirect, type DirectInput } from '../../api/effects/direct-registration';
import {
  makeOnly,
  type RemoteEffect,
  type RemoteEffectHandler,
  type RemoteEffectResult,
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
  const { connection, organization, tools } = effect;
  const { account, value, date, description, reference, stakeholderId, ...classes } = readDirect(
    effect.input,
    organization,
  );
  const body = {
    accountId: await tools.names.account(connection, organization, account),
    stakeholderId,
    ...(await tools.names.classes(connection, organization, classes)),
    value: Number(value.toString()),
    date: date.toString(),
    description,
    reference,
  };
  return makeOnly(effect, { operation, body });
}
