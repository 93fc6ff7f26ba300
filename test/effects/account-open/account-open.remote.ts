import { nameOf, type RemoteEffectHandler, stalled } from '../../../src/finance/remote/effects/remote-effect';
import { type AccountOpenInput, readName } from './account-open';

export const openAccount: RemoteEffectHandler<AccountOpenInput> = async (effect) => {
  const { connection, input, deliveryId, tools } = effect;
  const content = { operation: 'accounts.create', body: { name: readName(input) } } as const;
  const result = await tools.calls.make(connection, nameOf(effect), content, { deliveryId });
  if (result.state !== 'applied') return stalled(result);
  return { state: 'applied', output: result.output, attention: [] };
};
