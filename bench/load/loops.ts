import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../frame/statistics';
import { HttpConnection, type Reply } from './http-connection';

/** What a generator saw. */
export interface Traffic {
  /** From the first request to the last answer. */
  seconds: number;
  /** Milliseconds to each good answer, in the order of the answers. */
  accepted: number[];
  /** Milliseconds to each other answer, by status; 0: none came. */
  refused: Map<number, number[]>;
}

/** Good answers a second. */
export function rateOf(traffic: Traffic): number {
  return traffic.accepted.length / traffic.seconds;
}

export function latencyOf(traffic: Traffic, share: number): number {
  return percentile(traffic.accepted, share);
}

/** @throws Error when any answer was not good */
export function allAccepted(traffic: Traffic): Traffic {
  const statuses = [...traffic.refused].map(([status, latencies]) => `${latencies.length} with ${status}`);
  if (statuses.length > 0) throw new Error(`requests were refused: ${statuses.join(', ')}`);
  return traffic;
}

export interface ClosedLoop {
  /** Of the server. */
  url: string;
  connections: number;
  /** The next request; undefined: there are no more. */
  next: () => Buffer | undefined;
  /** No request is sent after so many seconds; absent: until there are no more. */
  seconds?: number;
  /** Resolves when the next request may be sent; absent: at once. */
  may?: () => Promise<void> | undefined;
  /** Called with each answer and what it answers. */
  onReply?: (reply: Reply, request: Buffer) => void;
  /** The status that is good; absent: 200. */
  good?: number;
}

/** Each connection sends its next request when the one before is answered. */
export async function closedLoop(loop: ClosedLoop): Promise<Traffic> {
  const traffic: Traffic = { seconds: 0, accepted: [], refused: new Map() };
  const started = performance.now();
  const until = started + (loop.seconds ?? Infinity) * 1000;
  const work = (connection: HttpConnection): Promise<void> =>
    new Promise((resolve) => {
      const send = (): void => {
        const request = performance.now() < until ? loop.next() : undefined;
        if (request === undefined) return resolve();
        const sent = performance.now();
        connection.exchange(request, (reply) => {
          note(traffic, reply.status, performance.now() - sent, loop.good);
          loop.onReply?.(reply, request);
          const wait = loop.may?.();
          if (wait) void wait.then(send);
          else send();
        });
      };
      send();
    });
  const connections = Array.from({ length: loop.connections }, () => new HttpConnection(loop.url));
  await Promise.all(connections.map(work));
  traffic.seconds = (performance.now() - started) / 1000;
  for (const connection of connections) connection.close();
  return traffic;
}

const SATURATED = 503;
const COME_BACK_AFTER_MS = 20;

/**
 * A closed loop of senders who send the same request again after a 503, as shops do.
 * @throws Error when anything else than success or 503 is answered
 */
export async function persistentLoop(
  loop: Pick<ClosedLoop, 'url' | 'connections' | 'next' | 'seconds' | 'good'>,
): Promise<Traffic> {
  const again: Buffer[] = [];
  let saturated = false;
  const traffic = await closedLoop({
    ...loop,
    next: () => again.shift() ?? loop.next(),
    // Called after the reply that it is about, before anything else of the loop.
    may: () => (saturated ? sleep(COME_BACK_AFTER_MS) : undefined),
    onReply: ({ status }, request) => {
      saturated = status === SATURATED;
      if (saturated) again.push(request);
    },
  });
  traffic.refused.delete(SATURATED);
  return allAccepted(traffic);
}

export interface OpenLoop {
  url: string;
  /** Requests a second. */
  rate: number;
  seconds: number;
  /** At most so many connections; a request that finds none free waits for one, and its time counts. */
  connections: number;
  next: () => Buffer | undefined;
  onReply?: (reply: Reply) => void;
  /** Called with each answer: the number of its request, the status, and the milliseconds since it was due. */
  onAnswer?: (index: number, status: number, milliseconds: number) => void;
  /** Called when a request is due, with its number from 0 on. */
  onDue?: (index: number) => void;
}

/** Requests are due at their times, whatever became of those before; latencies count from when they were due. */
export async function openLoop(loop: OpenLoop): Promise<Traffic> {
  const traffic: Traffic = { seconds: 0, accepted: [], refused: new Map() };
  const free = Array.from({ length: loop.connections }, () => new HttpConnection(loop.url));
  const all = [...free];
  const due: { at: number; index: number; request: Buffer }[] = [];
  const total = Math.round(loop.rate * loop.seconds);
  const started = performance.now();
  let begun = 0;
  let answered = 0;
  await new Promise<void>((resolve) => {
    const pump = (): void => {
      for (let connection = free.at(-1); connection && due.length > 0; connection = free.at(-1)) {
        const turn = due.shift();
        if (!turn) return;
        free.pop();
        const busy = connection;
        busy.exchange(turn.request, (reply) => {
          const took = performance.now() - turn.at;
          note(traffic, reply.status, took);
          free.push(busy);
          answered += 1;
          loop.onReply?.(reply);
          loop.onAnswer?.(turn.index, reply.status, took);
          if (answered === total) resolve();
          else pump();
        });
      }
    };
    const tick = (): void => {
      const now = performance.now();
      while (begun < total && started + (begun * 1000) / loop.rate <= now) {
        const request = loop.next();
        if (!request) throw new Error('there are not enough requests');
        loop.onDue?.(begun);
        due.push({ at: started + (begun * 1000) / loop.rate, index: begun, request });
        begun += 1;
      }
      pump();
      if (begun < total) setTimeout(tick, 1);
    };
    tick();
  });
  traffic.seconds = (performance.now() - started) / 1000;
  for (const connection of all) connection.close();
  return traffic;
}

function note(traffic: Traffic, status: number, latency: number, good = 200): void {
  if (status === good) {
    traffic.accepted.push(latency);
    return;
  }
  const latencies = traffic.refused.get(status) ?? [];
  traffic.refused.set(status, latencies);
  latencies.push(latency);
}
