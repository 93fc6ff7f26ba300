import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import {
  type DeliveryPeriod,
  DeliveryPeriods,
  type PeriodDelivery,
} from '../../deliveries/delivery-period.repository';
import { normalizeDelivery } from '../../deliveries/normalize-delivery';
import { SourceDirectory } from '../../deliveries/source-directory';
import { EffectRecords } from '../../finance/api/effects/effect-records.port';
import { EventLoopShare } from '../../kernel/event-loop-share';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { ComparedPeriod } from '../../workflows/backtest/differences';
import { Approvals } from '../../workflows/approvals.repository';
import { type ComparedDelivery, PeriodComparison } from '../../workflows/backtest/period-comparison';
import { keysOfPlans } from '../../rules/plan';
import { DeferredEffects } from '../../workflows/deferred/deferred-effects.repository';
import { StoredRuns } from '../../workflows/backtest/stored-runs.repository';
import { planAll, type Planner } from '../../workflows/planner';
import type { NamedDeliveryView } from './backtest.dto';

/** Milliseconds that a backtest may take: less than a client of ours waits for an answer. */
const DEADLINE_MS = 100_000;
/** Backtests that run at once in this process. */
const MOST_AT_ONCE = 2;
/** Deliveries whose rows are read at once, without their bodies. */
const PAGE = 500;

/** What is tried, on which deliveries. */
export interface BacktestTask {
  organization: Organization;
  period: DeliveryPeriod;
  planner: Planner;
  /** Only what this rule plans is compared; absent: what all rules plan. */
  rule?: string;
}

export interface Backtest {
  compared: ComparedPeriod;
  deliveries: DeliveryTally;
}

/** A delivery that is planned, and not compared yet. */
type Planned = Omit<ComparedDelivery, 'runs' | 'records' | 'deferred' | 'heldBack'>;

/**
 * Plans the stored deliveries of a period anew and compares that with what was done. Nothing is written. Rows and bodies
 * are read in small portions, each in a transaction of its own, and requests are served in between.
 */
@Injectable()
export class Backtests implements BeforeApplicationShutdown {
  /** Milliseconds that one may take. */
  protected deadlineMs = DEADLINE_MS;
  private readonly stop = new AbortController();
  private underWay = 0;

  constructor(
    private readonly database: Database,
    private readonly periods: DeliveryPeriods,
    private readonly sources: SourceDirectory,
    private readonly records: EffectRecords,
    private readonly runs: StoredRuns,
    private readonly deferredEffects: DeferredEffects,
    private readonly approvals: Approvals,
  ) {}

  /**
   * @param signal ends it: nobody waits for the outcome any more
   * @throws Problem saturated when too many are under way, or the signal came; validation-failed when it takes too long or
   *   has too many differences; shutting-down
   */
  async run(task: BacktestTask, signal: AbortSignal): Promise<Backtest> {
    if (this.underWay >= MOST_AT_ONCE)
      throw new Problem('saturated', 'Too many backtests run at once; try again when one has ended', {
        retryAfterSeconds: 10,
      });
    this.underWay += 1;
    const deadline = performance.now() + this.deadlineMs;
    const check = (): void => {
      if (signal.aborted) throw new Problem('saturated', 'Nobody waits for the answer any more');
      if (this.stop.signal.aborted) throw new Problem('shutting-down', 'Ponte is shutting down');
      if (performance.now() > deadline) throw tooLong(this.deadlineMs);
    };
    try {
      return await this.walk(task, check);
    } finally {
      this.underWay -= 1;
    }
  }

  beforeApplicationShutdown(): void {
    this.stop.abort();
  }

  /** @param check throws when it is to end; asked between two deliveries */
  private async walk(task: BacktestTask, check: () => void): Promise<Backtest> {
    const { organization, period, rule } = task;
    const comparison = new PeriodComparison(organization, rule);
    const deliveries = new DeliveryTally();
    const share = new EventLoopShare();
    let page: PeriodDelivery[];
    let last: PeriodDelivery | undefined;
    do {
      const after = last && { at: last.receivedAt, id: last.id };
      page = await this.database.transaction((tx) =>
        this.periods.page(tx, organization, period, { limit: PAGE, after }),
      );
      for (const chunk of chunksOf(page)) {
        const planned = await this.plan(task, chunk, deliveries, { check, share });
        for (const delivery of await this.withWhatWasDone(organization, planned)) comparison.take(delivery);
      }
      last = page.at(-1);
    } while (page.length === PAGE);
    return { compared: comparison.finish(), deliveries };
  }

