import { Injectable } from '@nestjs/common';
import { Problem } from '../../../kernel/problem';
import { isRefused } from '../../api/ports/outcome';
import type { StoredCall } from '../calls/call-states';
import { FinanceConnections } from '../connections/connections';
import { isFollowing } from '../../effects/customer-followers';
import { followShop } from './follow-shop';
import { wroteOff } from './write-off';
import { REMOTE_HANDLERS } from './handlers';
import {
  type MadeSchedules,
  type RemoteEffectHandler,
  type RemoteEffectResult,
  RemoteEffectTools,
} from './remote-effect';
import { NotYetShown, Unreadable } from '../reads/remote-reads';
import type { FinanceConnection } from '../client/connection';
import { FinanceClient } from '../client/finance-client';
import { EFFECT_UNKNOWN, type EffectRequest, type EffectResult } from '../../api/effects/effect';
import { attempt } from '../../api/effects/effect-input';
import { type BooksOperation, isOutside } from '../../api/effects/registry';
import { contentDiffers } from '../../effects/content-differences';
import { findPlannedBefore } from '../../effects/planned-before.repository';
import { customerDiffers } from '../../effects/booked-customers.repository';
import {
  concludeEffect,
  type EffectRecord,
  findEffects,
  idOfApplied,
  intendEffect,
  keyOf,
} from '../../effects/effects.repository';
import {
  amountDiffers,
  existing,
  mayBeWrittenOff,
  notBooked,
  otherOperation,
  readAmount,
  refusal,
} from '../../effects/existing-effect';
import { RemoteEffectApplier } from '../../api/effects/remote-effect-applier.port';
import { foundEffect, isFinding, wantedRecords } from '../../effects/found-effect';

/** Milliseconds before a service that could not be read is asked again. */
const READ_AGAIN_MS = 5_000;
/** Milliseconds until a service that nobody has connected yet is asked for again. */
const CONNECT_MS = 30_000;

/**
 * Applies effects to a remote finance service, each as one or more calls. The record of an effect is intended
 * before its first call and applied after its last; what came of each call is kept with the call.
 */
@Injectable()
export class EffectsRemote extends RemoteEffectApplier {
  constructor(
    private readonly connections: FinanceConnections,
    private readonly client: FinanceClient,
    private readonly tools: RemoteEffectTools,
  ) {
    super();
  }

  override async apply(request: EffectRequest, deliveryId: string): Promise<EffectResult> {
    const result = await this.applyOnce(request, deliveryId);
    return isFollowing(request) ? followShop(this.tools, request, result) : result;
  }

  private async applyOnce(request: EffectRequest, deliveryId: string): Promise<EffectResult> {
    const reading = attempt(() => ({ amountMinor: readAmount(request) }));
    if (isRefused(reading)) return refusal(reading);
    if (isFinding(request)) return this.find(request);
    const connection = await orProblem(this.connections.of(request.organization));
    if (isRefused(connection)) return this.later(CONNECT_MS, connection.detail);
    const booked = await this.booked(request);
    if (booked) return booked;
    const record = await this.intend(request, reading.amountMinor);
    if (record.state === 'applied') {
      const result = appliedBefore(request, reading.amountMinor, record);
      if (result.state !== 'existing') return result;
      const before = await findPlannedBefore(this.tools.database.prisma, [record]);
      const attention = [...result.attention, ...contentDiffers(request, before.get(keyOf(record)))];
      const writeOff = mayBeWrittenOff(request, { ...result, attention });
      const isWrittenOff = writeOff !== undefined && (await wroteOff(this.tools, writeOff));
      return { ...result, attention: isWrittenOff ? [] : attention };
    }
    const other = otherOperation(request, record);
    if (other) return other;
    const { schedules, ...result } = await this.advance(request, connection, deliveryId);
    if (result.state === 'pending') return result;
    await this.conclude(request, result, schedules);
    if (result.state === 'refused') return result;
    const differs = amountDiffers(request, reading.amountMinor, record.amountMinor ?? undefined);
    return { ...result, attention: [...result.attention, ...differs] };
  }

  override backoffMs(organizationId: string): number {
    return this.client.closedForMs(organizationId);
  }

  override isDown(organizationId: string): boolean {
    return this.client.isDown(organizationId);
  }

  override async callsAtOnce(organizationId: string): Promise<number> {
    // Asking for an effect answers what is wrong; the work of other organizations goes on.
    const connection = await this.connections.of({ id: organizationId }).catch(() => undefined);
    return connection?.limits.atOnce ?? 1;
  }

  private async find(request: EffectRequest): Promise<EffectResult> {
    const records = await this.tools.database.transaction((tx) => findEffects(tx, wantedRecords(request)));
    return foundEffect(request, records);
  }

