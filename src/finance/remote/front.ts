import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { keyedRequest } from '../idempotency/keyed-request';
import type { OperationId } from '../operations';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import { FinanceWire, type WireCall, type WireOutcome } from '../wire/finance-wire';
import type { CallName, CallResult } from './call';
import { Calls } from './calls';
import { FinanceConnections } from './connections';
import { listQuery, partOf } from './remote-page';
import { problemOf } from './remote-problem';
import { wireBody } from './wire-body';

/** How long a repeated request waits for the first with its key, as on Ponte's own books. */
const LONGEST_WAIT_MS = 2_000;
const LOOK_AGAIN_MS = 50;

type Path = Readonly<Record<string, string>>;

/**
 * `/v1` in front of a remote finance service: what was checked here is passed on, what comes back is given back.
 * Writes go through {@link Calls}, so that one which is not answered is known, looked into, and never made twice
 * under one `Idempotency-Key`.
 */
@Injectable()
export class RemoteFront {
  constructor(
    private readonly connections: FinanceConnections,
    private readonly calls: Calls,
    private readonly wire: FinanceWire,
    private readonly clock: Clock,
  ) {}

  /** @returns the new record's UUID @throws Problem what the service refuses; see {@link change} */
  async create(organization: Organization, id: OperationId, body: object): Promise<string> {
    const { id: made } = await this.write(organization, {
      operation: id,
      body: wireBody(body, organization),
    });
    if (made === undefined) throw new Error('a creation that took effect names what it made');
    return made;
  }

  /**
   * @throws Problem what the service refuses; `finance-unreachable` when the request surely took no effect;
   *   `outcome-unknown` when nobody can tell yet
   */
  async change(organization: Organization, id: OperationId, path: Path, body?: object): Promise<void> {
    await this.write(organization, {
      operation: id,
      path,
      ...(body && { body: wireBody(body, organization) }),
    });
  }

  async page<T>(organization: Organization, id: OperationId, list: ListRequest): Promise<ListPart<T>> {
    return partOf<T>((await this.read(organization, id, {}, listQuery(list))) as never);
  }

  async record<T>(organization: Organization, id: OperationId, path: Path, query: Path = {}): Promise<T> {
    return (await this.read(organization, id, path, query)) as T;
  }

  /** @throws Problem `finance-unreachable`, `finance-misbehaved`, or what the service refuses */
  private async read(organization: Organization, id: OperationId, path: Path, query: Path): Promise<unknown> {
    const connection = await this.connections.of(organization);
    return valueOf(await this.wire.call(connection, { operation: id, path, query }));
  }

  private async write(organization: Organization, call: WireCall): Promise<{ id?: string }> {
    const connection = await this.connections.of(organization);
    const request = keyedRequest();
    const effectKey = request ? `v1/key/${request.key}` : `v1/${newId()}`;
    const name: CallName = { organizationId: organization.id, effectKey, part: 1 };
    if (request) request.state = 'begun';
    const ask = (): Promise<CallResult> => this.calls.make(connection, name, call);
    const result = request ? await untilKnown(ask) : await ask();
    if (result.state !== 'applied') throw this.problemOf(result);
    if (request) request.state = result.earlier ? 'replayed' : 'written';
    return result.output;
  }

  private problemOf(result: Exclude<CallResult, { state: 'applied' }>): Problem {
    switch (result.state) {
      case 'refused':
        return problemOf(result.problem);
      case 'not-arrived':
        return new Problem('finance-unreachable', `nothing was changed: ${result.reason}`, {
          retryAfterSeconds: this.secondsUntil(result.until),
        });
      case 'unknown':
        return new Problem('outcome-unknown', `it is being looked into: ${result.reason}`, {
          retryAfterSeconds: this.secondsUntil(result.until),
          members: { effectId: result.callId },
        });
      case 'parked':
      case 'abandoned':
        return new Problem('outcome-unknown', `an operator decides: ${result.reason}`, {
          members: { effectId: result.callId },
        });
    }
  }

  private secondsUntil(until: Date): number {
    return Math.max(1, Math.ceil((until.getTime() - this.clock.now().getTime()) / 1000));
  }
}

/** A request that another with its key is ahead of waits a moment for that one's answer. */
async function untilKnown(ask: () => Promise<CallResult>): Promise<CallResult> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  let result = await ask();
  while (result.state === 'unknown' && performance.now() < deadline) {
    await pause(LOOK_AGAIN_MS);
    result = await ask();
  }
  return result;
}

function valueOf(outcome: WireOutcome): unknown {
  switch (outcome.kind) {
    case 'succeeded':
      return outcome.value;
    case 'refused':
      throw problemOf(outcome.problem);
    case 'not-arrived':
      throw new Problem('finance-unreachable', `the finance service cannot be reached: ${outcome.reason}`, {
        retryAfterSeconds: Math.ceil((outcome.retryAfterMs ?? 1_000) / 1000),
      });
    case 'unknown':
      throw outcome.status === undefined
        ? new Problem('finance-unreachable', `the finance service did not answer: ${outcome.reason}`)
        : new Problem('finance-misbehaved', `the finance service answered ${outcome.reason}`);
  }
}
