import { type AccountInput, readAccount, severalAccounts } from '../../api/effects/account-ensure';
import { isUuid } from '../../../kernel/identifier';
import { Problem, unacceptable } from '../../../kernel/problem';
import { nameOf, type RemoteEffect, type RemoteEffectHandler, stalled } from './remote-effect';

/** Finds an account by its exact name (operation 16), else opens it (operation 10). */
export const ensureAccount: RemoteEffectHandler<AccountInput> = async (effect) => {
  const { connection, organization, key, deliveryId, tools } = effect;
  const { name, bank, type, openBalance, openedOn } = readAccount(effect.input, organization);
  const bankId = bank === undefined ? undefined : bankIdOf(bank);
  const isPlanned = (await tools.calls.planned(organization.id, key)).length > 0;
  const id = isPlanned ? undefined : await registered(effect, name);
  if (id !== undefined) return { state: 'existing', output: { id }, attention: [] };
  const body = {
    ...{ name, bankId, type },
    openBalance: Number(openBalance.toString()),
    dateOfOpenBalance: openedOn.toString(),
  };
  // None of the name was there: one that is there afterwards is this one.
  const options = { deliveryId, evidence: { before: [] } };
  const content = { operation: 'accounts.create', body } as const;
  const result = await tools.calls.make(connection, nameOf(effect), content, options);
  return result.state === 'applied'
    ? { state: 'applied', output: result.output, attention: [] }
    : stalled(result);
};

/** @throws Problem where several accounts have the name; Unreadable */
async function registered(
  { connection, organization, tools }: RemoteEffect<AccountInput>,
  name: string,
): Promise<string | undefined> {
  const [first, ...others] = await tools.reads.accounts(connection, organization, name);
  if (others.length > 0) throw new Problem('conflict', severalAccounts());
  return first?.id;
}

/** @throws Problem when it is named by its code: no operation finds it by that */
function bankIdOf(bank: string): string {
  if (isUuid(bank)) return bank.toLowerCase();
  const sentence =
    'the bank has to be named by its identifier: the finance interface does not find banks by their code';
  throw unacceptable('/bankId', 'unknown', sentence);
}
