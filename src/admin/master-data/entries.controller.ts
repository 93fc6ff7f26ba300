import { Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { ListPage } from '../../deliveries/deliveries.repository';
import { EntriesRepository, ENTRY_KINDS, type EntryRecord } from '../../finance/embedded/entries/entries.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { FilterQuery, type Filter } from '../filter-query';
import { ApiOperatorsPage, ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Reasoned } from './bodies.dto';
import { EntryView } from './books.dto';
import { Reconciliation } from './reconciliation';

/** The ledger itself, as booked. */
@OperatorsApi('Entries')
@Controller('admin/organizations/:org/entries')
export class EntriesController {
  constructor(
    private readonly entries: EntriesRepository,
    private readonly reconciliation: Reconciliation,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List entries, newest first; what was taken back only with reversed=true',
  })
  @ApiOperatorsPage(EntryView)
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery({ account: 'uuid', schedule: 'uuid', kind: ENTRY_KINDS, reversed: 'flag' }) filter: Filter,
  ): Promise<OperatorsPage<EntryRecord>> {
    const { reversed, ...given } = filter;
    const wanted = { ...given, reversed: reversed === 'true' || given['kind'] === 'reversal' };
    return operatorsPage(await this.entries.list(organization, wanted, page), page);
  }

  @Put(':id/reconciliation')
  @HttpCode(204)
  @ApiOperation({ summary: "Mark an entry as found on the bank's statement: it cannot be taken back then" })
  mark(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
  ): Promise<void> {
    return this.reconciliation.mark(organization, caller, id);
  }

  @Delete(':id/reconciliation')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take that mark away' })
  unmark(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(Reasoned, { optional: true }) body?: Reasoned,
  ): Promise<void> {
    return this.reconciliation.unmark(organization, caller, id, body?.reason);
  }
}
