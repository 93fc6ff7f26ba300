import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../../config/settings';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { SharedClock } from '../../../kernel/clock';
import { isRefused } from '../../api/ports/outcome';
import { OrganizationsRepository } from '../../../organizations/organizations.repository';
import { FinanceClient } from '../client/finance-client';
import type { Finding } from '../calls/call';
import { afterLook, CREATING, type StoredCall } from '../calls/call-states';
import { CallsRepository } from '../calls/calls.repository';
import { FinanceConnections } from '../connections/connections';
import { type Lookup, Reconciliation } from './reconciliation';

const EVERY_MS = 1_000;
const MINUTE_MS = 60_000;

/** Looks a minute for each call a second that a service allows: a fifth of them. */
const LOOKS_PER_RATE = 12;

/** Calls taken at once. */
const BATCH = 5;

/** Milliseconds until another replica may take over the calls of one that died, and after which a living one holds on. */
const LEASE_MS = 30_000;
const HOLD_AFTER_MS = 10_000;

/** Calls that were taken and not all looked for yet, and until when they are left alone by others. */
interface Hand {
  calls: readonly StoredCall[];
  until: Date;
}

/** How many looks were spent on an organization in the minute that began then. */
interface Spent {
  since: number;
  looks: number;
}

/**
 * Finds out what calls came to whose outcome nobody knows, by reading back. Every replica does this: a call that
 * is taken is left alone by the others, and what is found is committed only if nobody settled the call meanwhile.
 */
