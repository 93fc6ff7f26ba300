import { Controller, Delete, Get, Injectable, Patch, Post, type Type } from '@nestjs/common';
import type { ListPage } from '../../kernel/list-page';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, CurrentOrganization, type Actor } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { FilterQuery, type Filter } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, AnswersPage, Creates, Does } from '../operation';
import {
  BankChangeBody,
  CategoryChangeBody,
  CategoryGroupChangeBody,
  type ChangeBody,
  CostCenterChangeBody,
  NewBankBody,
  NewCategoryBody,
  NewCategoryGroupBody,
  NewCostCenterBody,
  Reasoned,
} from './bodies.dto';
import { MasterRecords } from './master-records';
import {
  BANK,
  CATEGORY,
  CATEGORY_GROUP,
  COST_CENTER,
  type MasterRecord,
  type RecordKind,
} from './record-kind';
import {
  BankRecordView,
  CategoryGroupRecordView,
  CategoryRecordView,
  CostCenterRecordView,
} from './records.dto';
import { RecordsRepository } from './records.repository';

/** How one kind of simple records looks on the wire. */
interface RecordShapes {
  /** Of a reply. */
  view: Type;
  /** Of a request that makes one. */
  made: Type<Reasoned>;
  /** Of a request that changes one. */
  changed: Type<ChangeBody>;
}

/** The five operations on a kind of simple records. @param plural of the kind's title */
function recordsController(kind: RecordKind, plural: string, { view, made, changed }: RecordShapes): Type {
  @Injectable()
  class RecordsController {
    constructor(
      private readonly administration: MasterRecords,
      private readonly records: RecordsRepository,
    ) {}

    @Post()
    @Creates(view, `Make a ${kind.title}`)
    create(@CurrentActor() actor: Actor, @JsonBody(made) body: Reasoned): Promise<MasterRecord> {
      return this.administration.create(kind, actor, body);
    }

    @Get()
    @AnswersPage(view, `List ${plural}, newest first`)
    async list(
      @CurrentOrganization() organization: Organization,
      @ListQuery() page: ListPage,
      @FilterQuery(kind.filters) filter: Filter,
    ): Promise<OperatorsPage<MasterRecord>> {
      return operatorsPage(await this.records.list(kind, organization.id, filter, page), page);
    }

    @Get(':id')
    @Answers(view, 'Read one, deleted or not')
    get(
      @CurrentOrganization() organization: Organization,
      @UuidParam('id') id: string,
    ): Promise<MasterRecord> {
      return this.administration.read(kind, organization, id);
    }

    @Patch(':id')
    @Answers(view, `Change a ${kind.title}, or revive it`)
    change(
      @CurrentActor() actor: Actor,
      @UuidParam('id') id: string,
      @JsonBody(changed) body: ChangeBody,
    ): Promise<MasterRecord> {
      return this.administration.change(kind, actor, id, body);
    }

    @Delete(':id')
    @Does('Delete one; what names it shows it as deleted, and its code stays taken')
    remove(
      @CurrentActor() actor: Actor,
      @UuidParam('id') id: string,
      @JsonBody(Reasoned, { optional: true }) body?: Reasoned,
    ): Promise<void> {
      return this.administration.remove(kind, actor, id, body?.reason);
    }
  }
  return RecordsController;
}

@OperatorsApi('Banks')
@Controller('admin/organizations/:org/banks')
export class BanksController extends recordsController(BANK, 'banks', {
  view: BankRecordView,
  made: NewBankBody,
  changed: BankChangeBody,
}) {}

@OperatorsApi('Categories')
@Controller('admin/organizations/:org/category-groups')
export class CategoryGroupsController extends recordsController(CATEGORY_GROUP, 'category groups', {
  view: CategoryGroupRecordView,
  made: NewCategoryGroupBody,
  changed: CategoryGroupChangeBody,
}) {}

@OperatorsApi('Categories')
@Controller('admin/organizations/:org/categories')
export class CategoriesAdminController extends recordsController(CATEGORY, 'categories', {
  view: CategoryRecordView,
  made: NewCategoryBody,
  changed: CategoryChangeBody,
}) {}

@OperatorsApi('Cost centers')
@Controller('admin/organizations/:org/cost-centers')
export class CostCentersAdminController extends recordsController(COST_CENTER, 'cost centers', {
  view: CostCenterRecordView,
  made: NewCostCenterBody,
  changed: CostCenterChangeBody,
}) {}
