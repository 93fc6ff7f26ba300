import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { SharedClock } from '../../../kernel/clock';
import { isRefused } from '../../api/ports/outcome';
import { OrganizationsRepository } from '../../../organizations/organizations.repository';
import { FinanceClient } from '../client/finance-client';
import type { Finding } from '../calls/call';
import { afterReadBack, CREATING, type StoredCall } from '../calls/call-states';
import { CallStore } from '../calls/call-store.repository';
import { writeCall } from '../calls/call-writes.repository';
import { FinanceConnections } from '../connections/connections';
import { CallEvidence, type Lookup } from './call-evidence';

const EVERY_MS = 1_000;
const MINUTE_MS = 60_000;

/** Attempts a minute for each call a second that a service allows: a fifth of them. */
const ATTEMPTS_PER_RATE = 12;

/** Calls taken at once. */
const BATCH = 5;

/** Milliseconds until another replica may take over the calls of one that died, and after which a living one renews its leases. */
const LEASE_MS = 30_000;
const RENEW_AFTER_MS = 10_000;

/** Calls that were leased and not all read back yet, and until when others leave them alone. */
interface LeasedBatch {
  calls: readonly StoredCall[];
  until: Date;
}

/** How many attempts were spent on an organization in the minute that began then. */
interface Spent {
  since: number;
  attempts: number;
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
  private readonly batches = new Set<LeasedBatch>();
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly repository: CallStore,
    private readonly evidence: CallEvidence,
    private readonly connections: FinanceConnections,
    private readonly organizations: OrganizationsRepository,
    private readonly client: FinanceClient,
    private readonly clock: SharedClock,
  ) {}

  /** Called by the scheduler. */
  @Interval('finance-reconciler', EVERY_MS)
  async tick(): Promise<void> {
    if (this.stopping) return;
    await this.renewLeases()
      .then(() => this.reconcile())
      .catch((error: unknown) => {
        this.logger.error({
          msg: 'reconciler: calls of unknown outcome could not be read back; the next run tries again',
          err: error,
        });
      });
  }

  /** Ends after the attempts under way, and leaves the other calls of its batches to others at once. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.underWay.values());
  }

  /**
   * Reads back every call that is due, as far as the budgets go. An organization that is reconciled already is
   * left to that run, and none waits for another.
   * @returns how many were read back
   */
  async reconcile(): Promise<number> {
    const due = await this.repository.organizationsToReconcile(this.database.prisma, this.clock.now());
    if (this.stopping) return 0;
    const runs = due.filter((id) => !this.underWay.has(id)).map((id) => this.begin(id));
    return (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);
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
    // An attempt at a service that is left alone would find nothing and only put the next one off.
    if (this.client.closedForMs(organizationId) > 0) return 0;
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
      this.repository.takeToReconcile(tx, organizationId, now, until, limit),
    );
    const batch: LeasedBatch = { calls, until };
    this.batches.add(batch);
    try {
      for (const call of calls) {
        if (this.stopping) break;
        this.spend(organizationId);
        await this.readBack({ connection, organization, call });
        batch.calls = batch.calls.slice(1);
      }
      // What is left when this process stops is nobody's.
      await this.renew(batch, this.clock.now());
    } finally {
      this.batches.delete(batch);
    }
    return calls.length;
  }

  /** Reading back takes as long as the service takes: nobody else needs to begin it anew meanwhile. */
  private async renewLeases(): Promise<void> {
    const now = this.clock.now();
    const until = leaseFrom(now);
    for (const batch of this.batches)
      if (until.getTime() - batch.until.getTime() >= RENEW_AFTER_MS) await this.renew(batch, until);
  }

  private async renew(batch: LeasedBatch, until: Date): Promise<void> {
    const held = batch.until;
    batch.until = until;
    const ids = batch.calls.map(({ id }) => id);
    await this.repository.renewLeases(this.database.prisma, ids, held, until);
  }

  private async readBack(lookup: Lookup): Promise<void> {
    const finding = await this.evidence.after(lookup);
    const settled = await this.database.transaction((tx) => this.settle(tx, lookup.call, finding));
    if (!settled) return;
    const { call } = lookup;
    const { state } = finding;
    this.logger.log({ msg: 'reconciler: a call of unknown outcome was read back', call: call.id, state });
  }

  /** Commits a finding. @returns false when somebody else settled the call meanwhile */
  private async settle(tx: Transaction, { id, organizationId, attempts }: StoredCall, found: Finding) {
    await this.repository.lockFindings(tx, organizationId);
    const call = await this.repository.lockById(tx, id);
    if (call?.state !== 'unknown' || call.attempts !== attempts) return false;
    const now = this.clock.now();
    const finding = await this.stillTrue(tx, call, found);
    const backoffMs = this.client.closedForMs(organizationId);
    await writeCall(tx, call, afterReadBack(call, finding, now, Math.random(), backoffMs), now);
    if (finding.state !== 'unknown') await this.repository.wake(tx, call.deliveryId);
    return true;
  }

  /** A record that another call made, or may just be making, is not this one's. */
  private async stillTrue(tx: Transaction, call: StoredCall, found: Finding): Promise<Finding> {
    if (found.state !== 'applied' || !CREATING.has(call.content.operation)) return found;
    const { id, all = [] } = found.output;
    const ids = [...new Set([...(id === undefined ? [] : [id]), ...all])];
    const unique = call.content.operation !== 'customers.create';
    const taken = unique && (await this.repository.claimed(tx, call, ids)).size > 0;
    if (!taken && !(await this.repository.twinOnItsWay(tx, call))) return found;
    return { state: 'unknown', reason: 'another call that makes a record alike is not settled yet' };
  }

  private budgetOf(organizationId: string, perSecond: number): number {
    const now = this.clock.now().getTime();
    const spent = this.spent.get(organizationId);
    if (!spent || now - spent.since >= MINUTE_MS) this.spent.set(organizationId, { since: now, attempts: 0 });
    const most = Math.max(1, Math.floor(perSecond * ATTEMPTS_PER_RATE));
    return most - (this.spent.get(organizationId)?.attempts ?? 0);
  }

  private spend(organizationId: string): void {
    const spent = this.spent.get(organizationId);
    if (spent) spent.attempts += 1;
  }
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

/** A service that is connected no more cannot be read; its calls wait until it is again. */
function notConnected(error: unknown): undefined {
  if (!isRefused(error)) throw error;
}
