import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { Clock } from '../../kernel/clock';
import { Metrics } from '../../kernel/metrics';
import { ScheduledRun } from '../../kernel/scheduled-run';
import type { SourceProvider } from '../../sources/source';
import { SourceProviders } from '../../sources/source-providers';
import { AttentionRepository } from '../../workflows/attention.repository';
import { keyOfSource } from '../source-health/condition';
import { type FailingSource, SourceFailuresRepository } from './source-failures.repository';
import { isOver, type SourceSwitchOff, switchOffDetail, switchOffOf } from './source-switch-off';

/** Often: a shop that sells much sends five webhooks in minutes. */
const EVERY_MS = 60_000;
/** How long a row of failures is remembered that nothing was added to: the webhook may have been given up. */
const REMEMBERED_MS = 7 * 86_400_000;
/** How many sources the metric names. */
const MOST_NAMED = 100;

const CODES = { near: 'source-near-switch-off', probable: 'source-switched-off' } as const;

const WHAT = {
  near: 'is about to switch a webhook off for its failures',
  probable: 'has probably switched a webhook off for its failures',
} as const;

/**
 * Warns before a provider switches a webhook off for failed deliveries, and says when it probably has: each once an episode, as an
 * item of attention that is resolved by itself. Any number of replicas may check; one of them raises it, in the transaction that
 * notes it.
 */
@Injectable()
export class SwitchOffCheck implements OnModuleInit {
  private readonly logger = new Logger('source-health');
  private readonly wanted: boolean;
  private readonly runs = new ScheduledRun(
    () => this.check(),
    (error) =>
      this.logger.warn({
        msg: 'source health: failed webhooks could not be checked; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly database: Database,
    private readonly rows: SourceFailuresRepository,
    private readonly providers: SourceProviders,
    private readonly attention: AttentionRepository,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    { role }: Settings,
  ) {
    this.wanted = role !== 'api';
  }

  onModuleInit(): void {
    this.metrics.gauges(
      'ponte_source_switch_off',
      `How much of the failures has come for which a source's provider switches its webhook off, from a half on; 1: it probably has; ${MOST_NAMED} sources at most`,
      'source',
      () => this.parts(),
    );
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('switch-off-check', EVERY_MS)
  async tick(): Promise<void> {
    if (!this.wanted) return;
    await this.runs.tick();
  }

  /** Warns where that is new, and forgets what is over. */
  async check(): Promise<void> {
    const now = this.clock.now();
    await this.rows.forget(new Date(now.getTime() - REMEMBERED_MS));
    for (const source of await this.rows.all()) await this.checkAlone(source, now);
  }

  /** One that cannot be checked keeps no other from it. */
  private async checkAlone(source: FailingSource, now: Date): Promise<void> {
    const provider = this.providers.find(source.provider);
    // A newer replica knows it.
    if (!provider) return;
    try {
      await this.note(source, provider, now);
      for (const topic of source.failed)
        if (topic.acceptedAt && isOver(topic))
          await this.rows.settle(source.id, topic.topic, topic.acceptedAt);
    } catch (error) {
      this.logger.warn({
        msg: 'source health: failed webhooks of a source could not be checked; the next run tries again',
        organization: source.organization.slug,
        source: source.slug,
        err: error,
      });
    }
  }

  private async note(source: FailingSource, provider: SourceProvider, now: Date): Promise<void> {
    const found = provider.switchesOff && switchOffOf(provider.switchesOff, source.failed, now);
    const before = source.warnedOf ?? undefined;
    const after = found?.state;
    if (before === after) return;
    const { organization, slug } = source;
    const businessKey = keyOfSource(slug);
    const isFirst = await this.database.transaction(async (tx) => {
      if (!(await this.rows.warn(tx, source.id, { before, after }, now))) return false;
      if (before) await this.attention.end(tx, { organization, businessKey, code: CODES[before] }, now);
      if (!found) return true;
      const detail = switchOffDetail(provider.title, slug, found);
      const attention = { code: CODES[found.state], detail, amount: '0.00' };
      await this.attention.record(
        tx,
        [{ organization, deliveryId: null, runId: null, businessKey, attention }],
        now,
      );
      return true;
    });
    if (isFirst) this.log(source, provider, found);
  }

  private log(
    { organization, slug }: FailingSource,
    { title }: SourceProvider,
    found: SourceSwitchOff | undefined,
  ): void {
    const named = { organization: organization.slug, source: slug };
    if (found)
      this.logger.warn({
        msg: `source health: a provider ${WHAT[found.state]}; mend why its webhooks fail`,
        ...named,
        detail: switchOffDetail(title, slug, found),
      });
    else this.logger.log({ msg: 'source health: webhooks of a source do not fail any more', ...named });
  }

  /** By `organization/source`. */
  private async parts(): Promise<Record<string, number>> {
    const now = this.clock.now();
    const found = (await this.rows.all()).flatMap(({ provider, organization, slug, failed }) => {
      const switchesOff = this.providers.find(provider)?.switchesOff;
      const part = switchesOff && switchOffOf(switchesOff, failed, now)?.part;
      return part === undefined ? [] : [[`${organization.slug}/${slug}`, part] as const];
    });
    return Object.fromEntries(found.toSorted(([, one], [, other]) => other - one).slice(0, MOST_NAMED));
  }
}
