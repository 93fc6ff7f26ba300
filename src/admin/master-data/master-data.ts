import { type CanActivate, Injectable, UseGuards } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { EntriesRepository } from '../../finance/embedded/entries/entries.repository';
import { Problem } from '../../kernel/problem';
import { AccountRecordsRepository } from './account-records.repository';
import { AccountsAdminController, EntriesController } from './books.controllers';
import { MasterRecords } from './master-records';
import { PayablesController } from './payables.controller';
import {
  BanksController,
  CategoriesAdminController,
  CategoryGroupsController,
  CostCentersAdminController,
} from './records.controllers';
import { RecordsRepository } from './records.repository';
import { CustomersAdminController, SuppliersAdminController } from './stakeholders.controllers';
import { StakeholdersRepository } from './stakeholders.repository';
import { Suppliers } from './suppliers';

/** Lets nobody keep records here that only the finance service can have. */
@Injectable()
class OwnBooksGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  /** @throws Problem conflict when the books are kept by a remote finance service */
  canActivate(): boolean {
    if (this.settings.financeBackend === 'embedded') return true;
    throw new Problem('conflict', 'The finance service keeps these records: FINANCE_BACKEND is remote');
  }
}

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
];
