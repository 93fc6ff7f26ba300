import { Controller, Get, Patch, Post } from '@nestjs/common';
import type { ListPage } from '../kernel/list-page';
import { OperatorsApi } from '../http/api';
import { CurrentActor, type Actor, CurrentOrganization, CurrentCaller, type Caller } from '../http/caller';
import { JsonBody } from '../http/json-body';
import type { Organization } from '../kernel/organization';
import { OrganizationsRepository, type OrganizationRecord } from '../organizations/organizations.repository';
import { ListQuery, operatorsPage, type OperatorsPage } from './list-query';
import { Answers, AnswersPage, Creates } from './operation';
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
  @Creates(OrganizationView, "Make an organization, with a chart of accounts on request; operators' key only")
  create(
    @CurrentCaller() caller: Caller,
    @JsonBody(NewOrganizationBody) body: NewOrganizationBody,
  ): Promise<OrganizationRecord> {
    return this.administration.create(caller, body);
  }

  @Get()
  @AnswersPage(OrganizationView, 'List the organizations the key may see, newest first')
  async list(
    @CurrentCaller() caller: Caller,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<OrganizationRecord>> {
    if (!caller.organization)
      return operatorsPage(await this.organizations.records(page.limit, page.after), page);
    return { items: [await this.organizations.record(caller.organization.id)], after: null };
  }

  @Get(':org')
  @Answers(OrganizationView, 'Read one organization')
  get(@CurrentOrganization() organization: Organization): Promise<OrganizationRecord> {
    return this.organizations.record(organization.id);
  }

  @Patch(':org')
  @Answers(OrganizationView, 'Change an organization; its currency only while nothing is booked')
  change(
    @CurrentActor() actor: Actor,
    @JsonBody(OrganizationChangeBody) body: OrganizationChangeBody,
  ): Promise<OrganizationRecord> {
    return this.administration.change(actor, body);
  }
}
