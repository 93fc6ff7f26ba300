import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { newId } from '../../kernel/identifier';
import type { ChangeRequest, HookRegistration, WantedHook } from '../../sources/hook-registration';
import { UnreadablePayload } from '../../sources/payload';
import type { LiveSource } from '../source-directory';
import { accessOf, type ChangeOutcome, HookApi } from './hook-api';
import { type PlannedHook, planHooks } from './hook-plan';
import { hookAddress, type HookReport, obstacle, wantedOf } from './hook-report';
import { SourceHooksRepository } from './source-hooks.repository';

/** What came of one step of a plan. */
export interface HookStep {
  readonly action: 'create' | 'repair';
  readonly topics: readonly string[];
  /** `unknown`: it may have been done, and the list does not show it. */
  readonly outcome: 'done' | 'refused' | 'unknown';
  /** Why it is not simply done; what a person has to do, too. */
  readonly reason: string | null;
}

/** Stores a secret that a provider made, before anything else is done. */
export type KeepSecret = (secret: string) => Promise<void>;

const NO_SECRET =
  'its signing secret did not come with the answer: look it up at the provider and add it as a secret of this source';

/** What is registered for a source at its provider, and its repair. Nothing that is not the source's is ever changed. */
@Injectable()
export class SourceHooks {
  constructor(
    private readonly settings: Settings,
    private readonly api: HookApi,
    private readonly rows: SourceHooksRepository,
  ) {}

  /** Compares what is registered with what has to be; changes nothing. */
  async report(source: LiveSource): Promise<HookReport> {
    const { publicUrl } = this.settings;
    const { title, hooks: registration } = source.provider;
    const because = obstacle(publicUrl, source);
    const address = hookAddress(publicUrl, source);
    if (because || !registration || !address)
      return because ?? { registers: false, missingCredentials: [], hooks: [] };
    const listing = await this.api.list(source, registration);
    const nothing = { registers: true, missingCredentials: [], hooks: [] };
    if ('trouble' in listing)
      return {
        ...nothing,
        reason: `the API of ${title} ${listing.trouble.reason}`,
        needsPerson: listing.trouble.needsPerson,
      };
    const { known } = await this.rows.of(source.id);
    return { ...nothing, hooks: planHooks(listing.hooks, wantedOf(registration, source, address, known)) };
  }

  /**
   * Does what a plan says, one webhook after another. Whoever calls it has the lease of the source's webhooks.
   * @param plan of {@link report}, made since the lease was taken
   */
  async repair(source: LiveSource, { hooks }: HookReport, keepSecret: KeepSecret): Promise<HookStep[]> {
    const steps: HookStep[] = [];
    for (const hook of hooks) {
      if (hook.action === null) continue;
      const { step, endsAll } = await this.carryOut(source, { ...hook, action: hook.action }, keepSecret);
      steps.push(step);
      if (endsAll) break;
    }
    return steps;
  }

  private async carryOut(
    source: LiveSource,
    hook: PlannedHook & { action: 'create' | 'repair' },
    keepSecret: KeepSecret,
  ): Promise<{ step: HookStep; endsAll: boolean }> {
    const { action, topics } = hook;
    const { hooks: registration, title } = source.provider;
    const address = hookAddress(this.settings.publicUrl, source);
    if (!registration || !address) throw new Error('a plan was made where nothing can be registered');
    const secret = registration.secret === 'given' ? source.secrets[0] : undefined;
    const wanted: WantedHook = {
      ...{ address: address.whole, topics, key: newId() },
      ...(secret !== undefined && { secret }),
    };
    const request = requestFor(registration, source, hook, wanted);
    const outcome = await this.once(source, registration, hook, request);
    const step = { action, topics };
    if (outcome.state !== 'done') {
      const { state, reason } = outcome;
      const endsAll = state === 'unknown' || outcome.endsAll;
      return { step: { ...step, outcome: state, reason: `the API of ${title} ${reason}` }, endsAll };
    }
    if (action === 'repair' || registration.secret !== 'answered')
      return { step: { ...step, outcome: 'done', reason: null }, endsAll: false };
    const made = outcome.answer && secretIn(registration, outcome.answer);
    if (made !== undefined) await keepSecret(made);
    return {
      step: { ...step, outcome: 'done', reason: made === undefined ? NO_SECRET : null },
      endsAll: false,
    };
  }

  /**
   * Sends a change so that it takes effect once at most. Where nobody knows whether it did, what is registered says so; it is
   * sent again if that shows nothing, unless the API may still be at it.
   */
  private async once(
    source: LiveSource,
    registration: HookRegistration,
    hook: PlannedHook,
    request: ChangeRequest,
  ): Promise<Exclude<ChangeOutcome, { state: 'done' }> | { state: 'done'; answer?: Buffer }> {
    const first = await this.api.change(source, request);
    if (first.state !== 'unknown') return first;
    if (registration.createsOnce) {
      const again = await this.api.change(source, request);
      if (again.state === 'done') return again;
    }
    const { hooks, reason } = await this.report(source);
    if (reason !== undefined) return first;
    const now = hooks.find(
      ({ state, topics }) =>
        (state === 'fine' || state === 'secret-unknown') &&
        hook.topics.every((topic) => topics.includes(topic)),
    );
    if (now) return { state: 'done' };
    return first.isSlow || registration.createsOnce ? first : this.api.change(source, request);
  }
}

function requestFor(
  registration: HookRegistration,
  source: LiveSource,
  { registered }: PlannedHook,
  wanted: WantedHook,
): ChangeRequest {
  const access = accessOf(source);
  return registered ? registration.repair(access, registered, wanted) : registration.create(access, wanted);
}

function secretIn(registration: HookRegistration, answer: Buffer): string | undefined {
  try {
    return registration.readSecret?.(answer);
  } catch (error) {
    if (error instanceof UnreadablePayload) return undefined;
    throw error;
  }
}
