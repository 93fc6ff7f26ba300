import { Global, Module, type Provider, type Type } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Clock } from '../kernel/clock';
import { VERSION } from '../kernel/version';
import { EffectRecords } from './effects/effect-records.port';
import { EffectRecordsRepository } from './effects/effect-records.repository';
import { EffectsRemote } from './effects/effects.remote';
import { StepwiseEffects } from './effects/stepwise-effects.port';
import { CallCounts } from './remote/call-counts.repository';
import { CallMetrics } from './remote/call-metrics';
import { Calls } from './remote/calls';
import { CallsRepository } from './remote/calls.repository';
import { FinanceConnections } from './remote/connections';
import { ConnectionsRepository } from './remote/connections.repository';
import { CallDecisions } from './remote/decisions';
import { AllocateReceiptRemotely } from './remote/effects/allocate-receipt';
import { CreateCreditScheduleRemotely } from './remote/effects/create-credit-schedule';
import { EnsureCustomerRemotely } from './remote/effects/ensure-customer';
import { RemoteFront } from './remote/front';
import { OpenValues } from './remote/open-values';
import { PaceRepository } from './remote/pace.repository';
import { ReadCache } from './remote/read-cache';
import { Reconciler } from './remote/reconciler';
import { Reconciliation } from './remote/reconciliation';
import { RemoteNames } from './remote/remote-names';
import { RemoteReads } from './remote/remote-reads';
import { RemoteSchedules } from './remote/remote-schedules.repository';
import { RequestEvidence } from './remote/request-evidence';
import { AxiosWire } from './wire/axios-wire';
import { FinanceWire } from './wire/finance-wire';
import { Pace } from './wire/pace';
import { AccountsController } from './accounts/accounts.controller';
import { AccountsEmbedded } from './accounts/accounts.embedded';
import { AccountsPort } from './accounts/accounts.port';
import { AccountsRemote } from './accounts/accounts.remote';
import { CategoriesController } from './categories/categories.controller';
import { CategoriesEmbedded } from './categories/categories.embedded';
import { CategoriesPort } from './categories/categories.port';
import { CategoriesRemote } from './categories/categories.remote';
import { CostCentersController } from './cost-centers/cost-centers.controller';
import { CostCentersEmbedded } from './cost-centers/cost-centers.embedded';
import { CostCentersPort } from './cost-centers/cost-centers.port';
import { CostCentersRemote } from './cost-centers/cost-centers.remote';
import { CustomersController } from './customers/customers.controller';
import { CustomersEmbedded } from './customers/customers.embedded';
import { CustomersPort } from './customers/customers.port';
import { CustomersRemote } from './customers/customers.remote';
import { EffectsEmbedded } from './effects/effects.embedded';
import { EffectApplier } from './effects/effects.port';
import { CountRollup } from './counts/count-rollup';
import { BalanceRollup } from './ledger/balance-rollup';
import { Payables } from './payables/payables';
import { OrganizationsController } from './organizations/organizations.controller';
import { OrganizationsEmbedded } from './organizations/organizations.embedded';
import { OrganizationsPort } from './organizations/organizations.port';
import { OrganizationsRemote } from './organizations/organizations.remote';
import { PaymentsController } from './payments/payments.controller';
import { PaymentsEmbedded } from './payments/payments.embedded';
import { PaymentsPort } from './payments/payments.port';
import { PaymentsRemote } from './payments/payments.remote';
import { ReceiptsController } from './receipts/receipts.controller';
import { ReceiptsEmbedded } from './receipts/receipts.embedded';
import { ReceiptsPort } from './receipts/receipts.port';
import { ReceiptsRemote } from './receipts/receipts.remote';
import { RecurrenceExtension } from './schedules/recurrence-extension';
import { SchedulesController } from './schedules/schedules.controller';
import { SchedulesEmbedded } from './schedules/schedules.embedded';
import { SchedulesPort } from './schedules/schedules.port';
import { SchedulesRemote } from './schedules/schedules.remote';
import { SuppliersController } from './suppliers/suppliers.controller';
import { SuppliersEmbedded } from './suppliers/suppliers.embedded';
import { SuppliersPort } from './suppliers/suppliers.port';
import { SuppliersRemote } from './suppliers/suppliers.remote';
import { Comparison } from './watch/comparison';
import { CustomerRounds } from './watch/customer-rounds';
import { ListingLook } from './watch/listing-look';
import { ListingReader } from './watch/listing-reader';
import { OwnChanges } from './watch/own-changes.repository';
import { Watch } from './watch/watch';
import { WatchCustomers } from './watch/watch-customers.repository';
import { WatchMetrics } from './watch/watch-metrics';
import { WatchRecords } from './watch/watch-records.repository';
import { WatchTurns } from './watch/watch-turns.repository';
import { Writes } from './writes';

