import { readTransfer, type TransferInput } from '../../api/effects/transfer-make';
import { Problem } from '../../../kernel/problem';
import { nameOf, type RemoteEffectHandler, stalled } from './remote-effect';

/** Moves money between two accounts (operation 7), which answers nothing. */
export const makeTransfer: RemoteEffectHandler<TransferInput> = async (effect) => {
  const { connection, organization, deliveryId, tools } = effect;
  const { origin, destiny, value, date } = readTransfer(effect.input, organization);
  if (!value.isPositive) throw new Problem('validation-failed', 'the value must be more than 0');
  const body = {
    originAccountId: await tools.names.account(connection, organization, origin),
    destinyAccountId: await tools.names.account(connection, organization, destiny),
    date: date.toString(),
    value: Number(value.toString()),
  };
  const content = { operation: 'accounts.transfer', body } as const;
  const result = await tools.calls.make(connection, nameOf(effect), content, { deliveryId });
  if (result.state !== 'applied') return stalled(result);
  return { state: 'applied', output: {}, attention: [] };
};