  private async plan(
    { organization, planner }: BacktestTask,
    chunk: readonly PeriodDelivery[],
    deliveries: DeliveryTally,
    { check, share }: { check: () => void; share: EventLoopShare },
  ): Promise<Planned[]> {
    const ids = chunk.filter(({ size }) => size !== null).map(({ id }) => id);
    const bodies = await this.database.transaction((tx) => this.periods.bodies(tx, organization, ids));
    const planned: Planned[] = [];
    for (const delivery of chunk) {
      check();
      const stored = bodies.get(delivery.id);
      deliveries.count(delivery, stored !== undefined);
      if (!stored) continue;
      if (share.isUsedUp) await share.giveWay();
      const { id, sourceId, businessKey, state } = delivery;
      const normalized = normalizeDelivery({ ...delivery, ...stored }, this.sources.findById(sourceId));
      planned.push({
        id,
        isSettled: state === 'done',
        businessKey: normalized.businessKey ?? businessKey ?? `delivery/${id}`,
        planned: await planAll(planner, normalized.work, share),
        unreadable: normalized.unreadable,
      });
    }
    return planned;
  }

  private async withWhatWasDone(
    organization: Organization,
    planned: readonly Planned[],
  ): Promise<ComparedDelivery[]> {
    const ids = planned.map(({ id }) => id);
    const { runs, ...known } = await this.database.transaction(async (tx) => {
      const stored = await this.runs.of(tx, ids);
      const plans = planned.flatMap((delivery) => [
        ...delivery.planned.flatMap((event) => event.runs.map(({ plan }) => plan)),
        ...(stored.get(delivery.id) ?? []).map(({ plan }) => plan),
      ]);
      const keys = keysOfPlans(plans);
      const records = await this.records.find(tx, organization.id, keys);
      const deferred = await this.deferredEffects.byKey(tx, organization.id, keys);
      const heldBack = await this.approvals.heldBack(tx, organization.id, keys);
      return { runs: stored, records, deferred, heldBack };
    });
    return planned.map((delivery) => ({ ...delivery, runs: runs.get(delivery.id) ?? [], ...known }));
  }
}

function tooLong(deadlineMs: number): Problem {
  return new Problem(
    'validation-failed',
    `The backtest took more than ${deadlineMs / 1000} s and was ended; take a shorter period, or one source`,
  );
}

/** Deliveries that are named of each kind; all are counted. */
const MOST_NAMED = 100;

/** Counts the deliveries of a period, and names those that could not be compared, the oldest of each kind first. */
class DeliveryTally {
  read = 0;
  compared = 0;
  discarded = 0;
  readonly waiting = new Apart();
  readonly dead = new Apart();
  readonly bodiesGone = new Apart();

  /** @param hasBody false: nothing can be read of it any more */
  count(delivery: PeriodDelivery, hasBody: boolean): void {
    this.read += 1;
    if (!hasBody) this.bodiesGone.add(delivery);
    else if (delivery.state === 'waiting') this.waiting.add(delivery);
    else if (delivery.state === 'dead') this.dead.add(delivery);
    else if (delivery.state === 'discarded') this.discarded += 1;
    else this.compared += 1;
  }
}

/** Deliveries that are told apart from those that were compared. */
class Apart {
  count = 0;
  readonly named: NamedDeliveryView[] = [];

  add({ id, businessKey, receivedAt, reason }: PeriodDelivery): void {
    this.count += 1;
    if (this.named.length < MOST_NAMED) this.named.push({ id, businessKey, receivedAt, reason });
  }
}

/** Bytes of bodies that are in memory at once; one body alone may be larger. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Deliveries whose bodies are read at once. */
const MOST_DELIVERIES = 100;

/** Divides a page, in its order, into portions whose bodies may be in memory together. @param size null: no body */
export function chunksOf<T extends { size: number | null }>(page: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let current: T[] = [];
  let bytes = 0;
  for (const item of page) {
    const size = item.size ?? 0;
    if (current.length > 0 && (current.length >= MOST_DELIVERIES || bytes + size > MOST_BYTES)) {
      chunks.push(current);
      [current, bytes] = [[], 0];
    }
    current.push(item);
    bytes += size;
  }
  return current.length > 0 ? [...chunks, current] : chunks;
}
