import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Wire } from './wire';

/** What a closed loop got through. */
export interface LoopResult {
  /** How many were acknowledged. */
  count: number;
  seconds: number;
  perSecond: number;
  /** Milliseconds of each acknowledgement. */
  latencies: number[];
}

export interface Loop {
  url: string;
  connections: number;
  /** The next request; undefined: there is none, the loop ends. */
  next: () => Buffer | undefined;
  /** Ends the loop after so many seconds; absent: when there is no next. */
  seconds?: number;
  /** Statuses that are no failure. */
  good?: readonly number[];
}

const RETRY_MS = 20;
/** What senders do that are told to come back. */
const SATURATED = 503;

/**
 * So many clients, each of which sends its next request when it has the answer to the last. Who is told to come
 * back does so.
 * @throws Error when anything else than success or 503 is answered
 */
export async function closedLoop({
  url,
  connections,
  next,
  seconds = Infinity,
  good = [200],
}: Loop): Promise<LoopResult> {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(url)));
  const latencies: number[] = [];
  const started = performance.now();
  const over = (): boolean => performance.now() - started > seconds * 1000;
  const work = async (wire: Wire): Promise<void> => {
    for (let request = next(); request && !over(); request = next()) {
      let answer = await wire.send(request);
      while (answer.status === SATURATED && !over()) {
        await sleep(RETRY_MS);
        answer = await wire.send(request);
      }
      if (good.includes(answer.status)) latencies.push(answer.milliseconds);
      else if (answer.status !== SATURATED) throw new Error(`a good request was answered ${answer.status}`);
    }
  };
  try {
    await Promise.all(wires.map(work));
  } finally {
    for (const wire of wires) wire.close();
  }
  const took = (performance.now() - started) / 1000;
  return { count: latencies.length, seconds: took, perSecond: latencies.length / took, latencies };
}
