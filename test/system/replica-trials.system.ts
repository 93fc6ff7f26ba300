import { requireTestServer } from '../support/postgres-server';
import { PATIENT_TIMEOUTS, SETTLE_MS } from './remote-chaos/weathers';
import { leaveWaiting } from './replica-trials/backlog';
import { BreakableRoute } from '../support/breakable-route';
import { receiveWithClock, workWithClocks } from './replica-trials/clocks';
import { OwnServer } from './replica-trials/own-server';
import { fallSilent } from './replica-trials/silence';
import { standStill } from './replica-trials/standstill';
import { terminateAgainAndAgain } from './replica-trials/terminations';
import { BACKENDS, Trial } from './replica-trials/trial';

/** How long a replica stands still; 0: until the other goes on, or should have. */
const SECONDS = Number(process.env['REPLICA_TRIAL_SECONDS'] ?? 70);
const STILL_MS = SECONDS > 0 ? SECONDS * 1_000 : undefined;

requireTestServer();

const COMES_BACK = ['comes back', false] as const;
const IS_KILLED = ['was killed behind it', true] as const;
/** Where there is no time for all of it, each of the two is seen once. */
const VANISHED = {
  embedded: SECONDS > 0 ? [COMES_BACK, IS_KILLED] : [COMES_BACK],
  remote: SECONDS > 0 ? [COMES_BACK, IS_KILLED] : [IS_KILLED],
};

// In one block: Jest runs beside each other only what stands in the same.
describe('replicas on one database', () => {
  // A replica that stands still in mid-transaction.
  for (const backend of BACKENDS) {
    it.concurrent(
      `frozen: keeps the other from nothing for long, and goes on where it was (${backend} books)`,
      () =>
        Trial.run(backend, async (trial) => {
          const victim = await trial.startReplica('frozen');
          const healthy = await trial.startReplica('healthy');
          await trial.connectFinance(healthy, SETTLE_MS, PATIENT_TIMEOUTS);
          const interruption = { name: 'frozen', begin: () => victim.freeze(), end: () => victim.thaw() };
          await standStill(trial, victim, healthy, interruption, STILL_MS);
        }),
    );

    it.concurrent.each(VANISHED[backend])(
      `vanished: keeps the other from nothing for long when its network is gone, and it %s (${backend} books)`,
      (name, isKilled) =>
        Trial.run(backend, async (trial) => {
          const route = await BreakableRoute.to(trial.databaseUrl);
          try {
            const victim = await trial.startReplica('vanished', { DATABASE_URL: route.url });
            const healthy = await trial.startReplica('healthy');
            await trial.connectFinance(healthy, SETTLE_MS, PATIENT_TIMEOUTS);
            const meanwhile = async (): Promise<void> => {
              if (!isKilled) return;
              await victim.kill();
              trial.replaceBy(victim, healthy);
            };
            const interruption = {
              name: `vanished, ${name}`,
              begin: () => route.vanish(),
              end: () => route.comeBack(),
              meanwhile,
            };
            await standStill(trial, victim, healthy, interruption, STILL_MS);
          } finally {
            await route.cut();
          }
        }),
    );
  }

  // Connections to the database.
  it.concurrent('silent: one replica goes on although its open connections carry nothing any more', () =>
    Trial.run('embedded', fallSilent),
  );

  it.concurrent.each(BACKENDS)(
    'terminated: end nobody and lose nothing, again and again (%s books)',
    async (backend) => {
      const server = await OwnServer.start();
      await Trial.run(
        backend,
        (trial) => terminateAgainAndAgain(trial, server),
        async () => server,
      );
    },
  );

  // Clocks that differ.
  it.concurrent.each([
    ['ahead', 600_000],
    ['behind', -600_000],
  ])('clocks: what is received ten minutes %s is worked on at once', (_name, shiftMs) =>
    Trial.run('embedded', (trial) => receiveWithClock(trial, shiftMs)),
  );

  it.concurrent('clocks: make nothing twice at a service that takes effect late (remote books)', () =>
    Trial.run('remote', (trial) => workWithClocks(trial, 60_000)),
  );

  it.concurrent('backlog: a delivery that has waited for minutes takes no replica out of service', () =>
    Trial.run('embedded', leaveWaiting),
  );
});
