import { makeOnly, type RemoteEffectHandler } from '../../../src/finance/remote/effects/remote-effect';
import { type AccountOpenInput, readName } from './account-open';

export const openAccount: RemoteEffectHandler<AccountOpenInput> = async (effect) =>
  makeOnly(effect, { operation: 'accounts.create', body: { name: readName(effect.input) } });
