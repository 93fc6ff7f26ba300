import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings';
import { type Counter, Metrics } from '../../kernel/metrics';
import { Problem } from '../../kernel/problem';
import { ScheduledRun } from '../../kernel/scheduled-run';
import { type LiveSource, SourceDirectory } from '../source-directory';
import type { Period } from '../../sources/missed-webhooks';
import { GRACE_MS, notSetUp, periodOf } from './comparison-period';
import { type ComparisonLease, type ComparisonResult, Comparisons } from './comparisons.repository';
import { SourceComparison } from './source-comparison';

const EVERY_MS = 60_000;
/** Seconds until a comparison that failed is made again, at most: the setting where that is shorter. */
const AFTER_FAILURE_SECONDS = 600;

/** Compares each source that can be with its provider's list, one at a time, whichever replica has it. */
@Injectable()
export class ComparisonWorker implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('comparison');
  private comparisonCount: Counter | undefined;
  private foundCount: Counter | undefined;
  private readonly runs = new ScheduledRun(
    () => this.run(),
    (error) =>
      this.logger.warn({
        msg: 'comparison: sources could not be compared with their providers; the next run tries again',
        err: error,
      }),
  );
  private stopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly sources: SourceDirectory,
    private readonly comparisons: Comparisons,
    private readonly comparison: SourceComparison,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.comparisonCount = this.metrics.counter(
      'ponte_comparisons_total',
      "Comparisons of a source with its provider's list, by provider and what came of them: compared, failed",
      ['provider', 'outcome'],
    );
    this.foundCount = this.metrics.counter(
      'ponte_missed_webhooks_total',
      'Deliveries that no webhook brought and a comparison found, by provider',
      ['provider'],
    );
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('comparison', EVERY_MS)
  async tick(): Promise<void> {
    const { compareEverySeconds, role } = this.settings;
    if (this.stopping || compareEverySeconds === 0 || role === 'api') return;
    await this.runs.tick();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.runs.ended();
  }

  /** Compares every source that is due. */
  async run(): Promise<void> {
    const ids = this.sources.compared().map(({ id }) => id);
    if (ids.length === 0) return;
    await this.comparisons.ensure(ids);
    while (!this.stopping) {
      const lease = await this.comparisons.take(ids);
      if (!lease) return;
      const source = this.sources.findById(lease.id);
      if (source) await this.compareLeased(source, lease);
      else await this.comparisons.giveBack(lease);
    }
  }

  private async compareLeased(source: LiveSource, lease: ComparisonLease): Promise<void> {
    const result = await this.resultOf(source, lease);
    if (this.stopping && result.failure !== undefined) return this.comparisons.giveBack(lease);
    await this.comparisons.end(lease, result);
  }

  private async resultOf(source: LiveSource, lease: ComparisonLease): Promise<ComparisonResult> {
    const everySeconds = Math.max(60, this.settings.compareEverySeconds);
    const why = notSetUp(source);
    const { list, id: provider } = source.provider;
    if (why !== undefined || !list) return { found: 0, failure: why ?? '', againInSeconds: everySeconds };
    const period = periodOf(lease.from, lease.now);
    if (period.to <= period.from) return { found: 0, againInSeconds: everySeconds };
    const { found, isWhole, failure } = await this.comparison
      .compare(source, list, period, async () => !this.stopping && (await this.comparisons.renew(lease)))
      .catch((error: unknown) => {
        if (error instanceof Problem) return { found: 0, isWhole: false, failure: error.detail };
        throw error;
      });
    this.foundCount?.add({ provider }, found);
    this.comparisonCount?.add({ provider, outcome: failure === undefined ? 'compared' : 'failed' });
    this.log(source, found, failure);
    const result = { found, ...(failure !== undefined && { failure }) };
    if (!isWhole) return { ...result, againInSeconds: Math.min(everySeconds, AFTER_FAILURE_SECONDS) };
    return { ...result, until: period.to, againInSeconds: isLast(period, lease) ? everySeconds : 0 };
  }

  private log({ organization, slug }: LiveSource, found: number, failure: string | undefined): void {
    const about = { organization: organization.slug, source: slug, found };
    if (failure !== undefined)
      this.logger.warn({
        msg: "comparison: a source could not be compared with its provider's list to the end; it is tried again",
        ...about,
        failure,
      });
    else if (found > 0)
      this.logger.warn({
        msg: "comparison: the provider's list has what no webhook brought; it is stored now. Check the webhooks at the provider",
        ...about,
      });
  }
}

/** Whether the period reaches as near to now as one may. */
function isLast({ to }: Period, { now }: ComparisonLease): boolean {
  return now.getTime() - to.getTime() <= GRACE_MS;
}
