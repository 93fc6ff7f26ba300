import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Database } from '../database/database';
import { OperatorsApi } from '../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../http/caller';
import { JsonBody } from '../http/json-body';
import { UuidParam } from '../http/uuid-param';
import type { ListPage } from '../kernel/list-page';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { ApiKeys, type CreatedKey } from '../organizations/api-keys';
import type { ApiKeyRecord } from '../organizations/api-keys.repository';
import { AuditRepository } from './audit.repository';
import { KeyView, MadeKeyView, NewKeyBody } from './keys.dto';
import { ListQuery, operatorsPage, type OperatorsPage } from './list-query';
import { AnswersPage, Creates, Does } from './operation';

@OperatorsApi('Keys')
@Controller('admin/organizations/:org/keys')
export class KeysController {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeys,
    private readonly audit: AuditRepository,
  ) {}

  @Post()
  @Creates(MadeKeyView, 'Make an API key; the reply is the only place that ever shows it')
  create(
    @CurrentActor() actor: Actor,
    @JsonBody(NewKeyBody) { name, scopes }: NewKeyBody,
  ): Promise<CreatedKey> {
    return this.database.transaction(async (tx) => {
      const created = await this.keys.create(tx, actor.organization.id, name, scopes);
      const after = { name, scopes };
      await this.audit.record(tx, actor, { action: 'key.create', subject: created.id, after });
      return created;
    });
  }

  @Get()
  @AnswersPage(KeyView, 'List API keys, revoked ones included')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<ApiKeyRecord>> {
    return operatorsPage(await this.keys.list(organization.id, page.limit, page.after), page);
  }

  /** @throws Problem not-found when the organization has no such live key */
  @Delete(':id')
  @Does('Revoke an API key, at once and for ever')
  async revoke(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const revoked = await this.keys.revoke(tx, actor.organization.id, id);
      if (!revoked) throw new Problem('not-found', 'There is no such live key');
      const before = { name: revoked.name, scopes: revoked.scopes };
      await this.audit.record(tx, actor, { action: 'key.revoke', subject: id, before });
    });
  }
}
