import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { BlockList, LookupFunction } from 'node:net';
import { addressRule } from './addresses';
import { guardedAgents } from './agents';
import { Breaker, type BreakerRules } from './breaker';
import type { FinanceConnection } from './connection';
import { Semaphore } from './semaphore';

/** Of the calls that the rate allows in a second, so many may be allowed to calls that still wait for a permit. */
const AHEAD_OF_PERMIT = 0.1;

/** What all connections have in common. */
export interface ServiceClientOptions {
  readonly allowedNetworks: BlockList;
  readonly lookup: LookupFunction;
  readonly breaker: BreakerRules;
  readonly ca?: string;
  /** Called when a service is found to be down, with the milliseconds for which it is left alone. */
  readonly onBreak: (organizationId: string, milliseconds: number, reason: string | undefined) => void;
}

/** This process's way to one organization's service: its connections, its permits, and whether it is up. */
export class ServiceClient {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  readonly breaker: Breaker;
  /** What the last call found, where that is why the service is left alone; for a person. */
  lastFailure: string | undefined;
  /** What the client was made of; another connection needs another client. */
  readonly key: string;
  private readonly permits: Semaphore;
  private readonly writes: Semaphore;
  private readonly reads = new Semaphore(Infinity);
  /** Undefined: none may be ahead. */
  private readonly ahead: Semaphore | undefined;
  /** On the clock that waits are measured by. */
  private throttledUntil = 0;
  /** On the same clock: before that the rate allows no call that is not allowed yet. */
  private outOfRateUntil = 0;

  constructor(connection: FinanceConnection, rules: ServiceClientOptions) {
    const { organizationId, limits } = connection;
    const { lookup, ca } = rules;
    const allowed = addressRule(connection, rules.allowedNetworks);
    const agents = guardedAgents({ allowed, lookup, ...(ca !== undefined && { ca }) });
    this.key = connectionKey(connection);
    this.httpAgent = agents.httpAgent;
    this.httpsAgent = agents.httpsAgent;
    this.breaker = new Breaker(rules.breaker, (milliseconds) =>
      rules.onBreak(organizationId, milliseconds, this.lastFailure),
    );
    // Who waits is bounded by who calls: deliveries and requests in flight have limits of their own.
    this.permits = new Semaphore(limits.atOnce);
    this.writes = new Semaphore(limits.oneWriteAtATime ? 1 : Infinity);
    const ahead = Math.min(limits.atOnce, Math.floor(limits.perSecond * AHEAD_OF_PERMIT));
    this.ahead = ahead > 0 ? new Semaphore(ahead) : undefined;
  }

  /**
   * Runs the work when it has a permit, in the order of asking, and the rate allows it. A few ask for the rate while
   * they still wait for a permit: were it asked for with the permit taken, the service would have nothing to do.
   * @param rate waits until the rate allows a call, or says why it does not
   */
  async withPermit<R, T>(
    isWrite: boolean,
    rate: () => Promise<R>,
    work: (granted: R) => Promise<T>,
  ): Promise<T> {
    const releases: (() => void)[] = [];
    try {
      releases.push(await (isWrite ? this.writes : this.reads).take());
      if (!this.ahead) {
        releases.push(await this.permits.take());
        return await work(await rate());
      }
      const leave = await this.ahead.take();
      releases.push(leave);
      const granted = await rate();
      releases.push(await this.permits.take());
      leave();
      return await work(granted);
    } finally {
      for (const release of releases) release();
    }
  }

  /** The service asked to be left alone. */
  throttle(milliseconds: number): void {
    this.throttledUntil = Math.max(this.throttledUntil, performance.now() + milliseconds);
  }

  /** Milliseconds for which the service wants no call, allowed by the rate or not: it asked so, or is down. */
  refusesForMs(): number {
    return Math.max(this.throttledForMs(), this.breaker.closedForMs());
  }

  /** Whether it was found down, and no call has been answered since. */
  get isDown(): boolean {
    return this.breaker.isOpen && this.lastFailure !== undefined;
  }

  /** Milliseconds for which the service asked to be left alone. */
  throttledForMs(): number {
    return Math.max(0, Math.ceil(this.throttledUntil - performance.now()));
  }

  /** The rate allows the next call only then. What it has allowed already may still be sent. */
  exhaustRate(milliseconds: number): void {
    this.outOfRateUntil = Math.max(this.outOfRateUntil, performance.now() + milliseconds);
  }

  /** Milliseconds for which no further call can be made, for whatever reason. */
  closedForMs(): number {
    return Math.max(this.refusesForMs(), Math.ceil(this.outOfRateUntil - performance.now()));
  }
}

/** What, when it changes, needs other connections or other permits. The key is none of it: it is sent with each call. */
export function connectionKey({ baseUrl, trustedAddress, limits }: FinanceConnection): string {
  return JSON.stringify([baseUrl, trustedAddress, limits]);
}
