import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchesOf } from '../../test/support/fetches';
import { arrive } from '../../test/support/arrivals';
import { openTestDatabase } from '../../test/support/database';
import { timePasses } from '../../test/support/time-passes';
import type { Database } from '../database/database';
import type { EffectRequest, EffectResult } from '../finance/api/effects/effect';
import { RemoteEffectApplier } from '../finance/api/effects/remote-effect-applier.port';
import { Clock } from '../kernel/clock';
import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { OwnClock } from '../../test/support/shared-clock';
import { newId } from '../kernel/identifier';
import type { CompiledRule } from '../rules/compiled-rule';
import { compiled, DOCUMENT_KEY, ORGANIZATION, paidOrder, TABLES } from '../rules/fixtures';
import type { SourceProvider } from '../sources/source';
import { PrometheusMetrics } from '../ops/prometheus-metrics';
import { Deferral } from '../workflows/deferred/deferral';
import { DeferredEffects } from '../workflows/deferred/deferred-effects.repository';
import { Planner } from '../workflows/planner';
import { MAX_ATTEMPTS } from '../workflows/retry-policy';
import { ActiveRules } from '../workflows/active-rules';
import { Approvals } from '../workflows/approvals.repository';
import { EffectRecordsRepository } from '../finance/effects/effect-records.repository';
import { AttentionRepository } from '../workflows/attention.repository';
import { RunsRepository } from '../workflows/runs.repository';
import { RemoteWorkflowEngine } from '../workflows/remote-workflow-engine';
import { BegunBatches } from './begun-batches.repository';
import { Catalog } from './catalog';
import { DeadLetterLog } from './dead-letter-log';
import { DeliveryLeases, LEASE_MS } from './delivery-leases.repository';
import { DeliveryQueue } from './delivery-queue.repository';
import { DeliveryRequeue } from './delivery-requeue.repository';
import { Settings } from '../config/settings';
import { ErasureRequests } from '../privacy/requests/erasures.repository';
import { Inbox } from './inbox';
import { Interruptions } from './interruptions';
import { UnsupportedDeliveries } from './unsupported-deliveries';
import { SourceDirectory, type LiveSource } from './source-directory';
import { WorkMetrics } from './work-metrics';
import { RemoteDeliveryWorker } from './remote-delivery-worker';

const ORDER_PAID = readFileSync(join(__dirname, '../../config/profiles/cash/order-paid.yaml'), 'utf8');

/** A clock that is moved by hand. */
class HandClock extends Clock {
  at = new Date('2026-11-21T12:00:00Z');

  override now(): Date {
    return this.at;
  }

  pass(milliseconds: number): void {
    this.at = new Date(this.at.getTime() + milliseconds);
  }
}

/** A finance service that answers as the test sets it and keeps what it was asked, in order. */
class ScriptedEffects extends RemoteEffectApplier {
  readonly asked: string[] = [];
  readonly applied = new Set<string>();
  rest = 0;
  looks = 0;
  /** The delivery whose effects the script is about; undefined: whichever comes. */
  about: string | undefined;
  /** Deliveries whose first effects are not answered before the test releases them; undefined: all are answered. */
  held: Map<string, () => void> | undefined;
  /** What happens instead of being applied, once each. */
  script: ((request: EffectRequest) => Promise<EffectResult> | EffectResult)[] = [];

  override async apply(request: EffectRequest, deliveryId: string): Promise<EffectResult> {
    const { key } = request.effect;
    this.asked.push(`${request.step} ${key}`);
    if (this.held && request.step === 'customer')
      await new Promise<void>((resolve) => this.held?.set(deliveryId, resolve));
    const meant = this.about === undefined || this.about === deliveryId;
    const next = meant ? this.script.shift() : undefined;
    if (next) return next(request);
    const state = this.applied.has(key) ? 'existing' : 'applied';
    this.applied.add(key);
    return { state, output: { id: newId(), all: [newId()] }, attention: [] };
  }

  override backoffMs(): number {
    this.looks += 1;
    return this.rest;
  }

  override isDown(): boolean {
    return false;
  }

  override callsAtOnce(): Promise<number> {
    return Promise.resolve(4);
  }
}

