import { readTransfer, type TransferInput } from '../../api/effects/transfer-make';
import { makeOnly, type RemoteEffectHandler } from './remote-effect';

/** Moves money between two accounts (operation 7), which answers nothing. */
export const makeTransfer: RemoteEffectHandler<TransferInput> = async (effect) => {
  const { connection, organization, tools } = effect;
  const { origin, destiny, value, date } = readTransfer(effect.input, organization);
  const body = {
    originAccountId: await tools.names.account(connection, organization, origin),
    destinyAccountId: await tools.names.account(connection, organization, destiny),
    date: date.toString(),
    value: Number(value.toString()),
  };
  return makeOnly(effect, { operation: 'accounts.transfer', body });
};
