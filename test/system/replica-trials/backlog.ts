import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Trial } from './trial';
import type { HealthReply, TrialReplica } from './trial-replica';

/** Older than any burst. */
const AGE_SECONDS = 400;
const NOTICE_LIMIT_MS = 15_000;
const CONNECTIONS = 2;

/** A delivery has been ready for minutes and nobody can work on it; what comes can be taken all the same. */
export async function leaveWaiting(trial: Trial): Promise<void> {
  const receiver = await trial.startReplica('receiver', { ROLE: 'api' });
  await receiver.sender.sendAll(trial.webhooksOf(trial.newOrders(1)), CONNECTIONS);
  const locker = new Client({ connectionString: trial.databaseUrl });
  await locker.connect();
  try {
    await locker.query(`update delivery set ready_at = now() - interval '${AGE_SECONDS} s'`);
    await locker.query('begin');
    await locker.query('select from delivery for update');
    const worker = await trial.startReplica('worker');
    const replicas = [receiver, worker];
    const during = await Promise.all(replicas.map((replica) => healthOnce(replica, 'degraded')));
    for (const { sender } of replicas)
      await sender.sendAll(trial.webhooksOf(trial.newOrders(1)), CONNECTIONS);
    process.stdout.write(`backlog: ${JSON.stringify(during)}\n`);
    const expected = {
      httpStatus: 200,
      status: 'degraded',
      reasons: [expect.objectContaining({ source: 'worker' })],
    };
    expect(during).toEqual([expected, expected]);
    await locker.query('rollback');
    const after = await Promise.all(replicas.map((replica) => healthOnce(replica, 'ok')));
    expect(after).toEqual([
      { httpStatus: 200, status: 'ok' },
      { httpStatus: 200, status: 'ok' },
    ]);
  } finally {
    await locker.end();
  }
  const { parked, ...judgement } = await trial.judge();
  expect({ parked, ...judgement }).toEqual({ parked: 0, ...trial.inOrder() });
  await trial.stopReplicas();
}

/** The health of a replica as soon as it has a status, or as it is after a while. */
async function healthOnce(replica: TrialReplica, status: HealthReply['status']): Promise<HealthReply> {
  const deadline = performance.now() + NOTICE_LIMIT_MS;
  for (;;) {
    const health = await replica.health();
    if (health.status === status || performance.now() > deadline) return health;
    await sleep(250);
  }
}
