import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';
import type { ListPage } from '../deliveries/deliveries.repository';
import { OperatorsApi } from '../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../http/caller';
import { JsonBody } from '../http/json-body';
import { UuidParam } from '../http/uuid-param';
import type { Organization } from '../kernel/organization';
import { ApiKeys, type CreatedKey } from '../organizations/api-keys';
import type { ApiKeyRecord } from '../organizations/api-keys.repository';
import { KeyAdministration } from './key-administration';
import { KeyView, MadeKeyView, NewKeyBody } from './keys.dto';
import { ApiOperatorsPage, ListQuery, operatorsPage, type OperatorsPage } from './list-query';

@OperatorsApi('Keys')
@Controller('admin/organizations/:org/keys')
export class KeysController {
  constructor(
    private readonly keys: ApiKeys,
    private readonly administration: KeyAdministration,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make an API key; the reply is the only place that ever shows it' })
  @ApiCreatedResponse({ type: MadeKeyView })
  create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(NewKeyBody) { name, scopes }: NewKeyBody,
  ): Promise<CreatedKey> {
    return this.administration.create(organization, caller, name, scopes);
  }

  @Get()
  @ApiOperation({ summary: 'List API keys, revoked ones included' })
  @ApiOperatorsPage(KeyView)
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<ApiKeyRecord>> {
    return operatorsPage(await this.keys.list(organization.id, page.limit, page.after), page);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke an API key, at once and for ever' })
  revoke(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
  ): Promise<void> {
    return this.administration.revoke(organization, caller, id);
  }
}
