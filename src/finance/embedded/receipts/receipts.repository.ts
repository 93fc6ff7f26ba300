import { beforeOpening, findAccounts, type FoundAccount } from '../accounts/accounts.repository';
import type { NewEntry } from '../ledger/entry';
import type { Posting } from '../ledger/posting';
import type { OpenSchedule } from '../ledger/open-schedules';
import type { RunningBalances } from '../ledger/running-balances';
import { notFound } from '../../api/ports/not-found';
import { unacceptable } from '../../../kernel/problem';
import { called, isRefused, type Outcome } from '../../api/ports/outcome';
import { settle, type Settled, type Settlement } from './settlement';

/**
 * Settles schedules of any organizations, in the order given, with their rows locked: however many clients
 * settle one at once, it never gets more than is open. Three statements besides the posting's own, whatever the number
 * of settlements.
 * @returns in the order given
 */
export async function settleSchedules(
  posting: Posting,
  settlements: readonly Settlement[],
): Promise<Outcome<Settled>[]> {
  const accounts = await findAccounts(posting.tx, settlements);
  await posting.balances.read(
    posting.tx,
    accounts.flatMap((account) => account?.id ?? []),
  );
  const schedules = await posting.lockSchedules(
    settlements.flatMap(({ organization, schedules: ids }) =>
      ids.map((scheduleId) => ({ organizationId: organization.id, scheduleId })),
    ),
  );
  const entries: NewEntry[] = [];
  const outcomes = settlements.map((settlement, index): Outcome<Settled> => {
    const account = accounts[index];
    const outcome = settleOne(settlement, account, schedules, posting.balances);
    if (isRefused(outcome)) return outcome;
    const moved = settlement.value.minor - outcome.settled.leftOverMinor;
    if (account) posting.balances.add(account.id, signed(settlement, moved));
    entries.push(...outcome.entries);
    return outcome.settled;
  });
  posting.post(entries);
  return outcomes;
}

function settleOne(
  settlement: Settlement,
  account: FoundAccount | undefined,
  locked: ReadonlyMap<string, OpenSchedule>,
  balances: RunningBalances,
): ReturnType<typeof settle> {
  const { organization, date } = settlement;
  if (!settlement.value.isPositive)
    return unacceptable('/value', 'positive', 'the value must be more than 0');
  const schedules: OpenSchedule[] = [];
  for (const id of settlement.schedules) {
    const schedule = locked.get(id);
    if (schedule?.organizationId !== organization.id || schedule.kind !== settlement.kind) {
      return notFound(`${settlement.kind} schedule`);
    }
    schedules.push(schedule);
  }
  if (!account)
    return unacceptable('/accountId', 'unknown', `there is ${called('account', settlement.account)}`);
  return (
    beforeOpening(date, account) ??
    balances.refusal(account.id, signed(settlement, settlement.value.minor)) ??
    settle(settlement, account, schedules)
  );
}

/** What an amount of a settlement adds to its account's balance: receipts come in, payments go out. */
function signed({ kind }: Settlement, minor: bigint): bigint {
  return kind === 'credit' ? minor : -minor;
}