  /**
   * The customer whom the order is booked for already, where it is not the one that the effect stands for. The interface
   * has no operation that changes a customer: a document that comes later is entered by a person.
   * @returns undefined: the effect goes its own way
   */
  private async booked({
    organization,
    effect,
    bookedAs = [],
    onlyIfBooked,
  }: EffectRequest): Promise<EffectResult | undefined> {
    if (effect.operation !== 'customer.ensure') return undefined;
    for (const key of bookedAs) {
      const id = debtorOf(await this.tools.store.ofEffect(this.tools.database.prisma, organization.id, key));
      if (id === undefined) continue;
      const name = { organizationId: organization.id, key: effect.key };
      const own = onlyIfBooked === undefined ? await idOfApplied(this.tools.database, name) : undefined;
      if (own?.toLowerCase() === id) return undefined;
      const why =
        onlyIfBooked ??
        (effect.input.document === undefined
          ? undefined
          : 'a later event names a document that the customer was not made with; enter it in the finance service');
      return { state: 'existing', output: { id }, attention: why === undefined ? [] : customerDiffers(why) };
    }
    return onlyIfBooked === undefined ? undefined : notBooked(onlyIfBooked);
  }

  private intend(request: EffectRequest, amountMinor: bigint | undefined): Promise<EffectRecord> {
    const { organization, effect, runId, step } = request;
    const { key, operation } = effect;
    const record = { organizationId: organization.id, key, operation, amountMinor, runId, step };
    return intendEffect(this.tools.database, record, this.tools.clock.now());
  }

  private async advance(
    { organization, effect }: EffectRequest,
    connection: FinanceConnection,
    deliveryId: string,
  ): Promise<RemoteEffectResult> {
    if (isOutside(effect.operation)) throw new Error('what leaves the process is applied by no backend');
    const handler = REMOTE_HANDLERS[effect.operation as BooksOperation] as RemoteEffectHandler<unknown>;
    const { key, input } = effect;
    const { tools } = this;
    try {
      return await handler({ connection, organization, key, input, deliveryId, tools });
    } catch (error) {
      if (error instanceof Problem) return refusal(error);
      if (error instanceof NotYetShown)
        return { state: 'pending', until: error.until, reason: error.message };
      if (!(error instanceof Unreadable)) throw error;
      return this.later(Math.max(READ_AGAIN_MS, this.backoffMs(organization.id)), error.message);
    }
  }

  private later(milliseconds: number, reason: string): EffectResult {
    return { state: 'pending', until: new Date(this.tools.clock.now().getTime() + milliseconds), reason };
  }

  private async conclude(
    { organization, effect: { key } }: EffectRequest,
    result: Exclude<EffectResult, { state: 'pending' }>,
    schedules: MadeSchedules | undefined,
  ): Promise<void> {
    const organizationId = organization.id;
    const now = this.tools.clock.now();
    if (result.state === 'refused') {
      const { code, reason } = result;
      const state = code === EFFECT_UNKNOWN ? 'unknown' : 'refused';
      await concludeEffect(
        this.tools.database.prisma,
        { organizationId, key },
        { state, output: {}, reason },
        now,
      );
      return;
    }
    const { output, attention } = result;
    const conclusion = { state: 'applied', output, attention } as const;
    if (!schedules) {
      await concludeEffect(this.tools.database.prisma, { organizationId, key }, conclusion, now);
      return;
    }
    await this.tools.database.transaction(async (tx) => {
      await this.tools.store.putSchedules(tx, organizationId, schedules.stakeholderId, schedules.ids);
      await this.tools.store.complete(tx, schedules.callId, output);
      await concludeEffect(tx, { organizationId, key }, conclusion, now);
    });
  }
}

/** Whom a receivable is, or will be, asked of: what was decided when its call was written counts. */
function debtorOf(calls: readonly StoredCall[]): string | undefined {
  const [call] = calls.filter(({ state, abandonedFrom }) => state !== 'rejected' && !abandonedFrom);
  const { stakeholderId } = (call?.content.body ?? {}) as { stakeholderId?: unknown };
  return typeof stakeholderId === 'string' ? stakeholderId.toLowerCase() : undefined;
}

/** What an effect comes to that is applied. A run that was interrupted gets the result it had before. */
function appliedBefore(
  request: EffectRequest,
  amountMinor: bigint | undefined,
  record: EffectRecord,
): EffectResult {
  const result = existing(request, amountMinor, record);
  const isOwn = record.runId === request.runId && record.step === request.step;
  if (!isOwn || !('attention' in result)) return result;
  return { ...result, state: 'applied', attention: [...(record.attention ?? []), ...result.attention] };
}

async function orProblem<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
