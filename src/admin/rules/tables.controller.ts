import { Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { OperatorsApi } from '../../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import type { LookupTable } from '../../rules/lookup-table';
import { RulesRepository } from '../../rules/rules.repository';
import { TableAdministration } from './table-administration';
import { TableBody, TableList, TableView } from './tables.dto';

/** What rules look things up in. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org/tables')
export class TablesController {
  constructor(
    private readonly rules: RulesRepository,
    private readonly administration: TableAdministration,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the lookup tables, all of them, by name' })
  @ApiOkResponse({ type: TableList })
  async list(@CurrentOrganization() organization: Organization): Promise<TableList> {
    const tables = await this.rules.tables(organization.id);
    return { items: [...tables.values()].map(viewOf), after: null };
  }

  @Get(':name')
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Show a lookup table' })
  @ApiOkResponse({ type: TableView })
  async show(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
  ): Promise<TableView> {
    return viewOf(await this.administration.get(organization, name));
  }

  @Put(':name')
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Make a lookup table, or replace its entries' })
  @ApiOkResponse({ type: TableView })
  async put(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @Param('name') name: string,
    @JsonBody(TableBody) { entries, reason }: TableBody,
  ): Promise<TableView> {
    return viewOf(await this.administration.put(organization, caller, name, entries, reason ?? undefined));
  }
}

function viewOf({ name, entries }: LookupTable): TableView {
  return { name, entries: Object.fromEntries(entries) };
}
