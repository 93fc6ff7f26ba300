import { type AccountInput, readAccount } from '../../api/effects/account-ensure';
import { attempt } from '../../api/effects/effect-input';
import { isRefused } from '../../api/ports/outcome';
import { ensureAccounts } from '../accounts/ensured-accounts.repository';
import { accountsOpened } from '../changes/announce';
import { applyReadable, type EffectHandler, onlyId } from './effect-handler';

export const ensureAccount: EffectHandler<AccountInput> = {
  recordsOf: () => 1,
  outputOf: ([id]) => ({ id }),
  async applyMany({ tx }, effects) {
    const accounts = effects.map((effect) =>
      attempt(() => ({
        ...{ id: onlyId(effect), organization: effect.organization },
        ...readAccount(effect.input, effect.organization),
      })),
    );
    const ensured = await applyReadable(accounts, (readable) => ensureAccounts(tx, readable));
    return ensured.map((outcome) => {
      if (isRefused(outcome)) return outcome;
      const { id, opened } = outcome;
      return { output: { id }, attention: [], found: !opened, changes: opened ? accountsOpened([id]) : [] };
    });
  },
};
