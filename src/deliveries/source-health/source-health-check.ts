import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { Clock } from '../../kernel/clock';
import { Metrics } from '../../kernel/metrics';
import { ScheduledRun } from '../../kernel/scheduled-run';
import { AttentionRepository } from '../../workflows/attention.repository';
import { conditionOf, keyOfSource, type SourceCondition } from './condition';
import { type Ailment, type CheckedSource, SourceHealthRepository } from './source-health.repository';
import { UsualGaps } from './usual-gaps.repository';

const EVERY_MS = 5 * 60_000;
/** What is usual changes slowly. */
const LEARNED_FOR_MS = 6 * 3_600_000;
/** Sources learned of in one run. */
const MOST_LEARNED = 50;
/** How many sources a metric names. */
const MOST_NAMED = 100;

const AILMENTS: readonly Ailment[] = ['silent', 'failing'];

/**
 * Says that a source which usually sends is quiet, or that most of what comes to it is refused: once an episode, as an item
 * of attention that is resolved by itself. Any number of replicas may check; one of them raises it, in the transaction that
 * notes the episode.
 */
@Injectable()
export class SourceHealthCheck implements OnModuleInit {
  private readonly logger = new Logger('source-health');
  private readonly wanted: boolean;
  private readonly runs = new ScheduledRun(
    () => this.check(),
    (error) =>
      this.logger.warn({
        msg: 'source health: the sources could not be checked; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly database: Database,
    private readonly gaps: UsualGaps,
    private readonly health: SourceHealthRepository,
    private readonly attention: AttentionRepository,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    { role }: Settings,
  ) {
    this.wanted = role !== 'api';
  }

  onModuleInit(): void {
    this.metrics.gauges(
      'ponte_source_silent_seconds',
      `Seconds since the newest delivery of a source that is quiet for far longer than is usual for it; ${MOST_NAMED} sources at most`,
      'source',
      () =>
        this.found(
          ({ silent }) => silent,
          ({ quietFor }) => quietFor ?? 0,
        ),
    );
    this.metrics.gauges(
      'ponte_source_failing',
      `Webhooks of a source that were refused within an hour, where they are more than the accepted ones; ${MOST_NAMED} sources at most`,
      'source',
      () =>
        this.found(
          ({ failing }) => failing,
          (_condition, { refused }) => refused,
        ),
    );
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('source-health', EVERY_MS)
  async tick(): Promise<void> {
    if (!this.wanted) return;
    await this.runs.tick();
  }

  /** Learns what is usual where that was long ago, and notes which sources are silent or failing now. */
  async check(): Promise<void> {
    const now = this.clock.now();
    const learnedBefore = new Date(now.getTime() - LEARNED_FOR_MS);
    for (const id of await this.health.notLearnedSince(learnedBefore, MOST_LEARNED))
      await this.health.learn(id, await this.gaps.expectedWithin(id, now), now);
    for (const source of await this.health.observed(now)) await this.noteAlone(source, now);
  }

  /** One that cannot be noted keeps no other from it. */
  private async noteAlone(source: CheckedSource, now: Date): Promise<void> {
    try {
      await this.note(source, now);
    } catch (error) {
      this.logger.warn({
        msg: 'source health: what was found of a source could not be noted; the next run tries again',
        organization: source.organization.slug,
        source: source.slug,
        err: error,
      });
    }
  }

  private async note(source: CheckedSource, now: Date): Promise<void> {
    const condition = conditionOf(source, now);
    const before = { silent: source.silentSince !== null, failing: source.failingSince !== null };
    for (const ailment of AILMENTS) {
      if (condition[ailment] === before[ailment]) continue;
      if (condition[ailment]) await this.begin(source, ailment, condition, now);
      else await this.end(source, ailment, now);
    }
  }

  private async begin(
    source: CheckedSource,
    ailment: Ailment,
    condition: SourceCondition,
    now: Date,
  ): Promise<void> {
    const { organization, slug, lastDeliveryId } = source;
    const detail = ailment === 'silent' ? silence(source, condition) : failure(source, now);
    const isFirst = await this.database.transaction(async (tx) => {
      if (!(await this.health.begins(tx, source.id, ailment, now))) return false;
      // An item names a delivery; a source that never had one is shown by its status and the alert.
      if (lastDeliveryId === null) return true;
      const item = { organization, deliveryId: lastDeliveryId, runId: null, businessKey: keyOfSource(slug) };
      const attention = { code: `source-${ailment}` as const, detail, amount: '0.00' };
      await this.attention.record(tx, [{ ...item, attention }], now);
      return true;
    });
    if (isFirst)
      this.logger.warn({
        msg: `source health: a source is ${ailment}; see what its provider says of the webhook`,
        organization: organization.slug,
        source: slug,
        detail,
      });
  }

  private async end(source: CheckedSource, ailment: Ailment, now: Date): Promise<void> {
    const { organization, slug } = source;
    const isFirst = await this.database.transaction(async (tx) => {
      if (!(await this.health.ends(tx, source.id, ailment))) return false;
      const code = `source-${ailment}` as const;
      await this.attention.end(tx, { organization, businessKey: keyOfSource(slug), code }, now);
      return true;
    });
    if (isFirst)
      this.logger.log({
        msg: `source health: a source is not ${ailment} any more`,
        organization: organization.slug,
        source: slug,
      });
  }

  /** By `organization/source`. */
  private async found(
    isMeant: (condition: SourceCondition) => boolean,
    valueOf: (condition: SourceCondition, source: CheckedSource) => number,
  ): Promise<Record<string, number>> {
    const now = this.clock.now();
    const found = (await this.health.observed(now, { unwell: MOST_NAMED }))
      .map((source) => ({ source, condition: conditionOf(source, now) }))
      .filter(({ condition }) => isMeant(condition));
    return Object.fromEntries(
      found.map(({ source, condition }) => [
        `${source.organization.slug}/${source.slug}`,
        valueOf(condition, source),
      ]),
    );
  }
}

function silence({ slug, lastReceivedAt }: CheckedSource, { expectedWithin }: SourceCondition): string {
  return `The source ${slug} has sent nothing since ${lastReceivedAt?.toISOString() ?? 'it was made'}; something is expected within ${hours(expectedWithin ?? 0)}.`;
}

function failure({ slug, refused, accepted, lastRefusal }: CheckedSource, now: Date): string {
  return `In the hour before ${now.toISOString()} ${refused} webhooks to the source ${slug} were refused and ${accepted} accepted: ${lastRefusal ?? 'the reason is not known'}.`;
}

function hours(seconds: number): string {
  return `${Math.ceil(seconds / 3600)} hours`;
}
