import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Clock } from '../kernel/clock';
import { VERSION } from '../kernel/version';
import { EffectRecords } from './api/effects/effect-records.port';
import { EffectRecordsRepository } from './effects/effect-records.repository';
import { EffectsRemote } from './remote/effects/effects.remote';
import { RemoteEffectApplier } from './api/effects/remote-effect-applier.port';
import { CallMetrics } from './remote/calls/call-metrics';
import { Calls } from './remote/calls/calls';
import { CallStore } from './remote/calls/call-store.repository';
import { FinanceConnections } from './remote/connections/connections';
import { ConnectionsRepository } from './remote/connections/connections.repository';
import { CallDecisions } from './remote/calls/decisions';
import { RemoteEffectTools } from './remote/effects/remote-effect';
import { RemoteFinanceGateway } from './remote/gateway/remote-finance-gateway';
import { REMOTE_PORTS, remotePort } from './remote/gateway/remote-ports';
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
import { BookDetailsPort } from './api/ports/book-details.port';
import { BookDetailsEmbedded } from './embedded/entries/book-details.embedded';
import { BookDetailsRemote } from './remote/reads/book-details.remote';
import { CategoriesPort } from './api/ports/categories.port';
import { CostCentersController } from './api/controllers/cost-centers.controller';
import { CostCentersEmbedded } from './embedded/cost-centers/cost-centers.embedded';
import { CostCentersPort } from './api/ports/cost-centers.port';
import { CustomersController } from './api/controllers/customers.controller';
import { CustomersEmbedded } from './embedded/customers/customers.embedded';
import { CustomersPort } from './api/ports/customers.port';
import { EffectsEmbedded } from './embedded/effects/effects.embedded';
import { EffectApplier } from './api/effects/effects.port';
import { CountRollup } from './embedded/counts/count-rollup';
import { BalanceRollup } from './embedded/accounts/balance-rollup';
import { Payables } from './embedded/payables/payables';
import { OrganizationsPort } from './api/ports/organizations.port';
import { PaymentsController } from './api/controllers/payments.controller';
import { PaymentsEmbedded } from './embedded/payments/payments.embedded';
import { PaymentsPort } from './api/ports/payments.port';
import { ReceiptsController } from './api/controllers/receipts.controller';
import { ReceiptsEmbedded } from './embedded/receipts/receipts.embedded';
import { ReceiptsPort } from './api/ports/receipts.port';
import { OverdueRun } from './embedded/schedules/overdue-run';
import { RecurrenceExtension } from './embedded/schedules/recurrence-extension';
import { SchedulesController } from './api/controllers/schedules.controller';
import { SchedulesEmbedded } from './embedded/schedules/schedules.embedded';
import { SchedulesPort } from './api/ports/schedules.port';
import { SuppliersPort } from './api/ports/suppliers.port';
import { Comparison } from './change-detection/comparison';
import { CustomerPoll } from './change-detection/customer-poll';
import { ListingPoll } from './change-detection/listing-poll';
import { ListingReader } from './change-detection/listing-reader';
import { OwnChanges } from './change-detection/own-changes.repository';
import { ChangeDetector } from './change-detection/change-detector';
import { PolledCustomers } from './change-detection/polled-customers.repository';
import { ChangeDetectionMetrics } from './change-detection/change-detection-metrics';
import { ObservedRecords } from './change-detection/observed-records.repository';
import { PollLeases } from './change-detection/poll-leases.repository';
import {
  CategoriesController,
  OrganizationsController,
  SuppliersController,
} from './api/controllers/listed-records.controllers';
import { EmbeddedBooks } from './embedded/embedded-books.embedded';
import {
  CategoriesEmbedded,
  OrganizationsEmbedded,
  SuppliersEmbedded,
} from './embedded/listed-records.embedded';
import { IdempotentTransaction } from './embedded/idempotency/idempotent-transaction';

