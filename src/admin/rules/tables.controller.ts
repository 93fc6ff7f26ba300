import { Controller, Get, Param, Put } from '@nestjs/common';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import type { LookupTable } from '../../rules/lookup-table';
import { RulesRepository } from '../../rules/rules.repository';
import { Answers } from '../operation';
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
  @Answers(TableList, 'List the lookup tables, all of them, by name')
  async list(@CurrentOrganization() organization: Organization): Promise<TableList> {
    const tables = await this.rules.tables(organization.id);
    return { items: [...tables.values()].map(viewOf), after: null };
  }

  @Get(':name')
  @Answers(TableView, 'Show a lookup table')
  async show(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
  ): Promise<TableView> {
    return viewOf(await this.administration.get(organization, name));
  }

  @Put(':name')
  @Answers(TableView, 'Make a lookup table, or replace its entries')
  async put(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @JsonBody(TableBody) { entries, reason }: TableBody,
  ): Promise<TableView> {
    return viewOf(await this.administration.put(actor, name, entries, reason ?? undefined));
  }
}

function viewOf({ name, entries }: LookupTable): TableView {
  return { name, entries: Object.fromEntries(entries) };
}
