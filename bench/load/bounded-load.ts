import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredService } from '../frame/measured-service';
import { allAccepted, closedLoop, type Traffic } from './loops';

/** Acknowledged and not booked, at most, as the generator sees it. */
const MOST_WAITING = 1_900;
const POLL_EVERY_MS = 250;
const POLL_AT_THE_END_MS = 40;
const CONNECTIONS = 32;

export interface WholeWay {
  traffic: Traffic;
  orders: number;
  /** From the first request to the last order booked. */
  seconds: number;
}

/**
 * Sends orders as fast as they are booked, with never more than about two thousand that wait, and waits until nothing
 * is left.
 * @param services the first of them is sent the orders; all of them work
 * @throws Error when an order is refused or does not end as done
 */
export async function sendAndBook(
  services: readonly [MeasuredService, ...MeasuredService[]],
  requests: readonly Buffer[],
): Promise<WholeWay> {
  const before = await ended(services);
  let sent = 0;
  let booked = 0;
  let polling: Promise<void> | undefined;
  const poll = async (pause: number): Promise<void> => {
    await sleep(pause);
    booked = (await ended(services)) - before;
    polling = undefined;
  };
  const capacity = async (): Promise<void> => {
    while (sent - booked >= MOST_WAITING) await (polling ??= poll(POLL_EVERY_MS));
  };
  const started = performance.now();
  const traffic = allAccepted(
    await closedLoop({
      url: services[0].url,
      connections: CONNECTIONS,
      next: () => requests[sent++],
      may: () => (sent - booked >= MOST_WAITING ? capacity() : undefined),
    }),
  );
  while (booked < requests.length) await (polling ??= poll(POLL_AT_THE_END_MS));
  const seconds = (performance.now() - started) / 1000;
  if (booked > requests.length) throw new Error(`of ${requests.length} orders ${booked} were booked`);
  return { traffic, orders: requests.length, seconds };
}

/** Deliveries that were booked since the services started. @throws Error when one is dead */
async function ended(services: readonly MeasuredService[]): Promise<number> {
  const counts = await Promise.all(
    services.map(async ({ url }) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const count = (state: string): number =>
        Number(
          new RegExp(`^ponte_deliveries_ended_total\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
        );
      if (count('dead') > 0) throw new Error(`${count('dead')} orders could not be booked`);
      return count('done');
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
