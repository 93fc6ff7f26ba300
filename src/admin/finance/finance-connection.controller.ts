import { Controller, Delete, Get, Optional, Post, Put } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { RemoteFinanceGateway } from '../../finance/remote/gateway/remote-finance-gateway';
import type { StoredConnection } from '../../finance/remote/connections/connection-settings';
import { FinanceConnections } from '../../finance/remote/connections/connections';
import { ConnectionsRepository } from '../../finance/remote/connections/connections.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem, unacceptable } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import { Answers } from '../operation';
import { MaybeReasonBody, ReasonBody } from '../reasons.dto';
import {
  ConnectionTest,
  FinanceConnectionBody,
  FinanceConnectionView,
  FinanceRecoveryView,
} from './finance-connection.dto';

/** A connection as operators see it: everything but the key. */
type ConnectionView = StoredConnection & { baseUrl: string };

/** How a remote finance service is reached. */
@OperatorsApi('Finance service')
@Controller('admin/organizations/:org/finance')
export class FinanceConnectionController {
  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly repository: ConnectionsRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
    @Optional() private readonly connections?: FinanceConnections,
    @Optional() private readonly gateway?: RemoteFinanceGateway,
  ) {}

  /** @throws Problem conflict while Ponte keeps the books itself; validation-failed */
  @Put()
  @Answers(FinanceConnectionView, 'Connect the finance service, or change how it is reached')
  async put(
    @CurrentActor() actor: Actor,
    @JsonBody(FinanceConnectionBody) { apiKey, reason, ...body }: FinanceConnectionBody,
  ): Promise<ConnectionView> {
    const { connections } = this.remote();
    this.checkAddress(body.baseUrl);
    const stored = JSON.parse(JSON.stringify(body)) as StoredConnection;
    await this.database.transaction(async (tx) => {
      const before = await this.repository.settingsOf(actor.organization.id, tx);
      if (!before && apiKey === undefined) throw unacceptable('/apiKey', 'required', 'is required');
      if (!(await this.repository.put(tx, actor.organization.id, stored, apiKey)))
        throw unacceptable('/apiKey', 'required', 'is required: the stored key is for another address');
      await this.audit.record(tx, actor, {
        action: 'finance.connect',
        subject: actor.organization.id,
        before: before && { ...before },
        after: { ...stored, keyChanged: apiKey !== undefined },
        reason,
      });
    });
    connections.forget(actor.organization.id);
    return this.viewOf(stored);
  }

  /** @throws Problem not-found when there is none */
  @Get()
  @Answers(FinanceConnectionView, 'Show how the finance service is reached, without the key')
  async get(@CurrentOrganization() organization: Organization): Promise<ConnectionView> {
    const stored = await this.repository.settingsOf(organization.id);
    if (!stored) throw notConnected();
    return this.viewOf(stored);
  }

  /** @throws Problem conflict, finance-not-connected */
  @Post('test')
  @Answers(ConnectionTest, 'Try the connection: reads one account of the service')
  async test(@CurrentOrganization() organization: Organization): Promise<ConnectionTest> {
    const { connections, gateway } = this.remote();
    await connections.of(organization);
    const started = performance.now();
    const detail = await gateway.tryOut(organization).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Problem) return error.detail;
        throw error;
      },
    );
    const milliseconds = Math.round(performance.now() - started);
    return { ok: detail === undefined, detail: detail ?? 'the service listed its accounts', milliseconds };
  }

  @Get('recovery')
  @Answers(
    FinanceRecoveryView,
    'Show whether Ponte searches the finance service for each call before it sends it',
  )
  async recovery(@CurrentOrganization() { id }: Organization): Promise<FinanceRecoveryView> {
    return { recoveredAt: await this.repository.recoveredAt(id) };
  }

  /** @throws Problem conflict, not-found when there is no connection */
  @Put('recovery')
  @Answers(
    FinanceRecoveryView,
    'Search the finance service for each call before it is sent: the database was put back just now',
  )
  async beginRecovery(
    @CurrentActor() actor: Actor,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<FinanceRecoveryView> {
    return this.setRecovery(actor, 'finance.beginRecovery', this.clock.now(), reason);
  }

  /** @throws Problem conflict, not-found when there is no connection */
  @Delete('recovery')
  @Answers(FinanceRecoveryView, 'Send calls without searching for them again')
  async endRecovery(
    @CurrentActor() actor: Actor,
    @JsonBody(MaybeReasonBody) body?: MaybeReasonBody,
  ): Promise<FinanceRecoveryView> {
    return this.setRecovery(actor, 'finance.endRecovery', null, body?.reason ?? undefined);
  }

  private async setRecovery(
    actor: Actor,
    action: 'finance.beginRecovery' | 'finance.endRecovery',
    recoveredAt: Date | null,
    reason: string | undefined,
  ): Promise<FinanceRecoveryView> {
    const { connections } = this.remote();
    const { id } = actor.organization;
    await this.database.transaction(async (tx) => {
      const before = { recoveredAt: await this.repository.recoveredAt(id, tx) };
      if (!(await this.repository.setRecoveredAt(tx, id, recoveredAt))) throw notConnected();
      await this.audit.record(tx, actor, { action, subject: id, before, after: { recoveredAt }, reason });
    });
    connections.forget(id);
    return { recoveredAt };
  }

  /** What reaches the service; there is none while Ponte keeps the books. @throws Problem conflict */
  private remote(): { connections: FinanceConnections; gateway: RemoteFinanceGateway } {
    const { connections, gateway } = this;
    if (connections && gateway) return { connections, gateway };
    throw new Problem('conflict', 'Ponte keeps the books itself: FINANCE_BACKEND is embedded');
  }

  /** Only the environment may name an address without TLS. */
  private checkAddress(baseUrl: string | undefined): void {
    if (baseUrl === undefined || baseUrl === this.settings.financeBaseUrl) return;
    if (!URL.canParse(baseUrl) || new URL(baseUrl).protocol !== 'https:')
      throw unacceptable('/baseUrl', 'address', 'must be an https address');
  }

  private viewOf(stored: StoredConnection): ConnectionView {
    return { ...stored, baseUrl: stored.baseUrl ?? this.settings.financeBaseUrl ?? '' };
  }
}

function notConnected(): Problem {
  return new Problem('not-found', 'The finance service is not connected');
}
