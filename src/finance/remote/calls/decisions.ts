import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../database/transaction';
import { SharedClock } from '../../../kernel/clock';
import { isUuid } from '../../../kernel/identifier';
import { Problem, unacceptable } from '../../../kernel/problem';
import type { EffectOutput } from '../../api/effects/effect';
import { notFound } from '../../api/ports/not-found';
import { operation } from '../../api/operations/operations';
import { type CallChange, CREATING, isRequest, type StoredCall } from './call-states';
import { CallsRepository } from './calls.repository';

/** A call before and after a person decided, for the audit log. */
export interface Decided {
  readonly before: StoredCall;
  readonly after: StoredCall;
}

/**
 * What people decide of calls whose outcome nothing tells. Each decision belongs to the caller's transaction,
 * with its entry in the audit log, and lets the deliveries that wait for the call go on. All throw Problem
 * `not-found`, and `conflict` when the call is not in a state to be decided on.
 */
@Injectable()
export class CallDecisions {
  constructor(
    private readonly repository: CallsRepository,
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
      if (call.state !== 'unknown' && !mayBeThere(call)) throw settled(call);
      const output = adopted(call, recordId);
      return { state: 'applied', nextAt: null, parkedAt: null, abandonedAt: null, reason, output };
    });
  }

  /** It took no effect: it is sent again, or, for a request to `/v1`, may be by whoever sent it. */
  async repeat(tx: Transaction, organizationId: string, callId: string, reason: string): Promise<Decided> {
    return this.decide(tx, organizationId, callId, (call) => {
      if (call.abandonedAt) throw new Problem('conflict', 'the call was abandoned and is never sent again');
      if (call.state !== 'unknown' || !call.parkedAt) throw settled(call);
      const again = isRequest(call)
        ? ({ state: 'refused', nextAt: null } as const)
        : ({ state: 'planned', nextAt: this.clock.now() } as const);
      return { ...again, parkedAt: null, looks: 0, reason };
    });
  }

  /** Whether it took effect or not, it is never sent again. */
  async abandon(tx: Transaction, organizationId: string, callId: string, reason: string): Promise<Decided> {
    return this.decide(tx, organizationId, callId, (call) => {
      const open = call.state === 'unknown' || call.state === 'planned';
      if (!open || call.abandonedAt) throw settled(call);
      const now = this.clock.now();
      return call.state === 'unknown'
        ? { abandonedAt: now, parkedAt: now, nextAt: null, reason }
        : { abandonedAt: now, reason };
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
    await this.repository.change(tx, before, change, now);
    await this.repository.revive(tx, before);
    return { before, after: { ...before, ...change } };
  }
}

/** A creation that was refused because what it makes is there already, perhaps: a person may name that. */
function mayBeThere(call: StoredCall): boolean {
  return (
    call.state === 'refused' && !call.abandonedAt && !isRequest(call) && CREATING.has(call.content.operation)
  );
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

function settled({ state, abandonedAt, parkedAt }: StoredCall): Problem {
  const how = abandonedAt ? 'abandoned' : state === 'unknown' && !parkedAt ? 'still being read back' : state;
  return new Problem('conflict', `the call is ${how}: there is nothing to decide`);
}
