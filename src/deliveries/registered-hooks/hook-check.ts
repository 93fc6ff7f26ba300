import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings';
import { Metrics } from '../../kernel/metrics';
import { ScheduledRun } from '../../kernel/scheduled-run';
import { type LiveSource, SourceDirectory } from '../source-directory';
import { HookEpisodes } from './hook-episodes';
import { obstacle } from './hook-report';
import { SourceHooks } from './source-hooks';
import { SourceHooksRepository } from './source-hooks.repository';

const EVERY_MS = 10 * 60_000;
/** Milliseconds until a source is checked again, and until it is where its API could not say. */
export const DAILY_MS = 24 * 3_600_000;
const HOURLY_MS = 3_600_000;

/**
 * Checks once a day whether providers still have the webhooks of the sources that were connected with `ponte sources connect`,
 * and says what is wrong. It changes nothing there. Any number of replicas may run: one at a time checks a source.
 */
@Injectable()
export class HookCheck implements OnModuleInit {
  private readonly logger = new Logger('source-hooks');
  private readonly runs = new ScheduledRun(
    () => this.check(),
    (error) =>
      this.logger.warn({
        msg: 'source hooks: the webhooks at providers could not be checked; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly settings: Settings,
    private readonly sources: SourceDirectory,
    private readonly hooks: SourceHooks,
    private readonly episodes: HookEpisodes,
    private readonly rows: SourceHooksRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'ponte_source_hooks_wrong',
      'Sources whose webhooks were not registered at their provider as they have to be when they were checked last',
      () => this.rows.countWrong(this.candidates().map(({ id }) => id)),
    );
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('source-hooks', EVERY_MS)
  async tick(): Promise<void> {
    if (this.settings.role === 'api') return;
    await this.runs.tick();
  }

  /** Checks every source whose day is over. @returns how many were checked */
  async check(): Promise<number> {
    const candidates = new Map(this.candidates().map((source) => [source.id, source]));
    if (candidates.size === 0) return 0;
    let checked = 0;
    for (;;) {
      const id = await this.rows.leaseDue([...candidates.keys()]);
      const source = id === undefined ? undefined : candidates.get(id);
      if (!source) return checked;
      await this.checkOne(source);
      checked += 1;
    }
  }

  /** Whatever happens, the lease is given back. */
  private async checkOne(source: LiveSource): Promise<void> {
    let againMs = HOURLY_MS;
    try {
      const report = await this.hooks.report(source);
      if (report.reason !== undefined && !report.needsPerson) return;
      await this.episodes.note(source, report);
      againMs = DAILY_MS;
    } finally {
      await this.rows.release(source.id, againMs);
    }
  }

  /** Those that can be checked at all; a paused one refuses its webhooks, and a provider may well switch them off. */
  private candidates(): LiveSource[] {
    const { publicUrl } = this.settings;
    return this.sources.all().filter((source) => !source.paused && !obstacle(publicUrl, source));
  }
}