/** Each port with what serves it: Ponte's own books, and a remote service. */
const PORTS: readonly [port: Type, embedded: Type, remote: Type][] = [
  [CustomersPort as Type, CustomersEmbedded, CustomersRemote],
  [SuppliersPort as Type, SuppliersEmbedded, SuppliersRemote],
  [SchedulesPort as Type, SchedulesEmbedded, SchedulesRemote],
  [PaymentsPort as Type, PaymentsEmbedded, PaymentsRemote],
  [ReceiptsPort as Type, ReceiptsEmbedded, ReceiptsRemote],
  [AccountsPort as Type, AccountsEmbedded, AccountsRemote],
  [CostCentersPort as Type, CostCentersEmbedded, CostCentersRemote],
  [CategoriesPort as Type, CategoriesEmbedded, CategoriesRemote],
  [OrganizationsPort as Type, OrganizationsEmbedded, OrganizationsRemote],
];

const BACKED = PORTS.flatMap(([port, embedded, remote]): Provider[] => [
  embedded,
  remote,
  {
    provide: port,
    inject: [Settings, embedded, remote],
    useFactory: ({ financeBackend }: Settings, own: object, other: object) =>
      financeBackend === 'remote' ? other : own,
  },
]);

const EFFECTS = [
  { provide: EffectApplier, useClass: EffectsEmbedded },
  { provide: StepwiseEffects, useClass: EffectsRemote },
  { provide: EffectRecords, useClass: EffectRecordsRepository },
];

const OWN_BOOKS = [Payables, Writes, BalanceRollup, CountRollup, RecurrenceExtension];

const REMOTE = [
  AllocateReceiptRemotely,
  CallCounts,
  CallDecisions,
  Calls,
  CallsRepository,
  ConnectionsRepository,
  CreateCreditScheduleRemotely,
  EnsureCustomerRemotely,
  FinanceConnections,
  OpenValues,
  ReadCache,
  Reconciler,
  Reconciliation,
  RemoteFront,
  RemoteNames,
  RemoteReads,
  RemoteSchedules,
  RequestEvidence,
];

const WATCHING = [
  Comparison,
  CustomerRounds,
  ListingLook,
  ListingReader,
  OwnChanges,
  Watch,
  WatchCustomers,
  WatchMetrics,
  WatchRecords,
  WatchTurns,
];

const SERVICE_LINE: Provider[] = [
  CallMetrics,
  { provide: Pace, useClass: PaceRepository },
  {
    provide: FinanceWire,
    inject: [Pace, Clock, Settings, CallMetrics],
    useFactory: (
      pace: Pace,
      clock: Clock,
      { financeAllowedNetworks: allowedNetworks }: Settings,
      metrics: CallMetrics,
    ) => new AxiosWire(pace, clock, { version: VERSION, allowedNetworks, onCall: metrics.onCall }),
  },
];

/**
 * The finance interface, over Ponte's own ledger or before a remote service: the ports, the appliers of effects,
 * and `/v1`. Needs `Database`, `Clock`, `SharedClock` and what the key guard asks for (`Settings`, `OrganizationsModule`) from
 * global modules, and `ScheduleModule.forRoot()` for balances to be rolled up, recurrences extended, calls of
 * unknown outcome looked into and listings looked at.
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
    OrganizationsController,
  ],
  providers: [...BACKED, ...EFFECTS, ...OWN_BOOKS, ...REMOTE, ...WATCHING, ...SERVICE_LINE],
  exports: [
    ...PORTS.map(([port]) => port),
    ...EFFECTS.map(({ provide }) => provide),
    ...OWN_BOOKS,
    ...REMOTE,
  ],
})
export class FinanceModule {}
