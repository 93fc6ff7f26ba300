import { Controller, Delete, Get, Post } from '@nestjs/common';
import type { ListPage } from '../kernel/list-page';
import { OperatorsApi } from '../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../http/caller';
import { JsonBody } from '../http/json-body';
import { UuidParam } from '../http/uuid-param';
import type { Organization } from '../kernel/organization';
import { ApiKeys, type CreatedKey } from '../organizations/api-keys';
import type { ApiKeyRecord } from '../organizations/api-keys.repository';
import { KeyAdministration } from './key-administration';
import { KeyView, MadeKeyView, NewKeyBody } from './keys.dto';
import { ListQuery, operatorsPage, type OperatorsPage } from './list-query';
import { AnswersPage, Creates, Does } from './operation';

@OperatorsApi('Keys')
@Controller('admin/organizations/:org/keys')
export class KeysController {
  constructor(
    private readonly keys: ApiKeys,
    private readonly administration: KeyAdministration,
  ) {}

  @Post()
  @Creates(MadeKeyView, 'Make an API key; the reply is the only place that ever shows it')
  create(
    @CurrentActor() actor: Actor,
    @JsonBody(NewKeyBody) { name, scopes }: NewKeyBody,
  ): Promise<CreatedKey> {
    return this.administration.create(actor, name, scopes);
  }

  @Get()
  @AnswersPage(KeyView, 'List API keys, revoked ones included')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<ApiKeyRecord>> {
    return operatorsPage(await this.keys.list(organization.id, page.limit, page.after), page);
  }

  @Delete(':id')
  @Does('Revoke an API key, at once and for ever')
  revoke(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<void> {
    return this.administration.revoke(actor, id);
  }
}
