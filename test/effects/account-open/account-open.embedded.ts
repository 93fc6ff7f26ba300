import { attempt } from '../../../src/finance/api/effects/effect-input';
import { openAccounts, type NewAccount } from '../../../src/finance/embedded/accounts/accounts.repository';
import { accountsOpened } from '../../../src/finance/embedded/changes/announce';
import { applyReadable, type EffectHandler } from '../../../src/finance/embedded/effects/effect-handler';
import { isRefused } from '../../../src/finance/api/ports/outcome';
import { CalendarDate } from '../../../src/kernel/calendar-date';
import { Money } from '../../../src/kernel/money';
import { type AccountOpenInput, readName } from './account-open';

export const openAccount: EffectHandler<AccountOpenInput> = {
  recordsOf: () => 1,
  outputOf: ([id]) => ({ id }),
  async applyMany({ tx }, effects, now) {
    const accounts = effects.map(({ organization, input, ids: [id = ''] }) =>
      attempt((): NewAccount => ({
        id,
        organization,
        name: readName(input),
        openBalance: Money.ofMinor(0n, organization.currency),
        openedOn: CalendarDate.fromInstant(now, organization.timeZone),
      })),
    );
    const opened = await applyReadable(accounts, async (readable) => {
      await openAccounts(tx, readable);
      return readable;
    });
    return opened.map((outcome) =>
      isRefused(outcome)
        ? outcome
        : { output: { id: outcome.id }, attention: [], changes: accountsOpened([outcome.id]) },
    );
  },
};
