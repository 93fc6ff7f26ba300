import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { OwnServer } from './own-server';
import { ORGANIZATIONS, type Trial } from './trial';
import type { TrialReplica } from './trial-replica';

/** For so long connections are terminated, in milliseconds. */
const TERMINATING_MS = 20_000;
const ORDERS_A_SECOND = 3;
const RESTARTS = 2;
/** The server is away for so long, in milliseconds. */
const AWAY_MS = 1_500;
const CONNECTIONS = 8;
/** No answer is given up for lack of time: whatever is parked then was parked because of the database. */
const TIMEOUTS = { connectMs: 5_000, headersMs: 8_000, totalMs: 10_000 };
const SETTLE_MS = 4_000;

/** The database ends connections for a while, and then the whole server twice, under load. */
export async function terminateAgainAndAgain(trial: Trial, server: OwnServer): Promise<void> {
  const first = await trial.startReplica('first');
  await trial.startReplica('second');
  await trial.connectFinance(first, SETTLE_MS, TIMEOUTS);
  const load = new Load(trial);
  const terminated = await terminate(server, TERMINATING_MS);
  for (let restart = 1; restart <= RESTARTS; restart += 1) {
    await server.stopAtOnce();
    await sleep(AWAY_MS);
    await server.startAgain();
    await sleep(AWAY_MS);
  }
  await load.end();
  const { parked, ...judgement } = await trial.judge();
  process.stdout.write(
    `terminated, ${trial.backend} books: ${terminated} connections ended, ${RESTARTS} restarts, ${trial.orders.length} orders, parked ${parked}\n`,
  );
  expect({ parked, ...judgement }).toEqual({ parked: 0, ...trial.inOrder() });
  await trial.stopReplicas();
}

/** Ends some or all of the service's connections, again and again. @returns how many */
async function terminate(server: OwnServer, forMs: number): Promise<number> {
  const client = new Client({ connectionString: server.urlOf('postgres') });
  await client.connect();
  const deadline = performance.now() + forMs;
  let count = 0;
  for (let turn = 0; performance.now() < deadline; turn += 1) {
    // Every third time all of them.
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'ponte' and random() < $1`,
      [turn % 3 === 0 ? 1 : 0.3],
    );
    count += rowCount ?? 0;
    await sleep(20 + 15 * (turn % 9));
  }
  await client.end();
  return count;
}

/** Orders for all replicas, a few a second, until it ends. */
class Load {
  private isOver = false;
  private readonly running: Promise<void>;
  private readonly sending: Promise<unknown>[] = [];

  constructor(private readonly trial: Trial) {
    this.running = this.run();
  }

  /** Waits until everything is acknowledged, or nobody is left to do so. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      const organizations = this.trial.backend === 'remote' ? ORGANIZATIONS : ['main'];
      const orders = this.trial.newOrders(ORDERS_A_SECOND, organizations);
      for (const [index, order] of orders.entries()) {
        const { sender } = this.trial.replicas[index % this.trial.replicas.length] as TrialReplica;
        // What is not acknowledged because nobody is left is found lost.
        const sent = sender.sendAll(this.trial.webhooksOf([order]), CONNECTIONS).catch(() => undefined);
        this.sending.push(sent);
      }
      await sleep(1_000);
      this.redirect();
    }
    const all = Promise.all(this.sending).then(() => true);
    while (!(await Promise.race([all, sleep(1_000, false)]))) this.redirect();
  }

  /** What was for a replica that has ended goes to another; where none is left nothing goes anywhere. */
  private redirect(): void {
    const alive = this.trial.replicas.find(({ running }) => running);
    for (const { running, sender } of this.trial.replicas) {
      if (running) continue;
      if (alive) sender.aim(alive.url);
      else sender.giveUp();
    }
  }
}
