import { lookup as systemLookup } from 'node:dns';
import type { BlockList, LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Clock } from '../../../kernel/clock';
import { traced } from '../../../kernel/tracing';
import { operation } from '../../api/operations/operations';
import { baseUrlProblem } from './addresses';
import { BREAKER_RULES, type BreakerRules, type Sign } from './breaker';
import type { FinanceConnection } from './connection';
import { sendRequest, WITHHELD } from './send-request';
import {
  type AttemptOutcome,
  type ClientCall,
  FinanceClient,
  leftAloneAfter,
  recordedOutcome,
  type CallPermit,
} from './finance-client';
import { classify } from './classify';
import type { RateLimiter } from './rate-limiter';
import { recordShape } from './records';
import type { Expected } from './reply-values';
import { connectionKey, ServiceClient, type ServiceClientOptions } from './service-client';
import { listRequestOf, requestOf, type FinanceRequest } from './finance-request';

export interface ClientOptions {
  /** Ponte's version, for `User-Agent`. */
  readonly version: string;
  /** Networks that are not public and may be reached all the same. */
  readonly allowedNetworks: BlockList;
  /** Absent: the system's. */
  readonly lookup?: LookupFunction;
  /** Certificates to trust in place of the system's. */
  readonly ca?: string;
  readonly breaker?: BreakerRules;
  /** Called after every request: its operation, its outcome as it is recorded, and seconds. */
  readonly onCall?: (operation: string, outcome: string, seconds: number) => void;
}

/** How long a service that turned a request away without saying until when is left alone. */
const THROTTLE_MS = 1_000;

const HEADER_TEXT = /^[\x21-\x7e]+$/;

/** A request with what its reply should hold. */
interface Task {
  /** Of the nineteen, or the extension. */
  readonly operation: string;
  readonly request: FinanceRequest;
  readonly expected: Expected;
  readonly isWrite: boolean;
  readonly onSend?: () => boolean;
}

/** {@link FinanceClient} over HTTP, with axios. */
export class HttpFinanceClient extends FinanceClient {
  private readonly logger = new Logger(HttpFinanceClient.name);
  private readonly services = new Map<string, ServiceClient>();
  private readonly userAgent: string;
  private readonly rules: ServiceClientOptions;

  constructor(
    private readonly rateLimiter: RateLimiter,
    private readonly clock: Clock,
    private readonly options: ClientOptions,
  ) {
    super();
    this.userAgent = `Ponte/${options.version}`;
    this.rules = {
      allowedNetworks: options.allowedNetworks,
      lookup: options.lookup ?? systemLookup,
      breaker: options.breaker ?? BREAKER_RULES,
      ...(options.ca !== undefined && { ca: options.ca }),
      onBreak: (organizationId, milliseconds, reason) =>
        this.logger.warn({
          msg: 'finance client: a finance service is down; no calls are sent to it for the time named',
          organizationId,
          milliseconds,
          reason,
        }),
    };
  }

  /** @throws Error when the call does not fit the operations table; what {@link RateLimiter} throws */
  override async call(connection: FinanceConnection, call: ClientCall): Promise<AttemptOutcome> {
    const isWrite = operation(call.operation).effect !== 'read';
    return this.withPermitOf(connection, isWrite, (permit) => permit.send(call));
  }

  override async withPermit<T>(
    connection: FinanceConnection,
    work: (permit: CallPermit) => Promise<T>,
  ): Promise<T> {
    return this.withPermitOf(connection, true, work);
  }

  override async list(
    connection: FinanceConnection,
    path: string,
    query: Readonly<Record<string, string>>,
    kind: 'page' | 'record' = 'page',
  ): Promise<AttemptOutcome> {
    const task: Task = {
      operation: 'extension.list',
      request: listRequestOf(connection, path, query, this.userAgent),
      // The one extension there is lists customers, who have a supplier's fields.
      expected: { kind, shape: recordShape('Supplier') },
      isWrite: false,
    };
    return this.inService(connection, false, (_backoffMs, make) => make(task));
  }

  override async tryNow(connection: FinanceConnection, call: ClientCall): Promise<AttemptOutcome> {
    const reason = flawOf(connection);
    if (reason !== undefined) return { kind: 'not-sent', reason };
    const service = this.serviceOf(connection);
    const throttledMs = service.throttledForMs();
    if (throttledMs > 0) return leftAlone(throttledMs, service);
    const { outcome, sign } = await this.measured(connection, service, this.taskOf(connection, call));
    if (sign === 'up') service.breaker.close();
    return outcome;
  }

  override closedForMs(organizationId: string): number {
    return this.services.get(organizationId)?.closedForMs() ?? 0;
  }

  override isDown(organizationId: string): boolean {
    return this.services.get(organizationId)?.isDown ?? false;
  }

  override whyClosed(organizationId: string): string | undefined {
    return this.services.get(organizationId)?.lastFailure;
  }

  private withPermitOf<T>(
    connection: FinanceConnection,
    isWrite: boolean,
    work: (permit: CallPermit) => Promise<T>,
  ): Promise<T> {
    return this.inService(connection, isWrite, (backoffMs, make) =>
      work({
        backoffMs,
        send: async (call, onSend) => make(this.taskOf(connection, call, onSend)),
      }),
    );
  }

