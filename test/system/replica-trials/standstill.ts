import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until';
import type { CompanyOrder } from '../remote-chaos/verdict';
import { TransactionTrap } from './transaction-trap';
import { Observation } from './observation';
import type { Trial } from './trial';
import type { TrialReplica } from './trial-replica';
import { complaintsOf, limitMs } from './truthfulness';

/** Watched beyond it, so that it is seen whether it is kept. */
const MARGIN_MS = 8_000;
const EACH = 20;
const FRESH = 40;
const CONNECTIONS = 8;
const MOST_TRIES = 10;
const STEP_MS = 250;

/** How a replica comes to stand still. */
export interface Interruption {
  readonly name: string;
  /** To be called in the midst of its transactions. */
  begin(): void;
  /** It goes on. */
  end(): void;
  /** What else happens before it ends. */
  meanwhile?(): Promise<void>;
}

/**
 * Two replicas under load; one comes to stand still in the midst of its transactions, and later goes on.
 * @param victim the first replica of the trial; the other one is the second
 * @param lastsMs how long it stands still; undefined: until the other goes on, as long as that may take
 */
export async function standStill(
  trial: Trial,
  victim: TrialReplica,
  healthy: TrialReplica,
  interruption: Interruption,
  lastsMs: number | undefined,
): Promise<void> {
  const feed = await trial.feedReader(healthy);
  const usualMs = await usualTime(trial, healthy);
  const { fresh, sending } = await interrupt(trial, victim, healthy, interruption);
  const observation = new Observation(trial, healthy, feed, fresh, usualMs);
  sending.push(healthy.sender.sendAll(trial.webhooksOf(fresh), CONNECTIONS));
  await interruption.meanwhile?.();
  const longestMs = lastsMs ?? limitMs(usualMs) + MARGIN_MS;
  while (observation.ageMs < longestMs && (lastsMs !== undefined || !observation.recovered)) {
    await sleep(STEP_MS);
  }
  await observation.end();
  interruption.end();
  await Promise.all(sending);
  const { parked, ...judgement } = await trial.judge();
  report(trial, interruption, observation, parked);
  const shown = await shownOnce(trial, feed, healthy);
  expect({ complaints: complaintsOf(observation), ...judgement, ...shown }).toEqual({
    complaints: [],
    ...trial.inOrder(),
    repeated: 0,
    missing: 0,
  });
  await trial.stopReplicas();
}

/** How long as many orders take as one replica will be watched with, while neither stands still, in milliseconds. */
async function usualTime(trial: Trial, replica: TrialReplica): Promise<number> {
  const orders = trial.newOrders(FRESH);
  const began = performance.now();
  await replica.sender.sendAll(trial.webhooksOf(orders), CONNECTIONS);
  await until(async () => (await trial.applied(orders)) === orders.length);
  return performance.now() - began;
}

/** Catches the replica in its transactions. @returns orders for the other to be sent, and what is on its way */
async function interrupt(
  trial: Trial,
  victim: TrialReplica,
  healthy: TrialReplica,
  interruption: Interruption,
): Promise<{ fresh: CompanyOrder[]; sending: Promise<void>[] }> {
  const trap = await TransactionTrap.open(
    trial.databaseUrl,
    trial.backend === 'remote' ? 'finance_call' : 'entry',
  );
  let instead: string | undefined;
  try {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      // Those who come later buy from the same customers: what one replica has locked, the other needs.
      const orders = trial.newOrders(2 * EACH + FRESH);
      const [early, late, fresh] = [
        orders.slice(0, EACH),
        orders.slice(EACH, 2 * EACH),
        orders.slice(2 * EACH),
      ];
      await trap.lockFeed();
      await send(trial, early, [victim, healthy]);
      // Something is committed for the feed to place.
      await until(async () => (await trial.applied(early)) >= EACH / 4);
      await trap.lockWork();
      const sending = [send(trial, late, [victim, healthy])];
      instead = await trap.entered(victim.name);
      if (instead === undefined) {
        interruption.begin();
        await trap.release();
        if (await trap.caught(victim.name)) return { fresh, sending };
        interruption.end();
      } else await trap.release();
      await Promise.all([...sending, send(trial, fresh, [victim, healthy])]);
    }
  } finally {
    await trap.close();
  }
  throw new Error(`${victim.name} was never caught in the midst of its transactions, but did: ${instead}`);
}

/** Every other order goes to the other replica. */
async function send(
  trial: Trial,
  orders: readonly CompanyOrder[],
  to: readonly TrialReplica[],
): Promise<void> {
  const shares = to.map((replica, index) => {
    const own = orders.filter((_, place) => place % to.length === index);
    return replica.sender.sendAll(trial.webhooksOf(own), CONNECTIONS);
  });
  await Promise.all(shares);
}

/** Reads the feed to its end. */
async function shownOnce(
  trial: Trial,
  feed: Awaited<ReturnType<Trial['feedReader']>>,
  replica: TrialReplica,
): Promise<{ repeated: number; missing: number }> {
  await feed.read(replica);
  const distinct = new Set(feed.seen).size;
  return { repeated: feed.seen.length - distinct, missing: (await trial.committedChanges()) - distinct };
}

function report(trial: Trial, { name }: Interruption, observation: Observation, parked: number): void {
  const first = observation.appliedAtMs(1);
  const all = observation.appliedAtMs();
  const last = observation.samples.at(-1);
  const usual = Math.round(observation.usualMs);
  const statuses = observation.samples.map(({ health }) => `${health.httpStatus} ${health.status}`);
  const changes = statuses.filter((status, index) => status !== statuses[index - 1]).join(', ');
  process.stdout.write(
    `${name}, ${trial.backend} books: first order after ${first} ms, all after ${all} ms ` +
      `(${last?.applied} of ${FRESH} applied in ${Math.round(observation.ageMs)} ms; usual ${usual} ms), ` +
      `feed behind for ${Math.round(observation.longestUnshownMs)} ms, health ${changes}, parked ${parked}\n`,
  );
}
