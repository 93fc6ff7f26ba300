import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { notSetUp } from '../../deliveries/comparison/comparison-period';
import { type LiveSource, SourceDirectory } from '../../deliveries/source-directory';
import type { MoneyFacts } from '../../events/money-facts';
import { EffectRecords } from '../../finance/api/effects/effect-records.port';
import { Clock } from '../../kernel/clock';
import { CalendarDate } from '../../kernel/calendar-date';
import { EventLoopShare } from '../../kernel/event-loop-share';
import { grouped } from '../../kernel/grouped';
import type { Organization } from '../../kernel/organization';
import { Problem, unacceptable } from '../../kernel/problem';
import type { CompletenessRepairBody } from './completeness.dto';
import { Approvals } from '../../workflows/approvals.repository';
import { DeferredEffects } from '../../workflows/deferred/deferred-effects.repository';
import { type Period, readPeriod } from '../backtest/period';
import {
  CompletenessReads,
  type EntityDelivery,
  type EntityPlace,
  type SourcePeriod,
  type UnattachedDelivery,
} from './completeness.repository';
import type { ComparedEntity } from './differences';
import { checkEntity, openDifference } from './entity-check';
import {
  type EffectsKnown,
  keysOf,
  type KnownDelivery,
  type KnownEntity,
  MOST_INSTALMENTS,
} from './known-entity';
import { Report } from './report';

/** Milliseconds that one may take: less than a client of ours waits for an answer. */
const DEADLINE_MS = 100_000;
/** Those that run at once in this process. */
const MOST_AT_ONCE = 2;
/** Entities that are read at once, with their deliveries and runs. */
const PAGE = 200;
/** Days of a period. */
const MOST_DAYS = 92;
/** Deliveries about nothing that is known, that are looked at. */
export const MOST_UNATTACHED = 1_000;

/** Which orders are compared: those that a source says were made on these days. */
export type CompletenessQuestion = Readonly<Pick<CompletenessRepairBody, 'from' | 'to' | 'source'>>;

/** How far a source's own list of orders was compared with what came in. */
export interface ListState {
  /** Whether everything that changed in the shop since the period began was asked for. */
  readonly isWhole: boolean;
  readonly comparedFrom: Date | null;
  readonly comparedUntil: Date | null;
  /** Why the shop's list says nothing, or not all; null: it does. */
  readonly obstacle: string | null;
  /** Whether comparing again from the beginning of the period would help. */
  readonly canCompare: boolean;
}

/** What a period of a source came to. */
export interface Completeness {
  readonly question: CompletenessQuestion;
  readonly source: LiveSource;
  readonly period: Period;
  readonly asOf: Date;
  readonly list: ListState;
  /** Before it deliveries left nothing to compare with; null: all that the source received did. */
  readonly knownSince: Date | null;
  readonly report: Report;
}