  /** Does the work when it has a permit and the rate allows it. */
  private async inService<T>(
    connection: FinanceConnection,
    isWrite: boolean,
    work: (backoffMs: number, make: (task: Task) => Promise<AttemptOutcome>) => Promise<T>,
  ): Promise<T> {
    const reason = flawOf(connection);
    if (reason !== undefined) return work(0, async () => ({ kind: 'not-sent', reason }));
    const rate = (): Promise<number> => this.awaitRate(connection);
    const service = this.serviceOf(connection);
    return service.withPermit(isWrite, rate, async (notGrantedMs) => {
      // The service may have asked to be left alone while a permit was waited for.
      const backoffMs = Math.max(notGrantedMs, service.refusesForMs());
      return work(backoffMs, async (task) =>
        backoffMs > 0 ? leftAlone(backoffMs, service) : this.make(connection, task),
      );
    });
  }

  private taskOf(connection: FinanceConnection, call: ClientCall, onSend?: () => boolean): Task {
    const row = operation(call.operation);
    return {
      operation: call.operation,
      request: requestOf(connection, call, this.userAgent),
      expected: { kind: row.response, ...(row.record !== null && { shape: recordShape(row.record) }) },
      isWrite: row.effect !== 'read',
      ...(onSend && { onSend }),
    };
  }

  private async make(connection: FinanceConnection, task: Task): Promise<AttemptOutcome> {
    const service = this.serviceOf(connection);
    const made = await service.breaker.run(() => this.measured(connection, service, task));
    return made?.outcome ?? leftAlone(service.breaker.closedForMs(), service);
  }

  private serviceOf(connection: FinanceConnection): ServiceClient {
    const present = this.services.get(connection.organizationId);
    if (present?.key === connectionKey(connection)) return present;
    const service = new ServiceClient(connection, this.rules);
    this.services.set(connection.organizationId, service);
    return service;
  }

  /** Waits for the rate's next slot. @returns milliseconds for which none is granted; 0: it is */
  private async awaitRate(connection: FinanceConnection): Promise<number> {
    const { organizationId, limits, settleMs } = connection;
    const service = this.serviceOf(connection);
    const closed = service.closedForMs();
    if (closed > 0) return closed;
    const patience = Math.floor(settleMs / 8);
    const wait = await this.rateLimiter.take(organizationId, limits.perSecond, patience);
    if (wait > patience) {
      service.exhaustRate(wait);
      return wait;
    }
    if (wait > 0) await sleep(wait);
    // The service may have asked to be left alone meanwhile; that others got no slot does not concern this call.
    return service.refusesForMs();
  }

  private measured(
    connection: FinanceConnection,
    service: ServiceClient,
    task: Task,
  ): Promise<{ outcome: AttemptOutcome; sign: Sign }> {
    const attributes = { 'ponte.operation': task.operation, 'ponte.organization': connection.organizationId };
    return traced('call finance service', { kind: 'client', attributes }, async (span) => {
      const begun = performance.now();
      const sent = await this.send(connection, service, task);
      const outcome = recordedOutcome(sent.outcome.kind);
      span.setAttribute('ponte.outcome', outcome);
      this.options.onCall?.(task.operation, outcome, (performance.now() - begun) / 1000);
      return sent;
    });
  }

  private async send(
    connection: FinanceConnection,
    service: ServiceClient,
    task: Task,
  ): Promise<{ outcome: AttemptOutcome; sign: Sign }> {
    const { timeouts, organizationId } = connection;
    const ended = await sendRequest(task.request, {
      httpAgent: service.httpAgent,
      httpsAgent: service.httpsAgent,
      timeouts,
      ...(task.onSend && { onSend: task.onSend }),
    });
    const { outcome, down } = classify(ended, { ...task, apiKey: connection.apiKey, now: this.clock.now() });
    const throttled = outcome.kind === 'not-sent' && ended.stage === 'answered';
    const silent = ended.stage === 'unsent' && ended.cause === WITHHELD;
    if (!silent)
      service.lastFailure = (down || throttled) && 'reason' in outcome ? outcome.reason : undefined;
    if (throttled) {
      service.throttle(outcome.retryAfterMs ?? THROTTLE_MS);
      await this.throttleOthers(organizationId, outcome.retryAfterMs ?? THROTTLE_MS);
    }
    return { outcome, sign: silent ? 'nothing' : down ? 'down' : 'up' };
  }

  /** The outcome stands whether or not the other replicas learn of it: the service itself refuses each of them. */
  private async throttleOthers(organizationId: string, milliseconds: number): Promise<void> {
    try {
      await this.rateLimiter.throttle(organizationId, milliseconds);
    } catch (error) {
      this.logger.warn({
        msg: 'finance client: the other replicas could not be notified to throttle a service; the service will answer each of them 429',
        organizationId,
        err: error,
      });
    }
  }
}

/** Why nothing can be sent over the connection as it is set. */
function flawOf({ baseUrl, apiKey }: FinanceConnection): string | undefined {
  // Left to themselves, HTTP clients drop what a header cannot hold and send another key.
  return (
    baseUrlProblem(baseUrl) ?? (HEADER_TEXT.test(apiKey) ? undefined : 'its key holds what no header can')
  );
}

function leftAlone(retryAfterMs: number, { lastFailure }: ServiceClient): AttemptOutcome {
  return { kind: 'not-sent', reason: `the service ${leftAloneAfter(lastFailure)}`, retryAfterMs };
}
