import { join } from 'node:path';
import { RunningService } from '../../scripts/demo/running-service';
import type { Watched } from '../frame/processes';

/** Connections of its pool: half of what it serves, so that none waits long and few contend. */
const POOL_SIZE = '16';

/** Fastify with a route and nothing else, in a process of its own. */
export interface BareFastify {
  url: string;
  watched: Watched;
  stop(): Promise<unknown>;
}

/** @param store the database and the statement that stores an order there; absent: nothing is stored */
export function startBareFastify(store?: { url: string; statement: string }): Promise<BareFastify> {
  return start(store ? { DATABASE_URL: store.url, INSERT: store.statement, POOL_SIZE } : {});
}

/** Answers everything with 503 and does nothing else. */
export function startRefusingFastify(): Promise<BareFastify> {
  return start({ REFUSE: 'yes' });
}

async function start(environment: Record<string, string>): Promise<BareFastify> {
  const server = await RunningService.start(join(__dirname, 'bare-fastify.cjs'), environment);
  return { url: server.url, watched: { name: 'Fastify', pid: server.pid }, stop: () => server.stop() };
}
