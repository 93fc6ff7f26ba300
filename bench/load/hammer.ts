import type { Run } from '../frame/contest';
import { GENERATOR, ProcessWatch, type Watched } from '../frame/processes';
import { allAccepted, closedLoop, latencyOf, rateOf } from './loops';

const CONNECTIONS = 32;

export interface Hammered {
  url: string;
  next: () => Buffer;
  seconds: number;
  /** Beside the generator. */
  watched: readonly Watched[];
}

/** As many requests as 32 connections get answered. @throws Error when one is refused */
export async function hammer({ url, next, seconds, watched }: Hammered): Promise<Run> {
  const watch = ProcessWatch.start([...watched, GENERATOR]);
  const traffic = allAccepted(await closedLoop({ url, connections: CONNECTIONS, next, seconds }));
  return {
    perSecond: rateOf(traffic),
    p50: latencyOf(traffic, 0.5),
    p99: latencyOf(traffic, 0.99),
    count: traffic.accepted.length,
    use: watch.stop(),
  };
}
