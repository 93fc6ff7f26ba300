import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../database/database';
import { Clock } from '../../kernel/clock';
import { AttentionRepository, type LeftToPerson } from '../../workflows/attention.repository';
import type { LiveSource } from '../source-directory';
import { type PlannedHook, problemOf } from './hook-plan';
import type { HookReport } from './hook-report';
import { SourceHooksRepository } from './source-hooks.repository';

/** Keeps what a listing of webhooks has shown, and lets a person know once for each time that something is wrong. */
@Injectable()
export class HookEpisodes {
  private readonly logger = new Logger('source-hooks');

  constructor(
    private readonly database: Database,
    private readonly rows: SourceHooksRepository,
    private readonly attention: AttentionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores what is wrong, raises an attention item when it begins and resolves it when it ends.
   * @param report with a reason where a person has to act: what was registered is kept as it was known
   */
  async note(source: LiveSource, { reason, hooks }: HookReport): Promise<void> {
    const problem = reason ?? problemOf(hooks) ?? null;
    const now = this.clock.now();
    const began = await this.database.transaction(async (tx) => {
      const { known, raised } = await this.rows.lock(tx, source.id);
      const seen = { known: reason === undefined ? idsOf(hooks) : known, problem };
      if (problem !== null && raised === null) {
        const detail = `${source.slug}: ${problem} (since ${now.toISOString()})`;
        await this.attention.record(tx, [itemOf(source, detail)], now);
        await this.rows.store(tx, source.id, seen, detail);
        return true;
      }
      if (problem === null && raised !== null)
        await this.attention.record(tx, [{ ...itemOf(source, raised), isDealtWith: true }], now);
      await this.rows.store(tx, source.id, seen, problem === null ? null : raised);
      return false;
    });
    if (began)
      this.logger.warn({
        msg: 'source hooks: the webhooks that a provider has for a source are not as they have to be; `ponte sources connect` shows and mends it',
        organization: source.organization.slug,
        source: source.slug,
        problem,
      });
  }
}

/** The hooks that are the source's. */
function idsOf(hooks: readonly PlannedHook[]): string[] {
  return hooks.flatMap(({ state, registered }) => (registered && state !== 'foreign' ? [registered.id] : []));
}

function itemOf({ organization, slug }: LiveSource, detail: string): LeftToPerson {
  return {
    organization,
    deliveryId: null,
    runId: null,
    businessKey: `source:${slug}:webhooks`,
    attention: { code: 'webhooks-not-registered', detail, amount: '0' },
  };
}
