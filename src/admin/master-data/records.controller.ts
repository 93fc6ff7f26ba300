import { Delete, HttpCode } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { ListPage } from '../../deliveries/deliveries.repository';
import { CurrentCaller, CurrentOrganization, type Caller } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import type { Filter } from '../filter-query';
import { operatorsPage, type OperatorsPage } from '../list-query';
import { Reasoned } from './bodies.dto';
import { MasterRecords } from './master-records';
import type { MasterRecord, RecordKind } from './record-kind';
import { RecordsRepository } from './records.repository';

/** What is the same for every kind of simple record; what the replies look like is not. */
export abstract class RecordsController {
  protected abstract readonly kind: RecordKind;

  constructor(
    protected readonly administration: MasterRecords,
    private readonly records: RecordsRepository,
  ) {}

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete one; what names it shows it as deleted, and its code stays taken' })
  remove(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(Reasoned, { optional: true }) body?: Reasoned,
  ): Promise<void> {
    return this.administration.remove(this.kind, organization, caller, id, body?.reason);
  }

  protected read(organization: Organization, id: string): Promise<MasterRecord> {
    return this.administration.read(this.kind, organization, id);
  }

  protected async page(
    organization: Organization,
    filter: Filter,
    page: ListPage,
  ): Promise<OperatorsPage<MasterRecord>> {
    return operatorsPage(await this.records.list(this.kind, organization.id, filter, page), page);
  }
}
