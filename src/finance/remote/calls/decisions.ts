import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../database/transaction';
import { SharedClock } from '../../../kernel/clock';
import { isUuid } from '../../../kernel/identifier';
import { Problem, unacceptable } from '../../../kernel/problem';
import type { EffectOutput } from '../../api/effects/effect';
import { notFound } from '../../api/ports/not-found';
import { operation } from '../../api/operations/operations';
import { next, transition } from './call-machine';
import { type StoredState, storedState } from './call-rows.sql';
import { type CallChange, CREATING, isRequest, repeated, type StoredCall } from './call-states';
import { CallStore } from './call-store.repository';
import { writeCall } from './call-writes.repository';

/** A call as it is stored, before or after a person decided. */
type Snapshot = Pick<StoredCall, 'id' | 'reason' | 'output'> & { readonly state: StoredState };

/** A call before and after a person decided, for the audit log. */
export interface Decided {
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/**
 * What people decide of calls whose outcome nothing tells. Each decision belongs to the caller's transaction,
 * with its entry in the audit log, and lets the deliveries that wait for the call go on. All throw Problem
 * `not-found`, and `conflict` when the call is not in a state to be decided on.
 */
@Injectable()
export class CallDecisions {
  constructor(
    private readonly repository: CallStore,
    private readonly clock: SharedClock,
  ) {}

  /**
   * It took effect, or what it makes is there without it. @param recordId UUID of the record it made; absent for an operation that answers with none
   * @throws Problem `validation-failed` when the operation makes a record and none is named, or the reverse
   */
  async adopt(
    tx: Transaction,
    organizationId: string,
    callId: string,
    recordId: string | undefined,
    reason: string,
  ): Promise<Decided> {
    return this.decide(tx, organizationId, callId, (call) => {
      if (!mayBeInEffect(call) && !mayBeThere(call)) throw settled(call);
      const output = adopted(call, recordId);
      return { state: next(call.state, 'adopted'), abandonedFrom: null, nextAt: null, reason, output };
    });
  }

  /** It took no effect: it is sent again, or, for a request to `/v1`, may be by whoever sent it. */
  async repeat(tx: Transaction, organizationId: string, callId: string, reason: string): Promise<Decided> {
    return this.decide(tx, organizationId, callId, (call) => {
      if (call.abandonedFrom) throw new Problem('conflict', 'the call was abandoned and is never sent again');
      if (call.state !== 'needs-review') throw settled(call);
      return { ...repeated(call, this.clock.now()), reason };
    });
  }

  /** Whether it took effect or not, it is never sent again. */
  async abandon(tx: Transaction, organizationId: string, callId: string, reason: string): Promise<Decided> {
    return this.decide(tx, organizationId, callId, (call) => {
      const state = transition(call.state, 'given-up');
      if (!state || call.abandonedFrom) throw settled(call);
      return call.state === 'planned'
        ? { state, abandonedFrom: 'planned', reason }
        : { state, abandonedFrom: 'unknown', nextAt: null, reason };
    });
  }

  private async decide(
    tx: Transaction,
    organizationId: string,
    callId: string,
    decision: (call: StoredCall) => CallChange,
  ): Promise<Decided> {
    const before = isUuid(callId) ? await this.repository.lockById(tx, callId, organizationId) : undefined;
    if (!before) throw notFound('call');
    const change = decision(before);
    const now = this.clock.now();
    await writeCall(tx, before, change, now);
    await this.repository.revive(tx, before);
    return { before: snapshot(before), after: snapshot({ ...before, ...change }) };
  }
}

function snapshot(call: StoredCall): Snapshot {
  return { id: call.id, reason: call.reason, output: call.output, state: storedState(call) };
}

function mayBeInEffect(call: StoredCall): boolean {
  return storedState(call) === 'unknown';
}

/** A creation that was refused because what it makes is there already, perhaps: a person may name that. */
function mayBeThere(call: StoredCall): boolean {
  return call.state === 'rejected' && !isRequest(call) && CREATING.has(call.content.operation);
}

function adopted({ content }: StoredCall, recordId: string | undefined): EffectOutput {
  const makes = operation(content.operation).response === 'identifier';
  if (!makes && recordId === undefined) return {};
  if (makes && recordId !== undefined && isUuid(recordId)) return { id: recordId.toLowerCase() };
  const sentence = makes
    ? 'the record that the call made must be named by its identifier'
    : 'the operation makes no record that could be named';
  throw unacceptable('/recordId', 'record', sentence);
}

function settled(call: StoredCall): Problem {
  const stored = call.state === 'unknown' ? 'still being read back' : storedState(call);
  const how = call.abandonedFrom ? 'abandoned' : stored;
  return new Problem('conflict', `the call is ${how}: there is nothing to decide`);
}
