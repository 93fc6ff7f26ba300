import { Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { ListPage } from '../deliveries/deliveries.repository';
import { OperatorsApi } from '../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../http/caller';
import { JsonBody } from '../http/json-body';
import type { Organization } from '../kernel/organization';
import { OrganizationsRepository, type OrganizationRecord } from '../organizations/organizations.repository';
import { ApiOperatorsPage, ListQuery, operatorsPage, type OperatorsPage } from './list-query';
import { OrganizationAdministration } from './organization-administration';
import { NewOrganizationBody, OrganizationChangeBody, OrganizationView } from './organizations.dto';

@OperatorsApi('Organizations')
@Controller('admin/organizations')
export class OrganizationsAdminController {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly administration: OrganizationAdministration,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: "Make an organization, with a chart of accounts on request; operators' key only" })
  @ApiCreatedResponse({ type: OrganizationView })
  create(
    @CurrentCaller() caller: Caller,
    @JsonBody(NewOrganizationBody) body: NewOrganizationBody,
  ): Promise<OrganizationRecord> {
    return this.administration.create(caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List the organizations the key may see, newest first' })
  @ApiOperatorsPage(OrganizationView)
  async list(
    @CurrentCaller() caller: Caller,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<OrganizationRecord>> {
    if (!caller.organization)
      return operatorsPage(await this.organizations.records(page.limit, page.after), page);
    return { items: [await this.organizations.record(caller.organization.id)], after: null };
  }

  @Get(':org')
  @ApiOperation({ summary: 'Read one organization' })
  @ApiOkResponse({ type: OrganizationView })
  get(@CurrentOrganization() organization: Organization): Promise<OrganizationRecord> {
    return this.organizations.record(organization.id);
  }

  @Patch(':org')
  @ApiOperation({ summary: 'Change an organization; its currency only while nothing is booked' })
  @ApiOkResponse({ type: OrganizationView })
  change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(OrganizationChangeBody) body: OrganizationChangeBody,
  ): Promise<OrganizationRecord> {
    return this.administration.change(organization, caller, body);
  }
}