const EMBEDDED_PORTS: readonly [port: Type, books: Type][] = [
  [CustomersPort as Type, CustomersEmbedded],
  [SuppliersPort as Type, SuppliersEmbedded],
  [SchedulesPort as Type, SchedulesEmbedded],
  [PaymentsPort as Type, PaymentsEmbedded],
  [ReceiptsPort as Type, ReceiptsEmbedded],
  [AccountsPort as Type, AccountsEmbedded],
  [CostCentersPort as Type, CostCentersEmbedded],
  [CategoriesPort as Type, CategoriesEmbedded],
  [OrganizationsPort as Type, OrganizationsEmbedded],
];

/**
 * What operators reach whoever keeps the books. The database may hold connections, and calls to be decided on, of a
 * service that kept them before; addresses for payables refuse by a guard, which needs their controller made.
 */
const SHARED: Provider[] = [
  { provide: EffectRecords, useClass: EffectRecordsRepository },
  CallDecisions,
  CallStore,
  ConnectionsRepository,
  IdempotentTransaction,
  Payables,
];

/** Ponte's own books. */
const EMBEDDED: Provider[] = [
  ...EMBEDDED_PORTS.map(([provide, useClass]) => ({ provide, useClass })),
  { provide: BookDetailsPort, useClass: BookDetailsEmbedded },
  { provide: EffectApplier, useClass: EffectsEmbedded },
  BalanceRollup,
  CountRollup,
  EmbeddedBooks,
  OverdueRun,
  RecurrenceExtension,
];

const CHANGE_DETECTION: Provider[] = [
  Comparison,
  CustomerPoll,
  ListingPoll,
  ListingReader,
  OwnChanges,
  ChangeDetector,
  PolledCustomers,
  ChangeDetectionMetrics,
  ObservedRecords,
  PollLeases,
];

/** A finance service elsewhere, which announces nothing by itself. */
const REMOTE: Provider[] = [
  ...REMOTE_PORTS.map(([provide, resource]) => ({
    provide,
    inject: [RemoteFinanceGateway],
    useFactory: (gateway: RemoteFinanceGateway) => remotePort(gateway, resource),
  })),
  { provide: BookDetailsPort, useClass: BookDetailsRemote },
  { provide: RemoteEffectApplier, useClass: EffectsRemote },
  CallEvidence,
  CallMetrics,
  Calls,
  FinanceConnections,
  OpenValues,
  ReadCache,
  Reconciler,
  RemoteEffectTools,
  RemoteFinanceGateway,
  RemoteNames,
  RemoteReads,
  ...CHANGE_DETECTION,
  { provide: RateLimiter, useClass: RateLimiterRepository },
  {
    provide: FinanceClient,
    inject: [RateLimiter, Clock, Settings, CallMetrics],
    useFactory: (
      rateLimiter: RateLimiter,
      clock: Clock,
      { financeAllowedNetworks: allowedNetworks }: Settings,
      metrics: CallMetrics,
    ) =>
      new HttpFinanceClient(rateLimiter, clock, {
        version: VERSION,
        allowedNetworks,
        onCall: metrics.onCall,
      }),
  },
];

/**
 * The finance interface, over Ponte's own ledger or before a remote service: the ports, the appliers of effects,
 * and `/v1`. Needs `Database`, `Clock`, `SharedClock` and what the key guard asks for (`Settings`, `OrganizationsModule`)
 * from global modules, and `ScheduleModule.forRoot()` for balances to be rolled up, recurrences extended and overdue
 * schedules announced, or for calls of unknown outcome to be read back and listings to be polled.
 */
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
})
export class FinanceModule {
  /** With what serves the chosen backend, and nothing of the other. */
  static for({ financeBackend }: Pick<Settings, 'financeBackend'>): DynamicModule {
    const backend = financeBackend === 'remote' ? REMOTE : EMBEDDED;
    const providers = [...SHARED, ...backend];
    return { module: FinanceModule, global: true, providers, exports: providers };
  }
}