@Injectable()
export class Reconciler implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Reconciler.name);
  private readonly spent = new Map<string, Spent>();
  /** Runs by organization. Never rejected. */
  private readonly underWay = new Map<string, Promise<number>>();
  private readonly hands = new Set<Hand>();
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly repository: CallsRepository,
    private readonly reconciliation: Reconciliation,
    private readonly connections: FinanceConnections,
    private readonly organizations: OrganizationsRepository,
    private readonly wire: FinanceClient,
    private readonly clock: SharedClock,
    private readonly settings: Settings,
  ) {}

  /** Called by the scheduler. */
  @Interval('finance-reconciler', EVERY_MS)
  async tick(): Promise<void> {
    if (this.stopping || this.settings.financeBackend === 'embedded') return;
    await this.renewLeases()
      .then(() => this.reconcile())
      .catch((error: unknown) => {
        this.logger.error({
          msg: 'reconciler: calls of unknown outcome could not be read back; the next run tries again',
          err: error,
        });
      });
  }

  /** Ends after the looks under way, and leaves the other calls in hand to others at once. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.underWay.values());
  }

  /**
   * Looks for every call that is due, as far as the budgets go. An organization that is looked into already is
   * left to that run, and none waits for another.
   * @returns how many were looked for
   */
  async reconcile(): Promise<number> {
    const due = await this.repository.organizationsToLook(this.database.prisma, this.clock.now());
    if (this.stopping) return 0;
    const runs = due.filter((id) => !this.underWay.has(id)).map((id) => this.begin(id));
    return (await Promise.all(runs)).reduce((sum, looked) => sum + looked, 0);
  }

  private begin(organizationId: string): Promise<number> {
    const run = this.reconcileOne(organizationId)
      .catch((error: unknown) => {
        this.logger.error({
          msg: "reconciler: an organization's calls of unknown outcome could not be read back; the next run tries again",
          organizationId,
          err: error,
        });
        return 0;
      })
      .finally(() => this.underWay.delete(organizationId));
    this.underWay.set(organizationId, run);
    return run;
  }

  private async reconcileOne(organizationId: string): Promise<number> {
    // A look at a service that is left alone would find nothing and only put the next one off.
    if (this.wire.closedForMs(organizationId) > 0) return 0;
    const organization = await this.organizations.find(organizationId);
    if (!organization) return 0;
    const connection = await this.connections.of(organization).catch(notConnected);
    if (!connection) return 0;
    const budget = this.budgetOf(organizationId, connection.limits.perSecond);
    const limit = Math.min(budget, BATCH);
    if (limit < 1 || this.stopping) return 0;
    const now = this.clock.now();
    const until = leaseFrom(now);
    const calls = await this.database.transaction((tx) =>
      this.repository.takeToLook(tx, organizationId, now, until, limit),
    );
    const hand: Hand = { calls, until };
    this.hands.add(hand);
    try {
      for (const call of calls) {
        if (this.stopping) break;
        this.spend(organizationId);
        await this.lookFor({ connection, organization, call });
        hand.calls = hand.calls.slice(1);
      }
      // What is left when this process stops is nobody's.
      await this.hold(hand, this.clock.now());
    } finally {
      this.hands.delete(hand);
    }
    return calls.length;
  }

  /** A look takes as long as the service takes: nobody else needs to begin it anew meanwhile. */
  private async renewLeases(): Promise<void> {
    const now = this.clock.now();
    const until = leaseFrom(now);
    for (const hand of this.hands)
      if (until.getTime() - hand.until.getTime() >= HOLD_AFTER_MS) await this.hold(hand, until);
  }

  private async hold(hand: Hand, until: Date): Promise<void> {
    const held = hand.until;
    hand.until = until;
    const ids = hand.calls.map(({ id }) => id);
    await this.repository.hold(this.database.prisma, ids, held, until);
  }

  private async lookFor(lookup: Lookup): Promise<void> {
    const finding = await this.reconciliation.find(lookup);
    const settled = await this.database.transaction((tx) => this.settle(tx, lookup.call, finding));
    if (!settled) return;
    const { call } = lookup;
    const { verdict } = finding;
    this.logger.log({ msg: 'reconciler: a call of unknown outcome was read back', call: call.id, verdict });
  }

  /** Commits a finding. @returns false when somebody else settled the call meanwhile */
  private async settle(tx: Transaction, { id, organizationId, attempts }: StoredCall, found: Finding) {
    await this.repository.lockFindings(tx, organizationId);
    const call = await this.repository.lockById(tx, id);
    if (call?.state !== 'unknown' || call.attempts !== attempts || call.parkedAt) return false;
    const now = this.clock.now();
    const finding = await this.stillTrue(tx, call, found);
    const backoffMs = this.wire.closedForMs(organizationId);
    await this.repository.change(tx, call, afterLook(call, finding, now, Math.random(), backoffMs), now);
    if (finding.verdict !== 'unreadable') await this.repository.wake(tx, call.deliveryId);
    return true;
  }

  /** A record that another call made, or may just be making, is not this one's. */
  private async stillTrue(tx: Transaction, call: StoredCall, found: Finding): Promise<Finding> {
    if (found.verdict !== 'in-effect' || !CREATING.has(call.content.operation)) return found;
    const { id, all = [] } = found.output;
    const ids = [...new Set([...(id === undefined ? [] : [id]), ...all])];
    const unique = call.content.operation !== 'customers.create';
    const taken = unique && (await this.repository.claimed(tx, call, ids)).size > 0;
    if (!taken && !(await this.repository.twinOnItsWay(tx, call))) return found;
    return { verdict: 'unreadable', because: 'another call that makes a record alike is not settled yet' };
  }

  private budgetOf(organizationId: string, perSecond: number): number {
    const now = this.clock.now().getTime();
    const spent = this.spent.get(organizationId);
    if (!spent || now - spent.since >= MINUTE_MS) this.spent.set(organizationId, { since: now, looks: 0 });
    const most = Math.max(1, Math.floor(perSecond * LOOKS_PER_RATE));
    return most - (this.spent.get(organizationId)?.looks ?? 0);
  }

  private spend(organizationId: string): void {
    const spent = this.spent.get(organizationId);
    if (spent) spent.looks += 1;
  }
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

/** A service that is connected no more cannot be read; its calls wait until it is again. */
function notConnected(error: unknown): undefined {
  if (!isRefused(error)) throw error;
}
