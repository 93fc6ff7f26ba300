import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { Catalog } from '../../deliveries/catalog';
import { HookEpisodes } from '../../deliveries/registered-hooks/hook-episodes';
import {
  hookAddress,
  type HookAddress,
  type HookReport,
  planName,
  shownAddress,
} from '../../deliveries/registered-hooks/hook-report';
import type { PlannedHook } from '../../deliveries/registered-hooks/hook-plan';
import { type HookStep, SourceHooks } from '../../deliveries/registered-hooks/source-hooks';
import { SourceHooksRepository } from '../../deliveries/registered-hooks/source-hooks.repository';
import { type LiveSource, SourceDirectory } from '../../deliveries/source-directory';
import type { Actor } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { Problem, unacceptable } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import type { RegisteredHookView, RepairHooksBody, SourceHooksView } from './hooks.dto';
import { SourceAdministration } from './source-administration';
import { MOST_SECRETS } from './sources.dto';

/** Shows the webhooks that a provider has for a source, and has them repaired, with the audit log. No secret leaves it. */
@Injectable()
export class SourceHookAdministration {
  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly catalog: Catalog,
    private readonly directory: SourceDirectory,
    private readonly hooks: SourceHooks,
    private readonly rows: SourceHooksRepository,
    private readonly episodes: HookEpisodes,
    private readonly sources: SourceAdministration,
    private readonly audit: AuditRepository,
  ) {}

  /** Asks the provider, and changes nothing. @throws Problem not-found */
  async show(organization: Organization, slug: string): Promise<SourceHooksView> {
    const source = await this.find(organization, slug);
    return this.view(source, await this.hooks.report(source));
  }

  /**
   * Does what a dry run said, and nothing else.
   * @throws Problem not-found, validation-failed; conflict where nothing can be done, something else would be done, or it is
   *   being done
   */
  async repair(actor: Actor, slug: string, body: RepairHooksBody): Promise<SourceHooksView> {
    const { dryRun = true, plan, reason } = body;
    if (dryRun) return this.show(actor.organization, slug);
    if (plan === undefined)
      throw unacceptable('/plan', 'required', 'is needed to repair webhooks: ask for the plan first');
    const source = await this.find(actor.organization, slug);
    if (!(await this.rows.lease(source.id)))
      throw new Problem(
        'conflict',
        'The webhooks of this source are being checked or repaired; try again in a few minutes',
      );
    try {
      return await this.repairLeased(actor, source, plan, reason);
    } finally {
      await this.rows.release(source.id);
    }
  }

  private async repairLeased(
    actor: Actor,
    source: LiveSource,
    plan: string,
    reason: string | null | undefined,
  ): Promise<SourceHooksView> {
    const before = await this.hooks.report(source);
    if (before.reason !== undefined) throw new Problem('conflict', `Nothing was changed: ${before.reason}`);
    if (planName(before.hooks) !== plan)
      throw new Problem(
        'conflict',
        'Something else would be done by now. Nothing was; ask for the plan again',
        {
          members: { plan: planName(before.hooks) },
        },
      );
    refuseWithoutPlace(source, before);
    await this.record(actor, source, 'source.repair-hooks', before, { plan, steps: stepsOf(before) }, reason);
    const steps = await this.hooks.repair(source, before, async (secret) => {
      await this.sources.addSecret(actor, source.slug, secret, 'the provider made it with the webhook');
    });
    const now = await this.find(actor.organization, source.slug);
    const after = steps.length > 0 ? await this.hooks.report(now) : before;
    if (after.reason === undefined) await this.episodes.note(now, after);
    if (steps.length > 0)
      await this.record(actor, now, 'source.hooks-repaired', after, { steps: steps.map(plain) }, reason);
    return this.view(now, after, steps);
  }

  private async record(
    actor: Actor,
    source: LiveSource,
    action: string,
    { hooks }: HookReport,
    what: { plan?: string; steps: Record<string, string | null>[] },
    reason: string | null | undefined,
  ): Promise<void> {
    const states = hooks
      .filter(({ state }) => state !== 'foreign')
      .map(({ state, topics, registered }) => ({
        ...{ state, topics: topics.join(', '), id: registered?.id ?? null },
      }));
    const after = { ...what, hooks: states };
    await this.database.transaction((tx) =>
      this.audit.record(tx, actor, {
        action,
        subject: source.slug,
        after,
        ...(reason != null && { reason }),
      }),
    );
  }

  /** With what was changed on another replica a moment ago. @throws Problem not-found */
  private async find(organization: Organization, slug: string): Promise<LiveSource> {
    await this.catalog.refresh();
    const source = this.directory.find(organization.id, slug);
    if (!source || source.providerUnknown) throw new Problem('not-found', 'There is no such source');
    return source;
  }

  private view(source: LiveSource, report: HookReport, steps: readonly HookStep[] = []): SourceHooksView {
    const { registers, reason, missingCredentials, hooks } = report;
    const address = hookAddress(this.settings.publicUrl, source);
    return {
      registers,
      reason: reason ?? null,
      missingCredentials: missingCredentials.map((name) => ({
        name,
        description: source.provider.api?.credentials[name]?.description ?? '',
      })),
      address: address ? shownAddress(address.whole, address) : null,
      hooks: address ? hooks.map((hook) => viewOf(hook, address)) : [],
      plan: reason === undefined ? planName(hooks) : null,
      steps: steps.map((step) => ({ ...step, topics: [...step.topics] })),
      setUp: [...source.provider.setUp],
    };
  }
}

/** @throws Problem conflict where a secret would be made that the source has no place for */
function refuseWithoutPlace({ provider, secrets }: LiveSource, { hooks }: HookReport): void {
  const isMade = provider.hooks?.secret === 'answered' && hooks.some(({ action }) => action === 'create');
  if (isMade && secrets.length >= MOST_SECRETS)
    throw new Problem(
      'conflict',
      `The provider would make a secret, and at most ${MOST_SECRETS} are live at once; retire the old ones`,
    );
}

function stepsOf({ hooks }: HookReport): Record<string, string | null>[] {
  return hooks.flatMap(({ action, state, topics }) =>
    action === null ? [] : [{ action, state, topics: topics.join(', ') }],
  );
}

function plain({ action, topics, outcome, reason }: HookStep): Record<string, string | null> {
  return { action, topics: topics.join(', '), outcome, reason };
}

function viewOf(
  { state, action, topics, registered }: PlannedHook,
  address: HookAddress,
): RegisteredHookView {
  return {
    ...{ state, action, topics: [...topics] },
    id: registered?.id ?? null,
    address: registered ? shownAddress(registered.address, address) : null,
    enabled: registered?.enabled ?? null,
    problem: registered?.problem ?? null,
  };
}
