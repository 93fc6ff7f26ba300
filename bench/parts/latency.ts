import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../context';
import type { MeasuredService } from '../frame/measured-service';
import { GENERATOR, ProcessWatch } from '../frame/processes';
import { percentile } from '../frame/statistics';
import { allAccepted, latencyOf, openLoop } from '../load/loops';
import { orderBody, webhookRequest } from '../load/orders';
import { addressedBits } from '../load/tell-apart';
import type { Part, PartResult } from '../part';

/*
 * How soon a receipt is visible under `/v1` after its webhook came in, with a hundred orders a second. The orders come at
 * their times, whatever became of those before. One reader asks for the balances again and again; every order is worth
 * another power of two, so that the balance shows exactly which receipts are in it. An order counts as visible when the
 * answer with it has arrived: the reader's pause and its own request are in every figure.
 */

const RATE = 100;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 32;
const PAUSE_MS = 4;
const LONGEST_MS = 30_000;

export const part: Part = {
  name: 'latency',
  title: 'Latency: 100 orders a second, webhook in to receipt visible under /v1',
  order: 40,
  goals: [
    { figure: 'visible, p50', atMost: 25 },
    { figure: 'visible, p99', atMost: 100 },
  ],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const service = await context.startService(await context.freshDatabase());
  const readBalance = await balanceReader(service);
  await measure(service, readBalance, 0, WARM_UP_SECONDS);
  const server = context.postgres.watched ? [context.postgres.watched] : [];
  const watch = ProcessWatch.start([service.watched, ...server, GENERATOR]);
  const seconds = context.short ? 10 : 20;
  const measured = await measure(service, readBalance, RATE * WARM_UP_SECONDS, seconds);
  const { visible, acknowledged, reads } = measured;
  return {
    figures: [
      { name: 'visible, p50', unit: 'ms', value: percentile(visible, 0.5) },
      { name: 'visible, p99', unit: 'ms', value: percentile(visible, 0.99) },
      { name: 'visible, longest', unit: 'ms', value: percentile(visible, 1) },
      { name: 'acknowledged, p50', unit: 'ms', value: acknowledged.p50 },
      { name: 'acknowledged, p99', unit: 'ms', value: acknowledged.p99 },
      { name: 'time of one read, p50', unit: 'ms', value: percentile(reads, 0.5) },
      { name: 'orders', unit: '', value: visible.length },
    ],
    processes: watch.stop(),
    notes: [
      `The reader asked ${reads.length} times. What it adds to each figure is at most one read and its pause of ${PAUSE_MS} ms.`,
    ],
  };
}

interface Measured {
  /** Milliseconds from when an order was due to when its receipt had been read. */
  visible: number[];
  acknowledged: { p50: number; p99: number };
  reads: number[];
}

async function measure(
  service: MeasuredService,
  readBalance: () => Promise<bigint>,
  first: number,
  seconds: number,
): Promise<Measured> {
  const { host } = new URL(service.url);
  const bits = addressedBits();
  const requests = Array.from({ length: RATE * seconds }, (_, index) => {
    const number = first + index;
    const body = orderBody({ number, customer: number, total: bits.amountOf(index) });
    return webhookRequest('/hooks/main/shopify', host, `order-${number}`, body);
  });
  const total = requests.length;
  const due: number[] = [];
  const visible: number[] = [];
  const reads: number[] = [];
  let before = await readBalance();
  const read = async (): Promise<void> => {
    const started = performance.now();
    while (visible.length < total) {
      const asked = performance.now();
      const balance = await readBalance();
      const answered = performance.now();
      reads.push(answered - asked);
      for (const index of bits.take(balance - before, due.length))
        visible.push(answered - (due[index] ?? NaN));
      before = balance;
      if (answered - started > seconds * 1000 + LONGEST_MS)
        throw new Error(
          `${total - visible.length} of ${total} receipts were not seen within ${LONGEST_MS} ms`,
        );
      await sleep(PAUSE_MS);
    }
  };
  let sent = 0;
  const [traffic] = await Promise.all([
    openLoop({
      url: service.url,
      rate: RATE,
      seconds,
      connections: CONNECTIONS,
      next: () => requests[sent++],
      onDue: () => void due.push(performance.now()),
    }),
    read(),
  ]);
  allAccepted(traffic);
  return {
    visible,
    acknowledged: { p50: latencyOf(traffic, 0.5), p99: latencyOf(traffic, 0.99) },
    reads,
  };
}

/** @returns a reader of the balance of all accounts together, in cents, through `/v1` */
async function balanceReader(service: MeasuredService): Promise<() => Promise<bigint>> {
  const headers = { apitoken: await service.apiKey() };
  return async () => {
    const reply = await fetch(`${service.url}/v1/accounts/views/balance`, { headers });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`the balances were answered ${reply.status}: ${text}`);
    return sumOfBalances(text);
  };
}

/** Of the answer's text, because a number with so many digits must not pass through floating point. */
export function sumOfBalances(text: string): bigint {
  return [...text.matchAll(/"balance":\s*(-?\d+)(?:\.(\d{1,2}))?/g)].reduce(
    (sum, [, whole = '0', cents = '']) => sum + BigInt(`${whole}${cents.padEnd(2, '0')}`),
    0n,
  );
}
