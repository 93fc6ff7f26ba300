import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { type LiveSource, SourceDirectory } from '../../deliveries/source-directory';
import { appendChanges } from '../../feed/changes/changes.repository';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import { type Counter, Metrics } from '../../kernel/metrics';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { ScheduledRun } from '../../kernel/scheduled-run';
import { midnightOf } from '../../kernel/time-zone';
import { type Completeness, CompletenessReports } from './completeness';
import { checkedData } from './completeness-view';
import { type CheckLease, CompletenessChecks } from './completeness-checks.repository';

const EVERY_MS = 10 * 60_000;
/** Until one that failed is made again. */
const AGAIN_MS = 3_600_000;
/** After midnight, so that what was sold in the last minutes has come in and the shop's list was compared. */
const AFTER_MIDNIGHT_MS = 3 * 3_600_000;

/**
 * Compares each source with the books once a day: the month so far, up to yesterday; on the first of a month, the whole month
 * before. It repairs nothing. Any number of replicas may run: one at a time has a source.
 */
@Injectable()
export class CompletenessCheck implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('completeness');
  private readonly stop = new AbortController();
  private checkCount: Counter | undefined;
  private readonly runs = new ScheduledRun(
    () => this.check(),
    (error) =>
      this.logger.warn({
        msg: 'completeness: sources could not be compared with the books; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly sources: SourceDirectory,
    private readonly reports: CompletenessReports,
    private readonly checks: CompletenessChecks,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'ponte_completeness_differences',
      'Differences between what the shop of a source says and the books, when they were compared last; at most 100 sources that have any',
      'source',
      () => this.checks.differing(),
    );
    this.checkCount = this.metrics.counter(
      'ponte_completeness_checks_total',
      'Daily comparisons of a source with the books, by what came of them: complete, differing, failed',
      ['outcome'],
    );
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('completeness', EVERY_MS)
  async tick(): Promise<void> {
    if (this.settings.role === 'api' || this.stop.signal.aborted) return;
    await this.runs.tick();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.runs.ended();
  }

  /** Checks every source whose day is over. @returns how many were checked */
  async check(): Promise<number> {
    const ids = this.sources.all().map(({ id }) => id);
    if (ids.length === 0) return 0;
    await this.checks.ensure(ids);
    let checked = 0;
    for (; !this.stop.signal.aborted; checked += 1) {
      const lease = await this.checks.take(ids);
      const source = lease && this.sources.findById(lease.sourceId);
      if (!lease || !source) break;
      await this.checkOne(source, lease);
    }
    return checked;
  }

  private async checkOne(source: LiveSource, lease: CheckLease): Promise<void> {
    const { organization, slug } = source;
    const yesterday = CalendarDate.fromInstant(this.clock.now(), organization.timeZone).addDays(-1);
    const first = CalendarDate.parse(`${yesterday.toString().slice(0, 7)}-01`);
    const question = { from: first.toString(), to: yesterday.toString(), source: slug };
    try {
      const found = await this.reports.run(organization, question, 0, this.stop.signal);
      await this.note(source, lease, found, { first, yesterday });
    } catch (error) {
      // Whoever is there when the lease has ended takes it.
      if (this.stop.signal.aborted) return;
      this.checkCount?.add({ outcome: 'failed' });
      await this.checks.fail(lease, this.reasonOf(error, source), AGAIN_MS);
    }
  }

  /** One source that cannot be compared keeps none of the others from it. */
  private reasonOf(error: unknown, { organization, slug }: LiveSource): string {
    if (error instanceof Problem) return error.detail;
    this.logger.error({
      msg: 'completeness: a source could not be compared with the books; it is tried again in an hour',
      ...{ organization: organization.slug, source: slug, err: error },
    });
    return 'comparing failed in a way that nobody expected; the log has the error';
  }

  private async note(
    { id, organization, slug }: LiveSource,
    lease: CheckLease,
    found: Completeness,
    { first, yesterday }: { first: CalendarDate; yesterday: CalendarDate },
  ): Promise<void> {
    const { differences, repairable, compared } = found.report;
    const dueAt = nextCheck(organization, yesterday);
    const isNoted = await this.database.transaction(async (tx) => {
      const result = { from: first, to: yesterday, compared, differences, repairable, dueAt };
      if (!(await this.checks.end(tx, lease, result))) return false;
      // Of a source that sold nothing there is nothing to say.
      if (compared === 0 && differences === 0) return true;
      const change = { organizationId: organization.id, type: 'completeness.checked', recordId: id } as const;
      await appendChanges(tx, [{ ...change, data: checkedData(organization, found) }], this.clock.now());
      return true;
    });
    if (!isNoted) return;
    this.checkCount?.add({ outcome: differences === 0 ? 'complete' : 'differing' });
    if (differences > 0)
      this.logger.warn({
        msg: 'completeness: the books differ from what the shop says; see the completeness of the source',
        ...{ organization: organization.slug, source: slug, differences, repairable },
        ...{ from: first.toString(), to: yesterday.toString() },
      });
  }
}

/** Some time after the day that follows the one that is over today. */
function nextCheck({ timeZone }: Organization, yesterday: CalendarDate): Date {
  return new Date(Date.parse(midnightOf(yesterday.addDays(2).toString(), timeZone)) + AFTER_MIDNIGHT_MS);
}
