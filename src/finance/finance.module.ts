import { Global, Module, type Provider, type Type } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Clock } from '../kernel/clock';
import { VERSION } from '../kernel/version';
import { EffectRecords } from './api/effects/effect-records.port';
import { EffectRecordsRepository } from './effects/effect-records.repository';
import { EffectsRemote } from './remote/effects/effects.remote';
import { StepwiseEffects } from './api/effects/stepwise-effects.port';
import { CallMetrics } from './remote/calls/call-metrics';
import { Calls } from './remote/calls/calls';
import { CallStore } from './remote/calls/call-store.repository';
import { FinanceConnections } from './remote/connections/connections';
import { ConnectionsRepository } from './remote/connections/connections.repository';
import { CallDecisions } from './remote/calls/decisions';
import { AllocateReceiptRemotely } from './remote/effects/allocate-receipt';
import { CreateCreditScheduleRemotely } from './remote/effects/create-credit-schedule';
import { EnsureCustomerRemotely } from './remote/effects/ensure-customer';
import { RemoteFinanceGateway } from './remote/gateway/remote-finance-gateway';
import { OpenValues } from './remote/reconciliation/open-values';
import { RateLimiterRepository } from './remote/calls/rate-limiter.repository';
import { ReadCache } from './remote/reads/read-cache';
import { Reconciler } from './remote/reconciliation/reconciler';
import { RemoteNames } from './remote/reads/remote-names';
import { RemoteReads } from './remote/reads/remote-reads';
import { CallEvidence } from './remote/reconciliation/call-evidence';
import { HttpFinanceClient } from './remote/client/http-finance-client';
import { FinanceClient } from './remote/client/finance-client';
import { RateLimiter } from './remote/client/rate-limiter';
import { AccountsController } from './api/controllers/accounts.controller';
import { AccountsEmbedded } from './embedded/accounts/accounts.embedded';
import { AccountsPort } from './api/ports/accounts.port';
import { AccountsRemote } from './remote/gateway/accounts.remote';
import { CategoriesController } from './api/controllers/categories.controller';
import { CategoriesEmbedded } from './embedded/categories/categories.embedded';
import { CategoriesPort } from './api/ports/categories.port';
import { CategoriesRemote } from './remote/gateway/categories.remote';
import { CostCentersController } from './api/controllers/cost-centers.controller';
import { CostCentersEmbedded } from './embedded/cost-centers/cost-centers.embedded';
import { CostCentersPort } from './api/ports/cost-centers.port';
import { CostCentersRemote } from './remote/gateway/cost-centers.remote';
import { CustomersController } from './api/controllers/customers.controller';
import { CustomersEmbedded } from './embedded/customers/customers.embedded';
import { CustomersPort } from './api/ports/customers.port';
import { CustomersRemote } from './remote/gateway/customers.remote';
import { EffectsEmbedded } from './embedded/effects/effects.embedded';
import { EffectApplier } from './api/effects/effects.port';
import { CountRollup } from './embedded/counts/count-rollup';
import { BalanceRollup } from './embedded/ledger/balance-rollup';
import { Payables } from './embedded/payables/payables';
import { OrganizationsController } from './api/controllers/organizations.controller';
import { OrganizationsEmbedded } from './embedded/organizations/organizations.embedded';
import { OrganizationsPort } from './api/ports/organizations.port';
import { OrganizationsRemote } from './remote/gateway/organizations.remote';
import { PaymentsController } from './api/controllers/payments.controller';
import { PaymentsEmbedded } from './embedded/payments/payments.embedded';
import { PaymentsPort } from './api/ports/payments.port';
import { PaymentsRemote } from './remote/gateway/payments.remote';
import { ReceiptsController } from './api/controllers/receipts.controller';
import { ReceiptsEmbedded } from './embedded/receipts/receipts.embedded';
import { ReceiptsPort } from './api/ports/receipts.port';
import { ReceiptsRemote } from './remote/gateway/receipts.remote';
import { RecurrenceExtension } from './embedded/schedules/recurrence-extension';
import { SchedulesController } from './api/controllers/schedules.controller';
import { SchedulesEmbedded } from './embedded/schedules/schedules.embedded';
import { SchedulesPort } from './api/ports/schedules.port';
import { SchedulesRemote } from './remote/gateway/schedules.remote';
import { SuppliersController } from './api/controllers/suppliers.controller';
import { SuppliersEmbedded } from './embedded/suppliers/suppliers.embedded';
import { SuppliersPort } from './api/ports/suppliers.port';
import { SuppliersRemote } from './remote/gateway/suppliers.remote';
import { Comparison } from './change-detection/comparison';
import { CustomerPoll } from './change-detection/customer-poll';
import { ListingPoll } from './change-detection/listing-poll';
import { ListingReader } from './change-detection/listing-reader';
import { OwnChanges } from './change-detection/own-changes.repository';
import { Watch } from './change-detection/change-detector';
import { PolledCustomers } from './change-detection/polled-customers.repository';
import { ChangeDetectionMetrics } from './change-detection/change-detection-metrics';
import { ObservedRecords } from './change-detection/observed-records.repository';
import { PollLeases } from './change-detection/poll-leases.repository';
import { IdempotentTransaction } from './embedded/idempotency/idempotent-transaction';

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

const OWN_BOOKS = [Payables, IdempotentTransaction, BalanceRollup, CountRollup, RecurrenceExtension];

const REMOTE = [
  AllocateReceiptRemotely,
  CallDecisions,
  CallEvidence,
  Calls,
  CallStore,
  ConnectionsRepository,
  CreateCreditScheduleRemotely,
  EnsureCustomerRemotely,
  FinanceConnections,
  OpenValues,
  ReadCache,
  Reconciler,
  RemoteFinanceGateway,
  RemoteNames,
  RemoteReads,
];

const WATCHING = [
  Comparison,
  CustomerPoll,
  ListingPoll,
  ListingReader,
  OwnChanges,
  Watch,
  PolledCustomers,
  ChangeDetectionMetrics,
  ObservedRecords,
  PollLeases,
];

const SERVICE_LINE: Provider[] = [
  CallMetrics,
  { provide: RateLimiter, useClass: RateLimiterRepository },
  {
    provide: FinanceClient,
    inject: [RateLimiter, Clock, Settings, CallMetrics],
    useFactory: (
      pace: RateLimiter,
      clock: Clock,
      { financeAllowedNetworks: allowedNetworks }: Settings,
      metrics: CallMetrics,
    ) => new HttpFinanceClient(pace, clock, { version: VERSION, allowedNetworks, onCall: metrics.onCall }),
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
