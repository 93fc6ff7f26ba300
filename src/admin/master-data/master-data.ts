import { UseGuards } from '@nestjs/common';
import { EntriesRepository } from '../../finance/embedded/entries/entries.repository';
import { AccountRecordsRepository } from './account-records.repository';
import { AccountsAdminController } from './accounts-admin.controller';
import { BanksController } from './banks.controller';
import { CategoriesAdminController } from './categories-admin.controller';
import { CategoryGroupsController } from './category-groups.controller';
import { CostCentersAdminController } from './cost-centers-admin.controller';
import { CustomersAdminController } from './customers-admin.controller';
import { EntriesController } from './entries.controller';
import { MasterRecords } from './master-records';
import { OwnBooksGuard } from './own-books.guard';
import { PayablesController } from './payables.controller';
import { Reconciliation } from './reconciliation';
import { RecordsRepository } from './records.repository';
import { StakeholdersRepository } from './stakeholders.repository';
import { SuppliersAdminController } from './suppliers-admin.controller';
import { Suppliers } from './suppliers';

/** The part of the operators' API that is about an organization's records and books. */
export const MASTER_DATA_CONTROLLERS = [
  BanksController,
  CategoryGroupsController,
  CategoriesAdminController,
  CostCentersAdminController,
  SuppliersAdminController,
  CustomersAdminController,
  AccountsAdminController,
  EntriesController,
  PayablesController,
];

for (const controller of MASTER_DATA_CONTROLLERS) UseGuards(OwnBooksGuard)(controller);

export const MASTER_DATA_PROVIDERS = [
  RecordsRepository,
  MasterRecords,
  StakeholdersRepository,
  Suppliers,
  AccountRecordsRepository,
  EntriesRepository,
  Reconciliation,
];