/** Compares what a source's shop says of a period with what is in the books. Nothing is written. */
@Injectable()
export class CompletenessReports implements BeforeApplicationShutdown {
  /** Milliseconds that one may take. */
  protected deadlineMs = DEADLINE_MS;
  private readonly stop = new AbortController();
  private underWay = 0;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly sources: SourceDirectory,
    private readonly reads: CompletenessReads,
    private readonly records: EffectRecords,
    private readonly deferred: DeferredEffects,
    private readonly approvals: Approvals,
    private readonly clock: Clock,
  ) {}

  beforeApplicationShutdown(): void {
    this.stop.abort();
  }

  /**
   * Rows are read in pages, each in a transaction of its own, and requests are served in between: there is no snapshot of the
   * whole, and what is booked meanwhile may be counted or not.
   * @param signal ends it: nobody waits for the outcome any more
   * @throws Problem malformed-request; validation-failed for a period that is too long or takes too long; saturated;
   *   shutting-down
   */
  run(
    organization: Organization,
    question: CompletenessQuestion,
    mostListed: number,
    signal: AbortSignal,
  ): Promise<Completeness> {
    const { period, source } = this.about(organization, question);
    return this.withPermit(() => this.compare(source, question, period, mostListed, this.checkOf(signal)));
  }

  /**
   * The entities that differ, without what all of them come to: no more is read than what is listed.
   * @param after where the list before ended; absent: the first ones
   * @throws Problem as {@link run}
   */
  differing(
    organization: Organization,
    question: CompletenessQuestion,
    { after, limit }: { after?: EntityPlace | undefined; limit: number },
    signal: AbortSignal,
  ): Promise<Pick<Report, 'items' | 'hasMore'>> {
    const { period, source } = this.about(organization, question);
    return this.withPermit(async () => {
      const report = new Report(limit);
      const openByKey = byKey(await this.open(source, period));
      await this.walk(source, period, openByKey, report, this.checkOf(signal), {
        after,
        isEnough: () => report.hasMore,
      });
      return report;
    });
  }

  /** @throws Problem malformed-request, validation-failed */
  private about(
    organization: Organization,
    question: CompletenessQuestion,
  ): { period: Period; source: LiveSource } {
    const period = readDays(question, organization);
    const source = this.sources.find(organization.slug, question.source);
    if (!source) throw unacceptable('/source', 'unknown', 'names no source of the organization');
    return { period, source };
  }

  /** @throws Problem saturated */
  private async withPermit<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= MOST_AT_ONCE)
      throw new Problem('saturated', 'Too many comparisons run at once; try again when one has ended', {
        retryAfterSeconds: 10,
      });
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
    }
  }

  private checkOf(signal: AbortSignal): () => void {
    const deadline = performance.now() + this.deadlineMs;
    return () => {
      if (signal.aborted) throw new Problem('saturated', 'Nobody waits for the answer any more');
      if (this.stop.signal.aborted) throw new Problem('shutting-down', 'Ponte is shutting down');
      if (performance.now() > deadline)
        throw new Problem(
          'validation-failed',
          `Comparing took more than ${this.deadlineMs / 1000} s and was ended; take a shorter period`,
        );
    };
  }

  /** @param check throws when it is to end; asked between two pages */
  private async compare(
    source: LiveSource,
    question: CompletenessQuestion,
    period: Period,
    mostListed: number,
    check: () => void,
  ): Promise<Completeness> {
    const asOf = this.clock.now();
    const report = new Report(mostListed);
    const open = await this.open(source, period);
    await this.walk(source, period, byKey(open), report, check);
    check();
    const unattached = open.filter(({ isKnown }) => !isKnown);
    report.takeUnattached(unattached.map((delivery) => [delivery, openDifference(delivery)]));
    const { list, knownSince } = await this.database.transaction(async (tx) => ({
      list: this.listState(source, period, await this.reads.list(tx, source.id)),
      knownSince: await this.reads.knownSince(tx, source.id),
    }));
    return { question, source, period, asOf, list, knownSince, report };
  }

  /** Deliveries that are not done, whether they are about something that is known or not. */
  private open(source: LiveSource, period: Period): Promise<UnattachedDelivery[]> {
    const own = ownPeriod(source, period);
    return this.database.transaction((tx) => this.reads.unattached(tx, own, source.slug, MOST_UNATTACHED));
  }

  /**
   * Takes the entities of the period into the report, the first made first.
   * @param part where to begin, and when to end; absent: all of them
   */
  private async walk(
    source: LiveSource,
    period: Period,
    openByKey: ReadonlyMap<string, readonly EntityDelivery[]>,
    report: Report,
    check: () => void,
    part: { after?: EntityPlace | undefined; isEnough?: () => boolean } = {},
  ): Promise<void> {
    const own = ownPeriod(source, period);
    const share = new EventLoopShare();
    let { after } = part;
    let page: MoneyFacts[];
    do {
      check();
      page = await this.database.transaction((tx) => this.reads.page(tx, own, PAGE, after));
      await this.takePage(report, source.organization, own, page, openByKey);
      after = page.at(-1);
      if (share.isUsedUp) await share.giveWay();
    } while (page.length === PAGE && !part.isEnough?.());
  }

  private async takePage(
    report: Report,
    organization: Organization,
    own: SourcePeriod,
    page: readonly MoneyFacts[],
    openByKey: ReadonlyMap<string, readonly EntityDelivery[]>,
  ): Promise<void> {
    if (page.length === 0) return;
    await this.database.transaction(async (tx) => {
      const keys = page.map(({ key }) => key);
      const understood = await this.reads.deliveriesOf(tx, own, page);
      const deliveries = [...understood, ...keys.flatMap((key) => openByKey.get(key) ?? [])];
      const runs = await this.reads.runsOf(
        tx,
        deliveries.map(({ id }) => id),
      );
      const deliveriesByKey = grouped(deliveries, ({ businessKey }) => businessKey);
      const runsByKey = grouped(runs, ({ businessKey }) => businessKey);
      const entities = page.map((facts): KnownEntity => ({
        facts,
        deliveries: deliveriesByKey.get(facts.key) ?? [],
        runs: runsByKey.get(facts.key) ?? [],
      }));
      const comparable = entities.filter(({ facts }) => facts.currency === organization.currency);
      const compared = await this.check(tx, organization, comparable);
      for (const { facts } of entities) {
        const about = deliveriesByKey.get(facts.key) ?? [];
        const ofEntity = compared.get(facts.key);
        if (!ofEntity) report.counts.otherCurrency += 1;
        report.take(facts, ofEntity ?? notCompared(about), about);
      }
    });
  }

  /**
   * Compares entities with what is known of them. An acquirer may pay in more instalments than the shop spoke of: those are looked
   * for where receipts differ, and not of each order.
   * @returns by business key
   */
  private async check(
    tx: Transaction,
    organization: Organization,
    entities: readonly KnownEntity[],
  ): Promise<Map<string, ComparedEntity>> {
    const compared = new Map<string, ComparedEntity>();
    const compare = async (some: readonly KnownEntity[]): Promise<void> => {
      const known = await this.whatIsKnown(tx, organization, [...new Set(some.flatMap(keysOf))]);
      for (const entity of some) compared.set(entity.facts.key, checkEntity(entity, known));
    };
    await compare(entities);
    const differing = entities.filter(({ facts }) => receiptsDiffer(compared.get(facts.key)));
    if (differing.length > 0)
      await compare(
        differing.map((entity) => ({ ...entity, facts: { ...entity.facts, instalments: MOST_INSTALMENTS } })),
      );
    return compared;
  }

  private async whatIsKnown(
    tx: Transaction,
    organization: Organization,
    keys: readonly string[],
  ): Promise<EffectsKnown> {
    const records = await this.records.find(tx, organization.id, keys);
    const deferred = await this.deferred.byKey(tx, organization.id, keys);
    const heldBack = await this.approvals.heldBack(tx, organization.id, keys);
    const made = await this.reads.recordsOf(tx, organization.id, keys);
    const books =
      this.settings.financeBackend === 'embedded'
        ? await this.reads.inOwnBooks(tx, made)
        : await this.reads.asObserved(tx, organization, made);
    return { records, deferred, heldBack, books };
  }

  private listState(
    source: LiveSource,
    { from, to }: Period,
    { comparedFrom, comparedUntil, failure }: Awaited<ReturnType<CompletenessReads['list']>>,
  ): ListState {
    const state = { comparedFrom, comparedUntil };
    const unable =
      source.provider.list === undefined
        ? 'its provider has no list that Ponte can ask for: import the orders of the period to find what no webhook brought'
        : this.settings.compareEverySeconds === 0
          ? 'comparisons with shops are switched off (COMPARE_EVERY)'
          : source.paused
            ? 'the source is paused'
            : notSetUp(source);
    if (unable !== undefined) return { ...state, isWhole: false, obstacle: unable, canCompare: false };
    const reachesBack = comparedFrom !== null && comparedFrom <= from;
    const until = new Date(Math.min(to.getTime(), this.clock.now().getTime() - RECENT_MS));
    const reachesOn = comparedUntil !== null && comparedUntil >= until;
    const obstacle = reachesBack && reachesOn ? null : (failure ?? notYet(reachesBack, comparedUntil));
    return { ...state, isWhole: reachesBack && reachesOn, obstacle, canCompare: !reachesBack };
  }
}

