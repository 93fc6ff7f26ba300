import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { BlockList, LookupFunction } from 'node:net';
import { addressRule } from './addresses';
import { guardedAgents } from './agents';
import { Breaker, type BreakerRules } from './breaker';
import type { FinanceConnection } from './connection';
import { Turns } from './turns';

/** What all connections have in common. */
export interface LineRules {
  readonly allowedNetworks: BlockList;
  readonly lookup: LookupFunction;
  readonly breaker: BreakerRules;
  readonly ca?: string;
  /** Called when a service is found to be down, with the milliseconds for which it is left alone. */
  readonly onBreak: (organizationId: string, milliseconds: number) => void;
}

/** This process's way to one organization's service: its connections, its turns, and whether it is up. */
export class ServiceLine {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  readonly breaker: Breaker;
  /** What the line was made of; another connection needs another line. */
  readonly key: string;
  private readonly slots: Turns;
  private readonly writes: Turns;
  /** On the clock that waits are measured by. */
  private heldUntil = 0;

  constructor(connection: FinanceConnection, rules: LineRules) {
    const { organizationId, limits } = connection;
    const { lookup, ca } = rules;
    const allowed = addressRule(connection, rules.allowedNetworks);
    const agents = guardedAgents({ allowed, lookup, ...(ca !== undefined && { ca }) });
    this.key = lineKey(connection);
    this.httpAgent = agents.httpAgent;
    this.httpsAgent = agents.httpsAgent;
    this.breaker = new Breaker(rules.breaker, (milliseconds) => rules.onBreak(organizationId, milliseconds));
    // Who waits is bounded by who calls: deliveries in hand and requests in flight have limits of their own.
    this.slots = new Turns(limits.atOnce);
    this.writes = new Turns(limits.oneWriteAtATime ? 1 : Infinity);
  }

  /** Runs the work when it is its turn, in the order of asking. */
  inTurn<T>(isWrite: boolean, work: () => Promise<T>): Promise<T> {
    const inSlot = (): Promise<T> => this.slots.run(work);
    return isWrite ? this.writes.run(inSlot) : inSlot();
  }

  /** The service asked to be left alone. */
  hold(milliseconds: number): void {
    this.heldUntil = Math.max(this.heldUntil, performance.now() + milliseconds);
  }

  heldForMs(): number {
    return Math.max(0, Math.ceil(this.heldUntil - performance.now()));
  }
}

/** What, when it changes, needs other connections or other turns. The key is none of it: it is sent with each call. */
export function lineKey({ baseUrl, trustedAddress, limits }: FinanceConnection): string {
  return JSON.stringify([baseUrl, trustedAddress, limits.atOnce, limits.oneWriteAtATime]);
}
