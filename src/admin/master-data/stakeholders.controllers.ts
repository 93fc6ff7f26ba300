import { Controller, Get, Delete, Patch, Post } from '@nestjs/common';
import type { ListPage } from '../../kernel/list-page';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization, CurrentActor, type Actor } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { FilterQuery, type Filter } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, AnswersPage, Creates, Does } from '../operation';
import { Reasoned } from './bodies.dto';
import { StakeholderRecordView } from './stakeholders.dto';
import { STAKEHOLDER_FILTERS, StakeholdersRepository } from './stakeholders.repository';
import { Suppliers } from './suppliers';
import { NewSupplierBody, SupplierChangeBody } from './suppliers.dto';

@OperatorsApi('Customers')
@Controller('admin/organizations/:org/customers')
export class CustomersAdminController {
  constructor(private readonly stakeholders: StakeholdersRepository) {}

  @Get()
  @AnswersPage(StakeholderRecordView, 'List customers, newest first')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(STAKEHOLDER_FILTERS) filter: Filter,
  ): Promise<OperatorsPage<StakeholderRecordView>> {
    return operatorsPage(await this.stakeholders.list('customer', organization.id, filter, page), page);
  }

  @Get(':id')
  @Answers(StakeholderRecordView, 'Read a customer with everything that is stored of it')
  async get(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<StakeholderRecordView> {
    const found = await this.stakeholders.find('customer', organization.id, id);
    if (!found) throw new Problem('not-found', 'The organization has no such customer');
    return found;
  }
}

@OperatorsApi('Suppliers')
@Controller('admin/organizations/:org/suppliers')
export class SuppliersAdminController {
  constructor(
    private readonly suppliers: Suppliers,
    private readonly stakeholders: StakeholdersRepository,
  ) {}

  @Post()
  @Creates(StakeholderRecordView, 'Register a supplier')
  create(
    @CurrentActor() actor: Actor,
    @JsonBody(NewSupplierBody) body: NewSupplierBody,
  ): Promise<StakeholderRecordView> {
    return this.suppliers.create(actor, body);
  }

  @Get()
  @AnswersPage(StakeholderRecordView, 'List suppliers, newest first')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(STAKEHOLDER_FILTERS) filter: Filter,
  ): Promise<OperatorsPage<StakeholderRecordView>> {
    return operatorsPage(await this.stakeholders.list('supplier', organization.id, filter, page), page);
  }

  @Get(':id')
  @Answers(StakeholderRecordView, 'Read a supplier, deleted or not')
  get(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<StakeholderRecordView> {
    return this.suppliers.read(organization, id);
  }

  @Patch(':id')
  @Answers(StakeholderRecordView, 'Change a supplier, or revive it')
  change(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(SupplierChangeBody) body: SupplierChangeBody,
  ): Promise<StakeholderRecordView> {
    return this.suppliers.change(actor, id, body);
  }

  @Delete(':id')
  @Does('Delete a supplier; what names it shows it as deleted')
  remove(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(Reasoned, { optional: true }) body?: Reasoned,
  ): Promise<void> {
    return this.suppliers.remove(actor, id, body?.reason);
  }
}
