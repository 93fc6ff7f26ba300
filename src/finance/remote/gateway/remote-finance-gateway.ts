import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SharedClock } from '../../../kernel/clock';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import { keyedRequest } from '../../api/idempotency/keyed-request';
import type { OperationId, ServedOperation } from '../../api/operations/operations';
import type { ListRequest } from '../../api/shapes/lists.dto';
import type { FinanceConnection } from '../client/connection';
import { FinanceClient, type AttemptOutcome } from '../client/finance-client';
import { orderOf } from '../client/list-order';
import type { CallContent, CallName, CallResult, Evidence } from '../calls/call';
import { Calls } from '../calls/calls';
import { FinanceConnections } from '../connections/connections';
import { KeyedMutex } from '../../../kernel/keyed-mutex';
import { type ReadCall, ReadCache } from '../reads/read-cache';
import { Unanswered } from '../reads/remote-reads';
import { CallEvidence } from '../reconciliation/call-evidence';
import { listQuery, partOf } from '../reads/remote-page';
import { keyRefused, problemOf } from '../calls/call-problem';
import { wireBody } from './wire-body';

/** How long a repeated request waits for the first with its key, and the answer then: as on Ponte's own books. */
const LONGEST_WAIT_MS = 2_000;
const IN_USE = 'A request with this Idempotency-Key is still under way';
const ASK_AGAIN_MS = 50;

type Path = Readonly<Record<string, string>>;

/**
 * `/v1` in front of a remote finance service: what was checked here is passed on, what comes back is given back.
 * Writes go through {@link Calls}, so that one which is not answered is known, read back, and never made twice
 * under one `Idempotency-Key`.
 */
