import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onlyWith } from '../remote-chaos/weathers';
import { ORGANIZATIONS, type Trial } from './trial';
import type { TrialReplica } from './trial-replica';

const SHIFT_CLOCK = join(__dirname, 'shift-clock.cjs');
/** From the acknowledgement to the books, with time for a busy machine, in milliseconds. */
const DELAY_LIMIT_MS = 30_000;
/** A replica notices so soon that its clock is wrong, in milliseconds. */
const NOTICE_LIMIT_MS = 30_000;
const CONNECTIONS = 8;
const RECEIVED = 10;
const REMOTE = 40;
/** Comes into effect after Ponte has stopped waiting for it, and before `settleMs` is over. */
const LATE = { kind: 'late-effect', afterMs: 3_000 } as const;
const SETTLE_MS = 4_500;
const LATE_SHARE = 0.3;

/** Settings of a replica whose clock is wrong. */
export function shiftedBy(milliseconds: number): Record<string, string> {
  return { NODE_OPTIONS: `--require ${JSON.stringify(SHIFT_CLOCK)}`, CLOCK_SHIFT_MS: String(milliseconds) };
}

/** A replica with a wrong clock receives, and another with the right one works. */
export async function receiveWithClock(trial: Trial, shiftMs: number): Promise<void> {
  const receiver = await trial.startReplica('receiver', { ROLE: 'api', ...shiftedBy(shiftMs) });
  await trial.startReplica('worker', { ROLE: 'worker' });
  const orders = trial.newOrders(RECEIVED);
  await receiver.sender.sendAll(trial.webhooksOf(orders), CONNECTIONS);
  const started = performance.now();
  while ((await trial.applied(orders)) < RECEIVED && performance.now() - started < DELAY_LIMIT_MS)
    await sleep(50);
  const applied = await trial.applied(orders);
  const tookMs = Math.round(performance.now() - started);
  const noticed = await noticedIn(receiver);
  process.stdout.write(
    `clock ${shiftMs / 1000} s off: ${applied} of ${RECEIVED} orders applied in ${tookMs} ms, health ${noticed ?? 'silent'}\n`,
  );
  expect({ applied, noticed }).toEqual({ applied: RECEIVED, noticed: expect.stringMatching(/clock/i) });
  const { parked, ...judgement } = await trial.judge();
  expect({ parked, ...judgement }).toEqual({ parked: 0, ...trial.inOrder() });
  await trial.stopReplicas();
}

/** Two replicas whose clocks differ, before a finance service that takes effect late. */
export async function workWithClocks(trial: Trial, shiftMs: number): Promise<void> {
  const right = await trial.startReplica('right');
  const wrong = await trial.startReplica('wrong', shiftedBy(shiftMs));
  await trial.connectFinance(right, SETTLE_MS);
  await trial.finance.weather(onlyWith(20_261_123, LATE_SHARE, LATE));
  const orders = trial.newOrders(REMOTE, ORGANIZATIONS);
  await Promise.all(
    [right, wrong].map(({ sender }, index) => {
      const own = orders.filter((_, place) => place % 2 === index);
      return sender.sendAll(trial.webhooksOf(own), CONNECTIONS);
    }),
  );
  const noticed = await noticedIn(wrong);
  // By then many an effect came late, to each of the two. The rest would be tried less and less often.
  while ((await trial.applied(orders)) < REMOTE / 4) await sleep(100);
  await trial.finance.weather(undefined);
  const { parked, ...judgement } = await trial.judge();
  const doubled = 'duplicated' in judgement.books ? judgement.books.duplicated.length : 0;
  process.stdout.write(
    `clocks ${shiftMs / 1000} s apart, remote books: ${REMOTE} orders, ${doubled} effects made twice, parked ${parked}, health ${noticed ?? 'silent'}\n`,
  );
  expect({ noticed, ...judgement }).toEqual({ noticed: expect.stringMatching(/clock/i), ...trial.inOrder() });
  await trial.stopReplicas();
}

/** @returns what the replica says of its clock; undefined: nothing, for half a minute */
async function noticedIn(replica: TrialReplica): Promise<string | undefined> {
  const deadline = performance.now() + NOTICE_LIMIT_MS;
  while (performance.now() < deadline) {
    const { status, reasons = [] } = await replica.health();
    const own = reasons.find(({ source, reason }) => /clock/i.test(`${source} ${reason}`));
    if (own) return `${status}: ${own.source}: ${own.reason}`;
    await sleep(500);
  }
  return undefined;
}
