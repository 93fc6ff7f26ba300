import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { SharedClock } from '../../../kernel/clock';
import { EFFECT_UNKNOWN, type EffectResult } from '../../api/effects/effect';
import type { Organization } from '../../../kernel/organization';
import type { FinanceConnection } from '../client/connection';
import type { CallContent, CallName, CallResult } from '../calls/call';
import { refusalOf } from '../calls/call-states';
import { CallStore } from '../calls/call-store.repository';
import { Calls } from '../calls/calls';
import { RemoteNames } from '../reads/remote-names';
import { RemoteReads } from '../reads/remote-reads';
import { OpenValues } from '../reconciliation/open-values';

/** What handlers of effects make calls and read a service with. */
@Injectable()
export class RemoteEffectTools {
  constructor(
    readonly calls: Calls,
    readonly store: CallStore,
    readonly reads: RemoteReads,
    readonly names: RemoteNames,
    readonly open: OpenValues,
    readonly database: Database,
    readonly clock: SharedClock,
  ) {}
}

/** An effect that is intended, on its way to a remote service. */
export interface RemoteEffect<Input> {
  readonly connection: FinanceConnection;
  readonly organization: Organization;
  readonly key: string;
  readonly input: Input;
  readonly deliveryId: string;
  readonly tools: RemoteEffectTools;
}

/** Schedules that an effect made, and whom they are about. */
export interface MadeSchedules {
  readonly stakeholderId: string;
  readonly ids: string[];
  readonly callId: string;
}

/** What came of an effect, and the schedules that it made. */
export type RemoteEffectResult = EffectResult & { readonly schedules?: MadeSchedules };

/**
 * How effects of one kind become calls. Asked again it goes on where it was.
 * @throws Problem when the effect is refused before anything is sent; Unreadable when it has to wait
 */
export type RemoteEffectHandler<Input> = (effect: RemoteEffect<Input>) => Promise<RemoteEffectResult>;

/** Makes the one call that an effect comes to, whose answer is its output. */
export async function makeOnly(effect: RemoteEffect<unknown>, content: CallContent): Promise<EffectResult> {
  const { connection, deliveryId, tools } = effect;
  const result = await tools.calls.make(connection, nameOf(effect), content, { deliveryId });
  return result.state === 'applied'
    ? { state: 'applied', output: result.output, attention: [] }
    : stalled(result);
}

export function nameOf(
  { organization, key }: Pick<RemoteEffect<unknown>, 'organization' | 'key'>,
  part = 1,
): CallName {
  return { organizationId: organization.id, effectKey: key, part };
}

/** How far an effect has come whose call has not been applied. */
export function stalled(result: Exclude<CallResult, { state: 'applied' }>): EffectResult {
  switch (result.state) {
    case 'rejected':
      return { state: 'refused', code: result.problem.code ?? 'finance-refused', reason: refusalOf(result) };
    case 'planned':
    case 'sending':
    case 'unknown':
      return { state: 'pending', until: result.until, reason: result.reason };
    case 'needs-review':
      return leftToOperator(result.callId, result.reason);
    case 'abandoned':
      return { state: 'refused', code: 'effect-abandoned', reason: result.reason };
  }
}

/**
 * As {@link undecided}, of a call that an operator adopts, repeats or abandons.
 * @param callId what the operator names it by: nothing else in a dead letter does
 */
export function leftToOperator(callId: string, reason: string): EffectResult {
  return undecided(`an operator has to adopt, repeat or abandon effect ${callId}: ${reason}`);
}

/** The refusal of an effect that only a person can decide about. */
export function undecided(reason: string): EffectResult {
  return { state: 'refused', code: EFFECT_UNKNOWN, reason };
}
