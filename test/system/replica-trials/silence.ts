import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { LoadWebhook } from '../load';
import { BreakableRoute } from '../../support/breakable-route';
import type { Trial } from './trial';
import type { TrialReplica } from './trial-replica';

/** Intake takes webhooks again so soon after connections went silent, in milliseconds. */
const INTAKE_LIMIT_MS = 15_000;
/** And what it took is applied so soon. */
const WORK_LIMIT_MS = 40_000;
/** Health may say so long that all is well, in milliseconds. */
const UNNOTICED_MS = 8_000;
const BEFORE = 20;
const UNDER_WAY = 20;
const PROBES = 40;
const EVERY_MS = 250;
const CONNECTIONS = 8;

/** The open connections of a replica go silent under load; new ones work. */
export async function fallSilent(trial: Trial): Promise<void> {
  const route = await BreakableRoute.to(trial.databaseUrl);
  try {
    const replica = await trial.startReplica('silent', { DATABASE_URL: route.url });
    await replica.sender.sendAll(trial.webhooksOf(trial.newOrders(BEFORE)), CONNECTIONS);
    const orders = trial.newOrders(UNDER_WAY + PROBES);
    const underWay = await inTransaction(trial, replica, trial.webhooksOf(orders.slice(0, UNDER_WAY)));
    const silenced = route.blockOpen();
    await underWay.release();
    const probes = new Probes(replica);
    const watching = probes.watchHealth();
    await probes.send(trial.webhooksOf(orders.slice(UNDER_WAY)));
    await untilDone(trial, orders, probes);
    await watching;
    const applied = await trial.applied(orders);
    const complaints = probes.complaints();
    if (applied < orders.length) {
      complaints.push(`${applied} of ${orders.length} orders were applied in ${WORK_LIMIT_MS / 1000} s`);
    }
    // What did not end by itself ends now, so that the books can be looked at.
    route.comeBack();
    await Promise.all([underWay.sent, probes.acknowledged]);
    const { parked, ...judgement } = await trial.judge();
    process.stdout.write(
      `silent: ${silenced} connections, ${probes.summary()}, applied ${applied}, parked ${parked}\n`,
    );
    expect({ complaints, ...judgement }).toEqual({ complaints: [], ...trial.inOrder() });
    await trial.stopReplicas();
  } finally {
    await route.cut();
  }
}

/** Sends webhooks and waits until the work on them is in the midst of a transaction, where it stays until released. */
async function inTransaction(
  trial: Trial,
  replica: TrialReplica,
  webhooks: readonly LoadWebhook[],
): Promise<{ sent: Promise<void>; release(): Promise<void> }> {
  const client = new Client({ connectionString: trial.databaseUrl });
  await client.on('error', () => undefined).connect();
  await client.query('begin');
  await client.query('lock table entry in share mode');
  const sent = replica.sender.sendAll(webhooks, CONNECTIONS);
  let waiting = 0;
  while (waiting === 0) {
    await sleep(20);
    const { rowCount } = await client.query(
      `select from pg_locks l join pg_stat_activity a using (pid)
       where a.application_name = $1 and l.relation = 'entry'::regclass and not l.granted`,
      [replica.name],
    );
    waiting = rowCount ?? 0;
  }
  return { sent, release: () => client.end() };
}

async function untilDone(
  trial: Trial,
  orders: Parameters<Trial['applied']>[0],
  probes: Probes,
): Promise<void> {
  while (probes.ageMs < WORK_LIMIT_MS && (await trial.applied(orders)) < orders.length) await sleep(EVERY_MS);
}

/** Webhooks sent one after another, each until it is acknowledged, and what the replica says of itself meanwhile. */
class Probes {
  acknowledged: Promise<unknown> = Promise.resolve();
  private readonly started = performance.now();
  private count = 0;
  /** How long each took that was acknowledged, in milliseconds. */
  private readonly took: number[] = [];
  private firstAtMs?: number;
  private unnoticed = 0;

  constructor(private readonly replica: TrialReplica) {}

  get ageMs(): number {
    return performance.now() - this.started;
  }

  async send(webhooks: readonly LoadWebhook[]): Promise<void> {
    const sending: Promise<void>[] = [];
    for (const webhook of webhooks) {
      sending.push(this.sendOne(webhook));
      await sleep(EVERY_MS);
    }
    this.acknowledged = Promise.all(sending);
  }

  /** Asks for its health until something is acknowledged. */
  async watchHealth(): Promise<void> {
    while (this.firstAtMs === undefined && this.ageMs < WORK_LIMIT_MS) {
      const next = sleep(EVERY_MS);
      const { status } = await this.replica.health();
      if (status === 'ok' && this.firstAtMs === undefined && this.ageMs > UNNOTICED_MS) this.unnoticed += 1;
      await next;
    }
  }

  complaints(): string[] {
    const complaints: string[] = [];
    const slowest = Math.max(0, ...this.took);
    if (this.took.length < this.count || slowest > INTAKE_LIMIT_MS) {
      complaints.push(`intake did not work again within ${INTAKE_LIMIT_MS / 1000} s: ${this.summary()}`);
    }
    if (this.unnoticed > 0) {
      complaints.push(
        `health was ok ${this.unnoticed} times although nothing had been acknowledged for ${UNNOTICED_MS / 1000} s`,
      );
    }
    return complaints;
  }

  summary(): string {
    const slowest = Math.round(Math.max(0, ...this.took));
    return `${this.took.length} of ${this.count} webhooks acknowledged, the first after ${this.firstAtMs} ms, the slowest in ${slowest} ms`;
  }

  private async sendOne(webhook: LoadWebhook): Promise<void> {
    this.count += 1;
    const began = this.ageMs;
    await this.replica.sender.sendAll([webhook], 1);
    this.took.push(this.ageMs - began);
    this.firstAtMs ??= Math.round(this.ageMs);
  }
}
