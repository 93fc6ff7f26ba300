import { accountOf, GATEWAY_ACCOUNTS } from './accounts';
import { type Order, type Payout, type PayoutLine, sum } from './facts';

/** The last day of what each payout of a gateway pays; it reaches the bank on the next morning. */
const LAST_DAYS = ['2026-03-10', '2026-03-20', '2026-03-29'];

interface Movement extends PayoutLine {
  readonly account: string;
  readonly at: string;
}

/**
 * What gateways pay to the bank three times in the month: everything since the last time. Of a card in instalments they
 * pay each on its own day, so that at the end of the month they still owe some.
 */
export function makePayouts(orders: readonly Order[]): Payout[] {
  const movements = orders.flatMap(movementsOf);
  return GATEWAY_ACCOUNTS.flatMap(({ name, gateways: [gateway] }) => {
    let open = movements.filter(({ account }) => account === name);
    return LAST_DAYS.flatMap((lastDay, index) => {
      const lines = open.filter(({ at }) => at.slice(0, 10) <= lastDay);
      const cents = sum(lines.map((line) => line.cents));
      if (cents <= 0n) return [];
      open = open.filter((movement) => !lines.includes(movement));
      const at = `${lastDay.slice(0, 8)}${Number(lastDay.slice(8)) + 1}T08:00:00-03:00`;
      return [{ id: `po-${gateway}-${index + 1}`, gateway, cents, at, lines }];
    });
  });
}

function movementsOf(order: Order): Movement[] {
  const made: Movement[] = [];
  const add = (gateway: string, at: string, kind: PayoutLine['kind'], cents: bigint): void => {
    if (cents !== 0n) made.push({ account: accountOf(gateway), at, kind, cents });
  };
  for (const { gateway, cents, fee, at, plan } of order.payments.filter(({ isCredit }) => !isCredit))
    for (const part of plan ?? [{ cents, fee, on: at }]) {
      add(gateway, part.on, 'payment', part.cents);
      add(gateway, part.on, 'fee', -part.fee);
    }
  for (const { gateway, at, cents } of order.refunds) add(gateway, at, 'refund', -cents);
  for (const { gateway, cents, openedAt, closedAt, isWon } of order.disputes) {
    add(gateway, openedAt, 'dispute', -cents);
    if (isWon) add(gateway, closedAt, 'adjustment', cents);
  }
  const [first] = order.payments;
  if (order.commission && first) add(first.gateway, first.at, 'fee', -order.commission);
  return made;
}