@Injectable()
export class RemoteFinanceGateway {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly connections: FinanceConnections,
    private readonly calls: Calls,
    private readonly client: FinanceClient,
    private readonly cache: ReadCache,
    private readonly evidence: CallEvidence,
    private readonly clock: SharedClock,
  ) {
    calls.onMade((organizationId) => cache.forget(organizationId));
  }

  /**
   * Does one operation of `/v1`.
   * @param bodyOrList the body as it was read of a request that changes something, the options of a list
   * @returns the new record's UUID, a part of a list, a list, a record, or nothing, as the operation answers
   * @throws Problem what the service refuses; `finance-unreachable` when the request surely took no effect;
   *   `outcome-unknown` when nobody knows yet; `finance-misbehaved`
   */
  async perform(
    organization: Organization,
    { id, response }: ServedOperation,
    path: Path,
    bodyOrList?: object,
  ): Promise<unknown> {
    switch (response) {
      case 'page': {
        const list = bodyOrList as ListRequest;
        return partOf((await this.list(organization, id, path, list)) as never, list);
      }
      case 'array':
        return this.list(organization, id, path, bodyOrList as ListRequest);
      case 'record':
        return this.read(organization, id, path, filterOf(bodyOrList));
      case 'identifier':
      case 'none': {
        const output = await this.write(organization, id, path, bodyOrList);
        if (response === 'identifier' && output.id === undefined)
          throw new Error('a creation that took effect names what it made');
        return output.id;
      }
    }
  }

  /** Reads one account of the service itself. @throws Problem as {@link perform} */
  async tryOut(organization: Organization): Promise<void> {
    const query = listQuery({ top: 1 });
    const call = { operation: 'accounts.list', query } as const;
    valueOf(call.operation, await this.client.tryNow(await this.connections.of(organization), call));
  }

  /** In an order that the next page can be asked for in; the first page as it comes where the service takes none. */
  private async list(
    organization: Organization,
    id: OperationId,
    path: Path,
    list: ListRequest,
  ): Promise<unknown> {
    const { orderBy, skip, skipToken, fresh } = list;
    try {
      return await this.read(organization, id, path, listQuery(list, orderOf(id)), fresh);
    } catch (error) {
      const refused = error instanceof Problem && error.code === 'malformed-request';
      if (!refused || orderBy !== undefined || skip > 0 || skipToken !== undefined) throw error;
      return this.read(organization, id, path, listQuery(list), fresh);
    }
  }

  private async read(
    organization: Organization,
    id: OperationId,
    path: Path,
    query: Path,
    fresh = false,
  ): Promise<unknown> {
    const connection = await this.connections.of(organization);
    const call = { operation: id, path, query };
    if (fresh) return this.askService(connection, call);
    return this.cache.read(connection, call, () => this.askService(connection, call));
  }

  /** @throws Problem `finance-unreachable`, `finance-misbehaved`, or what the service refuses */
  private async askService(connection: FinanceConnection, call: ReadCall): Promise<unknown> {
    return valueOf(call.operation, await this.client.call(connection, call));
  }

  private async write(
    organization: Organization,
    operation: OperationId,
    path: Path,
    body: object | undefined,
  ): Promise<{ id?: string }> {
    const connection = await this.connections.of(organization);
    const request = keyedRequest();
    const effectKey = request ? `v1/key/${request.key}` : `v1/${newId()}`;
    const name: CallName = { organizationId: organization.id, effectKey, part: 1 };
    if (request) request.state = 'begun';
    const call: CallContent = {
      operation,
      path,
      ...(body && { body: wireBody(body, organization) }),
      ...(request && { digest: request.digest.toString('hex') }),
    };
    const result = await this.ask(connection, organization, name, call);
    if (result.state !== 'applied') throw this.problemOf(operation, result);
    if (request) request.state = result.earlier ? 'replayed' : 'written';
    return result.output;
  }

  /** Requests with one key wait for each other, and so does what another call is ahead of. */
  private ask(
    connection: FinanceConnection,
    organization: Organization,
    name: CallName,
    call: CallContent,
  ): Promise<CallResult> {
    const { organizationId, effectKey } = name;
    const { totalMs } = connection.timeouts;
    const started = performance.now();
    const evidence = (): Promise<Evidence> => this.evidenceOf(connection, organization, call);
    const ask = (longestMs: number): Promise<CallResult> =>
      untilDecided(() => this.calls.make(connection, name, call, { evidence }), started, longestMs);
    const afterQueue = async (): Promise<CallResult> => {
      const result = await ask(0);
      if (!isQueued(result)) return result;
      return this.mutex.run(`${organizationId}/${call.path?.['ScheduleId']}`, totalMs, () => ask(totalMs));
    };
    return call.digest === undefined
      ? afterQueue()
      : this.mutex.run(`${organizationId}/${effectKey}`, LONGEST_WAIT_MS, afterQueue);
  }

  /** @throws Problem `finance-unreachable`: a write whose outcome could not be found out afterwards is not sent */
  private async evidenceOf(
    connection: FinanceConnection,
    organization: Organization,
    call: CallContent,
  ): Promise<Evidence> {
    try {
      return await this.evidence.before({ connection, organization, content: call });
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      const restSeconds = Math.ceil(this.client.closedForMs(organization.id) / 1000);
      throw new Problem('finance-unreachable', `nothing was changed: ${error.message}`, {
        retryAfterSeconds: Math.max(1, restSeconds),
      });
    }
  }

  private problemOf(id: OperationId, result: Exclude<CallResult, { state: 'applied' }>): Problem {
    switch (result.state) {
      case 'rejected':
        return problemOf(id, result.problem);
      case 'planned':
        if (result.keyRefused) return keyRefused();
        return new Problem('finance-unreachable', `nothing was changed: ${result.reason}`, {
          retryAfterSeconds: this.secondsUntil(result.until),
        });
      case 'sending':
        return new Problem('idempotency-key-in-use', IN_USE, { retryAfterSeconds: 1 });
      case 'unknown':
        return new Problem(
          'outcome-unknown',
          `Ponte is finding out whether it took effect: ${result.reason}`,
          {
            retryAfterSeconds: this.secondsUntil(result.until),
            members: { effectId: result.callId },
          },
        );
      case 'needs-review':
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

/** Asks again for a while where another call is ahead. @param longestMs for one for the same record */
async function untilDecided(
  ask: () => Promise<CallResult>,
  started: number,
  longestMs: number,
): Promise<CallResult> {
  for (;;) {
    const result = await ask();
    if (performance.now() - started >= patienceFor(result, longestMs)) return result;
    await pause(ASK_AGAIN_MS);
  }
}

/** Of the options of a list the filter alone, for one record of it. */
function filterOf(list: Partial<ListRequest> = {}): Path {
  return listQuery(list.filter === undefined ? {} : { filter: list.filter });
}

function isQueued(result: CallResult): boolean {
  return result.state === 'planned' && result.queued === true;
}

function patienceFor(result: CallResult, longestMs: number): number {
  if (isQueued(result)) return longestMs;
  return result.state === 'sending' ? LONGEST_WAIT_MS : 0;
}

function valueOf(id: OperationId, outcome: AttemptOutcome): unknown {
  switch (outcome.kind) {
    case 'succeeded':
      return outcome.value;
    case 'refused':
      throw problemOf(id, outcome.problem);
    case 'not-sent':
      throw new Problem('finance-unreachable', `the finance service cannot be reached: ${outcome.reason}`, {
        retryAfterSeconds: Math.ceil((outcome.retryAfterMs ?? 1_000) / 1000),
      });
    case 'unknown':
      throw outcome.status === undefined
        ? new Problem('finance-unreachable', `the finance service did not answer: ${outcome.reason}`)
        : new Problem('finance-misbehaved', answered(outcome.status, outcome.reason));
  }
}

/** @param reason the status alone, or words with the status behind them */
function answered(status: number, reason: string): string {
  const words = reason === String(status) ? '' : `: ${reason.replace(` (${status})`, '')}`;
  return `the finance service answered ${status}${words}`;
}
