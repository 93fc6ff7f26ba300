import { DatabaseServers } from '../../src/database/database-servers';
import { signedHeaders } from '../../src/sources/registry';
import { until } from '../support/until';
import { ServerPair } from './failover/server-pair';
import type { LoadWebhook } from './load';
import { PATIENT_TIMEOUTS, SETTLE_MS } from './remote-chaos/weathers';
import { type Backend, ORGANIZATIONS, SECRET, Trial } from './replica-trials/trial';
import type { TrialReplica } from './replica-trials/trial-replica';

/** Each order is two webhooks or three. At a finance service each takes several calls, one after another. */
const ORDERS = { embedded: 400, remote: 24 };
const CONNECTIONS = 8;

/** In one block: Jest runs beside each other only what stands in the same. */
describe('a primary that is killed under load, with a synchronous standby that is promoted', () => {
  it.concurrent.each(['embedded', 'remote'] as const)(
    'costs no acknowledged webhook and does nothing twice, and Ponte goes on by itself (%s books)',
    async (backend) => {
      const pair = await ServerPair.start();
      await Trial.run(
        backend,
        (trial) => failOver(trial, pair, backend),
        async () => pair,
      );
    },
  );
});

async function failOver(trial: Trial, pair: ServerPair, backend: Backend): Promise<void> {
  const replica = await trial.startReplica('survivor');
  await trial.connectFinance(replica, SETTLE_MS, PATIENT_TIMEOUTS);
  const orders = trial.newOrders(ORDERS[backend], backend === 'remote' ? ORGANIZATIONS : ['main']);
  const webhooks = trial.webhooksOf(orders);
  const half = Math.ceil(webhooks.length / 2);
  const sending = [sendingTo(replica, webhooks.slice(0, half))];

  await until(() => replica.acknowledged >= webhooks.length / 3);
  await pair.killPrimary();
  const acknowledgedBefore = replica.acknowledged;
  // However slowly the primary was killed, these come when it is gone.
  sending.push(sendingTo(replica, webhooks.slice(half)));
  await until(async () => (await replica.health()).httpStatus === 503);
  const away = { health: await saidWhileAway(replica), intake: await intakeWhileAway(replica) };
  const promotedAt = performance.now();
  await pair.promote();
  const took = Math.round(performance.now() - promotedAt);
  await until(() => replica.acknowledged > acknowledgedBefore + CONNECTIONS);
  const resumed = Math.round(performance.now() - promotedAt);
  await Promise.all(sending);

  const { parked, ...judgement } = await trial.judge();
  process.stdout.write(
    `failover, ${backend} books: ${orders.length} orders, ${webhooks.length} webhooks, ${acknowledgedBefore} acknowledged before; promotion ${took} ms, acknowledged again ${resumed} ms after its begin; ${replica.sender.unanswered} tries refused; parked ${parked}\n`,
  );
  expect({ parked, ...judgement, away }).toEqual({
    parked: 0,
    ...trial.inOrder(),
    away: { health: 'no server of DATABASE_URL takes writes', intake: [503, expect.any(Number)] },
  });

  // Its timeline is older: nobody who asks both follows it back, although it takes writes and is named first.
  await pair.primaryReturns();
  const servers = new DatabaseServers(pair.oldPrimaryFirst);
  expect(await servers.choose()).toEqual({ host: '127.0.0.1', port: pair.standbyPort });
  await trial.stopReplicas();
}

/** @returns resolves when all are acknowledged; nobody has to wait for it */
function sendingTo(replica: TrialReplica, webhooks: readonly LoadWebhook[]): Promise<void> {
  const sending = replica.sender.sendAll(webhooks, CONNECTIONS);
  sending.catch(() => undefined);
  return sending;
}

/** @returns what readiness says of the database once it has asked all servers */
async function saidWhileAway(replica: TrialReplica): Promise<string | undefined> {
  let said: string | undefined;
  await until(async () => {
    const { reasons = [] } = await replica.health();
    said = reasons.find(({ source }) => source === 'database')?.reason;
    return said?.includes('takes writes') ?? false;
  });
  return said;
}

/** @returns status and seconds of `Retry-After` of a good webhook */
async function intakeWhileAway(replica: TrialReplica): Promise<[number, number]> {
  const body = Buffer.from('{"id":1}');
  const message = { topic: 'orders/paid', body, id: 'while-away', secret: SECRET, sentAt: new Date() };
  const reply = await fetch(`${replica.url}/hooks/main/shopify`, {
    method: 'POST',
    headers: signedHeaders('shopify', message),
    body: new Uint8Array(body),
  });
  await reply.arrayBuffer();
  return [reply.status, Number(reply.headers.get('retry-after') ?? NaN)];
}
