import { Controller, Delete, Get, Optional, Put } from '@nestjs/common';
import { Database } from '../../database/database';
import { FinanceConnections } from '../../finance/remote/connections/connections';
import { ConnectionsRepository } from '../../finance/remote/connections/connections.repository';
import { OperatorsApi } from '../../http/api';
import { type Actor, CurrentActor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import { Answers } from '../operation';
import { MaybeReasonBody, ReasonBody } from '../reasons.dto';
import { FinanceRecoveryView } from './finance-recovery.dto';

interface Recovery {
  recoveredAt: Date | null;
}

/**
 * What follows from a database that was put back to an earlier state while the finance service elsewhere was not: each call
 * is looked for there before it is sent.
 */
@OperatorsApi('Finance service')
@Controller('admin/organizations/:org/finance/recovery')
export class FinanceRecoveryController {
  constructor(
    private readonly database: Database,
    private readonly repository: ConnectionsRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
    @Optional() private readonly connections?: FinanceConnections,
  ) {}

  @Get()
  @Answers(
    FinanceRecoveryView,
    'Show whether calls are looked for in the finance service before they are sent',
  )
  async get(@CurrentOrganization() { id }: Organization): Promise<Recovery> {
    return { recoveredAt: await this.repository.recoveredAt(id) };
  }

  /** @throws Problem conflict while Ponte keeps the books itself; not-found when there is no connection */
  @Put()
  @Answers(FinanceRecoveryView, 'Look for each call before it is sent: the database was put back just now')
  async begin(@CurrentActor() actor: Actor, @JsonBody(ReasonBody) { reason }: ReasonBody): Promise<Recovery> {
    return this.set(actor, 'finance.beginRecovery', this.clock.now(), reason);
  }

  /** @throws Problem as {@link begin} */
  @Delete()
  @Answers(FinanceRecoveryView, 'Send calls without looking for them again')
  async end(
    @CurrentActor() actor: Actor,
    @JsonBody(MaybeReasonBody) body?: MaybeReasonBody,
  ): Promise<Recovery> {
    return this.set(actor, 'finance.endRecovery', null, body?.reason ?? undefined);
  }

  private async set(
    actor: Actor,
    action: 'finance.beginRecovery' | 'finance.endRecovery',
    recoveredAt: Date | null,
    reason: string | undefined,
  ): Promise<Recovery> {
    const { connections } = this;
    if (!connections)
      throw new Problem('conflict', 'Ponte keeps the books itself: FINANCE_BACKEND is embedded');
    const { id } = actor.organization;
    await this.database.transaction(async (tx) => {
      const before = { recoveredAt: await this.repository.recoveredAt(id, tx) };
      if (!(await this.repository.setRecoveredAt(tx, id, recoveredAt)))
        throw new Problem('not-found', 'The finance service is not connected');
      await this.audit.record(tx, actor, { action, subject: id, before, after: { recoveredAt }, reason });
    });
    connections.forget(id);
    return { recoveredAt };
  }
}