describe('the worker for remote finance services', () => {
  let database: Database;
  let clock: HandClock;
  let effects: ScriptedEffects;
  let rules: ActiveRules;
  let sourceId: string;
  const workers: RemoteDeliveryWorker[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    await database.prisma.delivery.deleteMany();
    await database.prisma.run.deleteMany();
    clock = new HandClock();
    effects = new ScriptedEffects();
    rules = new ActiveRules();
    putRules(compiled(ORDER_PAID));
    sourceId = newId();
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.beforeApplicationShutdown()));
  });

  function putRules(...inForce: CompiledRule[]): void {
    rules.replace(
      new Map([[ORGANIZATION.id, { rules: inForce, tables: TABLES, documentKey: DOCUMENT_KEY }]]),
    );
  }

  function startWorker(asked = effects): RemoteDeliveryWorker {
    const engine = new RemoteWorkflowEngine(
      new Planner(rules),
      asked,
      new RunsRepository(),
      new AttentionRepository(),
      new Approvals(new EffectRecordsRepository()),
      new Deferral(new DeferredEffects(), new EffectRecordsRepository(), new OwnClock(clock)),
      database,
      clock,
    );
    const queue = new DeliveryQueue();
    const leases = new DeliveryLeases(queue);
    const batches = new BegunBatches(database);
    const sources = directory();
    const catalog = Object.assign(Object.create(Catalog.prototype) as Catalog, {
      refresh: () => Promise.resolve(),
    });
    const metrics = new WorkMetrics(new PrometheusMetrics());
    const worker = new RemoteDeliveryWorker(
      database,
      leases,
      batches,
      new Interruptions(database, batches, queue, clock),
      catalog,
      sources,
      new UnsupportedDeliveries(sources, rules, { register: () => undefined }, new PrometheusMetrics()),
      engine,
      clock,
      metrics,
      new DeadLetterLog(sources),
      fetchesOf(database, leases, sources, clock),
      new ErasureRequests(database, new Settings({})),
      new Inbox(database),
    );
    workers.push(worker);
    worker.start();
    return worker;
  }

  /** One source whose every delivery says that the order of its lane was paid. */
  function directory(): SourceDirectory {
    const provider = {
      normalise: ({ rawBody }) => {
        if (rawBody.toString() === 'body 9') throw new TypeError('a bug');
        return { events: [paidOrder()] };
      },
    } as Partial<SourceProvider> as SourceProvider;
    const source: LiveSource = {
      id: sourceId,
      slug: 'shop',
      organization: ORGANIZATION,
      provider,
      secrets: [],
      secretsUnread: false,
      providerUnknown: false,
      settings: {},
      credentials: {},
      paused: false,
      context: { source: 'shop', timeZone: ORGANIZATION.timeZone, currency: 'BRL', settings: {} },
    };
    return Object.assign(Object.create(SourceDirectory.prototype) as SourceDirectory, {
      ...{ unknown: [], fetched: new Set() },
      findById: (id: string) => (id === sourceId ? source : undefined),
      organizationIds: () => new Set([ORGANIZATION.id]),
    });
  }

  function arriveIn(...lanes: string[]): Promise<string[]> {
    return arrive(database, lanes, { organizationId: ORGANIZATION.id, sourceId, receivedAt: clock.now() });
  }

  function row(id: string | undefined) {
    return database.prisma.delivery.findUniqueOrThrow({ where: { id } });
  }

  async function until(reached: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await reached())) await sleep(5);
  }

  /** Time goes on meanwhile: what failed for a passing reason is tried again a second later. */
  async function untilState(id: string | undefined, state: string): Promise<void> {
    let before = performance.now();
    await until(async () => {
      const now = performance.now();
      await timePasses(database, now - before);
      before = now;
      return (await row(id)).state === state;
    });
  }

  const steps = () => effects.asked.map((line) => line.split(' ')[0]);

  it('walks a run effect by effect and completes the delivery', async () => {
    const [only] = await arriveIn('a');
    startWorker();
    await untilState(only, 'done');
    expect(steps()).toEqual(['customer', 'schedule', 'receipt']);
    expect(await row(only)).toMatchObject({ outcome: 'applied', leaseId: null });
    expect(await database.prisma.run.findMany({ where: { deliveryId: only } })).toMatchObject([
      { state: 'done', rule: 'order-paid' },
    ]);
  });

  it('keeps no transaction open while an effect is being decided', async () => {
    const [only] = await arriveIn('a');
    effects.script = [
      async () => {
        // On the embedded database a second transaction would wait for an open one for ever.
        await database.transaction((tx) => tx.delivery.count());
        return { state: 'applied', output: { id: newId() }, attention: [] };
      },
    ];
    startWorker();
    await untilState(only, 'done');
    expect(effects.asked).toHaveLength(3);
  });

  it('puts a delivery off while an effect is pending, its lane behind it, and goes on when it is time', async () => {
    const [first, second, other] = await arriveIn('a', 'a', 'b');
    const waitMs = 600_000;
    const until600 = new Date(clock.now().getTime() + waitMs);
    effects.about = first;
    effects.script = [() => ({ state: 'pending', until: until600, reason: 'being looked into' })];
    startWorker();
    await untilState(other, 'done');
    await until(async () => (await row(first)).leaseId === null);
    expect(await row(first)).toMatchObject({ state: 'waiting', reason: 'being looked into' });
    const left = (await row(first)).readyAt.getTime() - Date.now();
    expect([left > waitMs / 2, left <= waitMs + 1_000]).toEqual([true, true]);
    expect(await row(second)).toMatchObject({ state: 'waiting' });
    expect(await database.prisma.run.findMany({ where: { deliveryId: first } })).toMatchObject([
      { state: 'running', finishedAt: null },
    ]);
    await timePasses(database, waitMs);
    workers[0]?.wake();
    await untilState(second, 'done');
    expect(await row(first)).toMatchObject({ state: 'done', reason: null });
  });

  it('goes on with the plan it began, whatever has become of the rules', async () => {
    const [only] = await arriveIn('a');
    const pending = (): EffectResult => ({ state: 'pending', until: clock.now(), reason: 'wait' });
    let changed = false;
    effects.script = [
      () => ({ state: 'applied', output: { id: newId() }, attention: [] }),
      () => {
        putRules();
        changed = true;
        return pending();
      },
    ];
    startWorker();
    await untilState(only, 'done');
    expect(changed).toBe(true);
    expect(steps()).toEqual(['customer', 'schedule', 'customer', 'schedule', 'receipt']);
    expect(await row(only)).toMatchObject({ outcome: 'applied' });
  });

  it('remembers that one rule was refused while another had to wait', async () => {
    const second = compiled(ORDER_PAID.replace('rule: order-paid', 'rule: second'));
    putRules(compiled(ORDER_PAID), second);
    const [only] = await arriveIn('a');
    effects.script = [
      () => ({ state: 'refused', code: 'x', reason: 'no' }),
      () => ({ state: 'pending', until: clock.now(), reason: 'wait' }),
      () => ({ state: 'refused', code: 'x', reason: 'still no' }),
    ];
    startWorker();
    await untilState(only, 'dead');
    expect((await row(only)).reason).toBe('rule order-paid, step customer: still no');
  });

  it('makes a dead letter of a refusal and lets the lane go on', async () => {
    const [first, second] = await arriveIn('a', 'a');
    effects.script = [() => ({ state: 'refused', code: 'effect-unknown', reason: 'a person must decide' })];
    startWorker();
    await untilState(second, 'done');
    expect(await row(first)).toMatchObject({
      state: 'dead',
      reason: 'rule order-paid, step customer: a person must decide',
    });
  });

  it('asks nothing of a finance service that rests, and goes on when it is back', async () => {
    const [only] = await arriveIn('a');
    effects.rest = 1_000;
    const worker = startWorker();
    await until(() => {
      worker.wake();
      return effects.looks >= 3;
    });
    expect(await row(only)).toMatchObject({ leaseId: null, state: 'waiting' });
    effects.rest = 0;
    worker.wake();
    await untilState(only, 'done');
    expect(effects.asked).toHaveLength(3);
  });

  it('takes over from a worker that died, and the dead one writes nothing any more', async () => {
    const [only] = await arriveIn('a');
    let release: () => void = () => undefined;
    const hung = new Promise<void>((resolve) => (release = resolve));
    effects.script = [
      async () => {
        await hung;
        return { state: 'refused', code: 'x', reason: 'from the dead' };
      },
    ];
    startWorker();
    await until(() => effects.asked.length === 1);
    await timePasses(database, LEASE_MS);
    startWorker();
    await untilState(only, 'done');
    release();
    await workers.shift()?.beforeApplicationShutdown();
    expect(await row(only)).toMatchObject({ state: 'done', outcome: 'applied', reason: null });
  });

  it('keeps its leases as long as it works', async () => {
    const [only] = await arriveIn('a');
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    effects.script = [() => slow.then(() => ({ state: 'applied', output: { id: newId() }, attention: [] }))];
    const worker = startWorker();
    await until(() => effects.asked.length === 1);
    await timePasses(database, LEASE_MS / 2);
    await worker.renew();
    await timePasses(database, LEASE_MS / 2);
    expect((await row(only)).readyAt > new Date()).toBe(true);
    release();
    await untilState(only, 'done');
  });

  it('gives back what it works on when it is stopped', async () => {
    const [only] = await arriveIn('a');
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    effects.script = [() => slow.then(() => ({ state: 'applied', output: { id: newId() }, attention: [] }))];
    const worker = startWorker();
    await until(() => effects.asked.length === 1);
    const stopped = worker.beforeApplicationShutdown();
    release();
    await stopped;
    expect(await row(only)).toMatchObject({ state: 'waiting', leaseId: null });
    expect((await row(only)).readyAt <= new Date()).toBe(true);
    expect(effects.asked).toHaveLength(1);
  });

  it('makes no call before all of a batch have begun and the batch is forgotten', async () => {
    const [first, second] = await arriveIn('a', 'b');
    const plan = Planner.prototype.plan;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const planning = jest.spyOn(Planner.prototype, 'plan').mockImplementation(async function (
      this: Planner,
      ...asked
    ) {
      if (asked[0].deliveryId === second) await held;
      return plan.apply(this, asked);
    });
    const begunAtCalls: number[] = [];
    const look = async (): Promise<EffectResult> => {
      begunAtCalls.push(await database.prisma.begunBatch.count());
      return { state: 'applied', output: { id: newId(), all: [newId()] }, attention: [] };
    };
    effects.script = [look, look, look, look, look, look];
    startWorker();
    await until(async () => (await database.prisma.run.count({ where: { deliveryId: first! } })) === 1);
    for (let turn = 0; turn < 20; turn += 1) await database.prisma.delivery.count();
    // Whoever finds the batch now, because this process is gone, finds in it what ended or went on, too.
    expect(await database.prisma.begunBatch.findMany()).toMatchObject([{ deliveryIds: [first, second] }]);
    expect(effects.asked).toEqual([]);
    letGo();
    planning.mockRestore();
    await untilState(first, 'done');
    await untilState(second, 'done');
    expect(begunAtCalls).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('says that it begins nothing where it leased nothing', async () => {
    await arriveIn('a');
    const begin = jest.spyOn(BegunBatches.prototype, 'beginWithin');
    const took = jest.spyOn(DeliveryLeases.prototype, 'take');
    // Between the claim and the reading of the sources they became ones that a newer version must work on.
    const left = jest.spyOn(UnsupportedDeliveries.prototype, 'has').mockReturnValue(true);
    startWorker();
    await until(() => took.mock.calls.length >= 2);
    expect(left).toHaveBeenCalled();
    expect(begin).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it.each(['P2028', '57014'])('does not count a try that the database had no time for (%s)', async (code) => {
    const [only] = await arriveIn('a');
    const late = (): never => {
      throw new DatabaseUnavailable(Object.assign(new Error('the time is up'), { code }));
    };
    effects.script = [late];
    startWorker();
    await untilState(only, 'done');
    expect(steps()).toEqual(['customer', 'customer', 'schedule', 'receipt']);
    expect(await row(only)).toMatchObject({ attempts: 0, interrupted: 0 });
  });

  it('tries again what it failed on itself, and stops nothing else', async () => {
    const ids = await arriveIn(...Array.from({ length: 11 }, (_, index) => `lane ${index}`));
    startWorker();
    const done = (): Promise<number> => database.prisma.delivery.count({ where: { state: 'done' } });
    // Between two tries nobody has it: however late that is seen, it may have been tried several times by then.
    let failed: Awaited<ReturnType<typeof row>> | undefined;
    await until(async () => {
      const now = await row(ids[9]);
      if (now.attempts > 0 && now.leaseId === null) failed ??= now;
      return failed !== undefined && (await done()) === 10;
    });
    expect(failed).toMatchObject({
      state: 'waiting',
      reason: `failed ${failed?.attempts} times inside Ponte; trying again`,
    });
  });

  it('goes on where a run broke off that was given up, once the delivery is put back', async () => {
    const [only] = await arriveIn('a');
    await database.prisma.delivery.update({ where: { id: only! }, data: { attempts: MAX_ATTEMPTS - 1 } });
    const applied = ({ effect: { key } }: EffectRequest): EffectResult => {
      effects.applied.add(key);
      return { state: 'applied', output: { id: newId(), all: [newId()] }, attention: [] };
    };
    effects.script = [
      applied,
      applied,
      () => {
        throw new TypeError('a bug');
      },
    ];
    const worker = startWorker();
    await untilState(only, 'dead');
    const states = async () => {
      const [run] = await database.prisma.run.findMany({ where: { deliveryId: only! } });
      return [run?.state, ...(run?.steps as { state: string }[]).map(({ state }) => state)];
    };
    expect(await states()).toEqual(['running', 'pending', 'pending', 'pending']);
    const returns = new DeliveryRequeue();
    const back = await database.transaction((tx) => returns.putBack(tx, ORGANIZATION, [only!], ['dead']));
    expect(back).toMatchObject([
      { id: only, state: 'dead', attempts: MAX_ATTEMPTS, runs: [{ state: 'running' }] },
    ]);
    worker.wake();
    await untilState(only, 'done');
    expect(steps()).toEqual(['customer', 'schedule', 'receipt', 'customer', 'schedule', 'receipt']);
    expect(await states()).toEqual(['done', 'existing', 'existing', 'applied']);
  });

  describe('with more to do than may be leased', () => {
    /** Three for each of the four calls that may be made at once. */
    const IN_HAND = 12;
    /** Each in a lane of its own; few at a time, because none of them may be the one that cannot be normalized. */
    async function arriveMany(rounds: number): Promise<void> {
      for (let round = 0; round < rounds; round += 1)
        await arriveIn(...Array.from({ length: 8 }, (_, index) => `${round}/${index}`));
    }
    const leased = () => database.prisma.delivery.count({ where: { leaseId: { not: null } } });
    const done = () => database.prisma.delivery.count({ where: { state: 'done' } });

    function letGo(from: ScriptedEffects, count = Infinity): void {
      for (const [id, release] of [...from.held!].slice(0, count)) {
        from.held!.delete(id);
        release();
      }
    }

    beforeEach(() => (effects.held = new Map()));
    afterEach(() => {
      letGo(effects);
      effects.held = undefined;
    });

    it('keeps its hands full on each of two replicas, and no delivery is in the hands of both', async () => {
      await arriveMany(5);
      const others = new ScriptedEffects();
      others.held = new Map();
      const both = [effects, others];
      startWorker();
      startWorker(others);
      await until(() => both.every(({ held }) => held!.size === IN_HAND));
      expect(new Set(both.flatMap(({ held }) => [...held!.keys()])).size).toBe(2 * IN_HAND);
      expect(await leased()).toBe(2 * IN_HAND);
      await until(async () => {
        for (const one of both) letGo(one);
        return (await done()) === 40;
      });
      expect(both.flatMap(({ asked }) => asked)).toHaveLength(3 * 40);
      expect(Math.min(...both.map(({ asked }) => asked.length))).toBeGreaterThanOrEqual(3 * IN_HAND);
    });

    it('fills them again when a quarter is free, and not for each that is finished', async () => {
      await arriveMany(3);
      const looks = jest.spyOn(DeliveryLeases.prototype, 'take');
      startWorker();
      await until(() => effects.held!.size === IN_HAND);
      letGo(effects, 2);
      await until(async () => (await done()) === 2);
      looks.mockClear();
      // Now and then it claims all the same, but for others.
      await until(() => looks.mock.calls.length > 0);
      expect(looks.mock.calls[0]?.[2].get(ORGANIZATION.id)).toBe(0);
      expect(effects.held!.size).toBe(IN_HAND - 2);
      letGo(effects, 1);
      await until(() => effects.held!.size === IN_HAND);
      expect(await leased()).toBe(IN_HAND);
    });

    it('still claims deliveries of organizations that it does not know of yet', async () => {
      await arriveMany(3);
      startWorker();
      await until(() => effects.held!.size === IN_HAND);
      const fields = { organizationId: newId(), sourceId, receivedAt: clock.now() };
      const [other] = await arrive(database, ['of another'], fields);
      await until(() => effects.held!.has(other!));
      expect(await leased()).toBe(IN_HAND + 1);
    });
  });
});
