import { Global, Module } from '@nestjs/common';
import { AccountsController } from './accounts/accounts.controller';
import { AccountsEmbedded } from './accounts/accounts.embedded';
import { AccountsPort } from './accounts/accounts.port';
import { CategoriesController } from './categories/categories.controller';
import { CategoriesEmbedded } from './categories/categories.embedded';
import { CategoriesPort } from './categories/categories.port';
import { CostCentersController } from './cost-centers/cost-centers.controller';
import { CostCentersEmbedded } from './cost-centers/cost-centers.embedded';
import { CostCentersPort } from './cost-centers/cost-centers.port';
import { CustomersController } from './customers/customers.controller';
import { CustomersEmbedded } from './customers/customers.embedded';
import { CustomersPort } from './customers/customers.port';
import { EffectsEmbedded } from './effects/effects.embedded';
import { EffectApplier } from './effects/effects.port';
import { BalanceRollup } from './ledger/balance-rollup';
import { Payables } from './payables/payables';
import { PaymentsController } from './payments/payments.controller';
import { PaymentsEmbedded } from './payments/payments.embedded';
import { PaymentsPort } from './payments/payments.port';
import { ReceiptsController } from './receipts/receipts.controller';
import { ReceiptsEmbedded } from './receipts/receipts.embedded';
import { ReceiptsPort } from './receipts/receipts.port';
import { RecurrenceExtension } from './schedules/recurrence-extension';
import { SchedulesController } from './schedules/schedules.controller';
import { SchedulesEmbedded } from './schedules/schedules.embedded';
import { SchedulesPort } from './schedules/schedules.port';
import { SuppliersController } from './suppliers/suppliers.controller';
import { SuppliersEmbedded } from './suppliers/suppliers.embedded';
import { SuppliersPort } from './suppliers/suppliers.port';
import { Writes } from './writes';

const PORTS = [
  { provide: CustomersPort, useClass: CustomersEmbedded },
  { provide: SuppliersPort, useClass: SuppliersEmbedded },
  { provide: SchedulesPort, useClass: SchedulesEmbedded },
  { provide: PaymentsPort, useClass: PaymentsEmbedded },
  { provide: ReceiptsPort, useClass: ReceiptsEmbedded },
  { provide: AccountsPort, useClass: AccountsEmbedded },
  { provide: CostCentersPort, useClass: CostCentersEmbedded },
  { provide: CategoriesPort, useClass: CategoriesEmbedded },
  { provide: EffectApplier, useClass: EffectsEmbedded },
];

/**
 * The finance interface over Ponte's own ledger: the ports, the applier of effects, and `/v1`. Needs `Database`,
 * `Clock` and what the key guard asks for (`Settings`, `OrganizationsModule`) from global modules, and
 * `ScheduleModule.forRoot()` for balances to be rolled up and recurrences extended.
 */
@Global()
@Module({
  controllers: [
    CustomersController,
    SuppliersController,
    SchedulesController,
    PaymentsController,
    ReceiptsController,
    AccountsController,
    CostCentersController,
    CategoriesController,
  ],
  providers: [...PORTS, Payables, Writes, BalanceRollup, RecurrenceExtension],
  exports: [...PORTS.map(({ provide }) => provide), Payables, Writes, BalanceRollup, RecurrenceExtension],
})
export class FinanceModule {}