/** What changed in the shop less long ago than this may be compared later. */
const RECENT_MS = 2 * 3_600_000;

function receiptsDiffer(compared: ComparedEntity | undefined): boolean {
  return compared?.differences.some(({ aspect }) => aspect === 'receipt') ?? false;
}

/** What is in another currency: its amounts are not compared, and what is not done of it is named all the same. */
function notCompared(deliveries: readonly KnownDelivery[]): ComparedEntity {
  const open = deliveries.filter(({ state }) => state === 'waiting' || state === 'dead');
  return { totals: new Map(), differences: open.map(openDifference), apart: [] };
}

function notYet(reachesBack: boolean, until: Date | null): string {
  if (!reachesBack) return 'it was not compared from the first day of the period on';
  return `it was compared until ${until?.toISOString() ?? 'no instant'}, and goes on by itself`;
}

function ownPeriod({ organization, id }: LiveSource, period: Period): SourcePeriod {
  return { organizationId: organization.id, sourceId: id, ...period };
}

/** Those that are about something that is known. */
function byKey(open: readonly UnattachedDelivery[]): ReadonlyMap<string, readonly EntityDelivery[]> {
  const known = open.filter(({ isKnown }) => isKnown);
  return grouped(known, ({ businessKey }) => businessKey);
}

/** @throws Problem validation-failed */
function readDays({ from, to }: CompletenessQuestion, organization: Organization): Period {
  for (const [pointer, day] of [
    ['/from', from],
    ['/to', to],
  ] as const)
    if (!CalendarDate.isDay(day)) throw unacceptable(pointer, 'day', 'must be a day such as 2026-01-31');
  const period = readPeriod({ from, to }, organization);
  if (CalendarDate.parse(from).addDays(MOST_DAYS).compare(CalendarDate.parse(to)) <= 0)
    throw unacceptable('/to', 'span', `a period has at most ${MOST_DAYS} days`);
  return period;
}
