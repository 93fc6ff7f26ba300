import { randomBytes } from 'node:crypto';
import { organizationsOn } from './organizations';
import type { Settings } from '../../src/config/settings';
import type { Database } from '../../src/database/database';
import type { EffectRequest, EffectResult, PlannedEffect } from '../../src/finance/api/effects/effect';
import { EffectsRemote } from '../../src/finance/remote/effects/effects.remote';
import { Calls } from '../../src/finance/remote/calls/calls';
import { CallStore } from '../../src/finance/remote/calls/call-store.repository';
import type { StoredConnection } from '../../src/finance/remote/connections/connection-settings';
import { FinanceConnections } from '../../src/finance/remote/connections/connections';
import { ConnectionsRepository } from '../../src/finance/remote/connections/connections.repository';
import { CallDecisions } from '../../src/finance/remote/calls/decisions';
import { RemoteEffectTools } from '../../src/finance/remote/effects/remote-effect';
import { Reconciler } from '../../src/finance/remote/reconciliation/reconciler';
import { CallEvidence } from '../../src/finance/remote/reconciliation/call-evidence';
import { OpenValues } from '../../src/finance/remote/reconciliation/open-values';
import { RemoteNames } from '../../src/finance/remote/reads/remote-names';
import { RemoteReads } from '../../src/finance/remote/reads/remote-reads';
import type { FinanceClient } from '../../src/finance/remote/client/finance-client';
import { newId } from '../../src/kernel/identifier';
import type { Organization } from '../../src/kernel/organization';
import { testSettings } from './database';
import { SettableClock } from './settable-clock';

const SECRETS_KEY = randomBytes(32).toString('base64');

/** What every connection in tests is stored with. */
export const FINANCE_KEY = 'the-key';

/** @param FINANCE_BASE_URL the only address that may lead to this machine */
function settingsFor(FINANCE_BASE_URL = 'https://books.example/v1'): Settings {
  return testSettings({ FINANCE_BACKEND: 'remote', FINANCE_BASE_URL, SECRETS_KEY });
}

/** One replica's way to the finance service of one organization. */
export class RemoteFinance {
  readonly connections: FinanceConnections;
  readonly calls: Calls;
  readonly repository: CallStore;
  readonly effects: EffectsRemote;
  readonly evidence: CallEvidence;
  readonly reconciler: Reconciler;
  readonly decisions: CallDecisions;

  private constructor(
    readonly database: Database,
    readonly organization: Organization,
    readonly wire: FinanceClient,
    readonly clock: SettableClock,
    private readonly settings: Settings,
  ) {
    const repository = (this.repository = new CallStore(database));
    const stored = new ConnectionsRepository(database, settings, clock);
    this.connections = new FinanceConnections(stored, settings, clock);
    this.calls = new Calls(database, repository, wire, clock);
    const reads = new RemoteReads(wire);
    const names = new RemoteNames(reads, clock);
    const open = new OpenValues(database, repository, reads, clock);
    const tools = new RemoteEffectTools(this.calls, repository, reads, names, open, database, clock);
    this.effects = new EffectsRemote(this.connections, wire, tools);
    this.evidence = new CallEvidence(database, repository, reads, open);
    this.reconciler = new Reconciler(
      database,
      repository,
      this.evidence,
      this.connections,
      organizationsOn(database),
      wire,
      clock,
    );
    this.decisions = new CallDecisions(repository, clock);
  }

  /** @param connection its address, where there is one, counts as named by the environment */
  static async open(
    database: Database,
    wire: FinanceClient,
    connection: StoredConnection = {},
  ): Promise<RemoteFinance> {
    const id = newId();
    const organization = {
      id,
      slug: `company-${id}`,
      name: 'A company',
      timeZone: 'America/Sao_Paulo',
      currency: 'BRL',
    };
    await database.prisma.organization.create({ data: organization });
    const clock = new SettableClock('2026-03-10T15:00:00Z');
    const settings = settingsFor(connection.baseUrl);
    const stored = new ConnectionsRepository(database, settings, clock);
    await database.transaction((tx) => stored.put(tx, id, connection, FINANCE_KEY));
    return new RemoteFinance(database, organization, wire, clock, settings);
  }

  /** The same company on another replica. */
  on(database: Database, wire = this.wire): RemoteFinance {
    return new RemoteFinance(database, this.organization, wire, this.clock, this.settings);
  }

  /** @param runId the same again for a run that goes on after it was interrupted */
  apply(effect: PlannedEffect, runId: string = newId()): Promise<EffectResult> {
    const request: EffectRequest = { organization: this.organization, effect, runId, step: 'a-step' };
    return this.effects.apply(request, newId());
  }

  /** Says that the database was put back just now. @param ended that this is over */
  async recover(ended = false): Promise<void> {
    await this.database.prisma.financeConnection.update({
      where: { organizationId: this.organization.id },
      data: { recoveredAt: ended ? null : this.clock.now() },
    });
    this.connections.forget(this.organization.id);
  }

  /** Lets time pass. */
  pass(milliseconds: number): void {
    this.clock.set(new Date(this.clock.now().getTime() + milliseconds).toISOString());
  }

  /** Lets more time pass than anything waits for, and reads back what is due. */
  async laterOn(): Promise<void> {
    this.pass(20 * 60_000);
    await this.reconciler.reconcile();
  }

  rows() {
    const where = { organizationId: this.organization.id };
    return this.database.prisma.financeCall.findMany({ where, orderBy: { id: 'asc' } });
  }
}
