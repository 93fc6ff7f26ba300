import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { DeferredMetrics } from '../workflows/deferred/deferred-metrics';
import { DeferredWorker, DueEffectsList } from '../workflows/deferred/deferred-worker';
import type { DueEffects } from '../workflows/deferred/due-effects';
import { EmbeddedDueEffects } from '../workflows/deferred/embedded-due-effects';
import { OutsideDueEffects } from '../workflows/deferred/outside-due-effects';
import { RemoteDueEffects } from '../workflows/deferred/remote-due-effects';
import { EmbeddedWorkflowEngine } from '../workflows/embedded-workflow-engine';
import { RemoteWorkflowEngine } from '../workflows/remote-workflow-engine';
import { WorkflowsModule } from '../workflows/workflows.module';
import { BegunBatches } from './begun-batches.repository';
import { Catalog } from './catalog';
import { ComparisonWorker } from './comparison/comparison-worker';
import { Comparisons } from './comparison/comparisons.repository';
import { SourceComparison } from './comparison/source-comparison';
import { DeadLetterLog } from './dead-letter-log';
import { DeliveriesRepository } from './deliveries.repository';
import { BodyMonths } from './body-months.repository';
import { BodyRetention } from './body-retention';
import { DeliveryBodies } from './delivery-bodies.repository';
import { DeliveryLeases } from './delivery-leases.repository';
import { DeliveryCounts } from './delivery-counts.repository';
import { DeliveryList } from './delivery-list.repository';
import { DeliveryPeriods } from './delivery-period.repository';
import { DeliveryQueue } from './delivery-queue.repository';
import { DeliveryRequeue } from './delivery-requeue.repository';
import { DeliveryWorker } from './delivery-worker';
import { AccessTokens } from './fetch-back/access-tokens';
import { FetchedAnswers } from './fetch-back/fetched-answers.repository';
import { Fetches } from './fetch-back/fetches';
import { ProviderRequests } from './fetch-back/provider-requests';
import { PublicKeyCache } from './fetch-back/public-key-cache';
import { SourceAccess } from './fetch-back/source-access.repository';
import { FinanceAvailability } from './finance-availability';
import { HooksController } from './hooks.controller';
import { Imports } from './import/imports';
import { Inbox } from './inbox';
import { AdmissionControl } from './admission-control';
import { IntakeMetrics } from './intake-metrics';
import { Interruptions } from './interruptions';
import { UnsupportedDeliveries } from './unsupported-deliveries';
import { RefusedWebhooks } from './refused-webhooks';
import { RemoteDeliveryWorker } from './remote-delivery-worker';
import { ResumedDeliveries } from './resumed-deliveries';
import { SourceHealthRepository } from './source-health/source-health.repository';
import { SourceHealthCheck } from './source-health/source-health-check';
import { UsualGaps } from './source-health/usual-gaps.repository';
import { HookApi } from './registered-hooks/hook-api';
import { HookCheck } from './registered-hooks/hook-check';
import { HookEpisodes } from './registered-hooks/hook-episodes';
import { SourceHooks } from './registered-hooks/source-hooks';
import { SourceHooksRepository } from './registered-hooks/source-hooks.repository';
import { SourceCredentials } from './source-credentials.repository';
import { SourceDirectory } from './source-directory';
import { SourceRefusals } from './source-refusals.repository';
import { SourceLookup } from './source-lookup';
import { SourceStatuses } from './source-status.repository';
import { SourcesRepository } from './sources.repository';
import { DiskSpace, StorageSpace } from './storage-space';
import { EventsOfDeliveries } from './stored-events';
import { StoredNotifier } from './stored-notifier';
import { StoreRouting } from './store-routing';
import { AnsweredFailures } from './switch-off/answered-failures';
import { SourceFailuresRepository } from './switch-off/source-failures.repository';
import { SwitchOffCheck } from './switch-off/switch-off-check';
import { WorkMetrics } from './work-metrics';
import { SupersededLetters } from './superseded-letters';
import { Worker } from './worker';
import { WorkerLag } from './worker-lag';

interface BackendWork {
  worker: Type<Worker>;
  /** What applies deferred effects to the books. */
  due: Type<DueEffects>;
  providers: Provider[];
}

/** What works on deliveries, on Ponte's own books or before a remote finance service. */
const WORK: Readonly<Record<Settings['financeBackend'], BackendWork>> = {
  embedded: {
    worker: DeliveryWorker,
    due: EmbeddedDueEffects,
    providers: [EmbeddedWorkflowEngine],
  },
  remote: {
    worker: RemoteDeliveryWorker,
    due: RemoteDueEffects,
    providers: [RemoteWorkflowEngine, FinanceAvailability],
  },
};

/** Receiving webhooks and working on them. Needs `Database`, `Settings`, `Clock`, `Metrics`, `Health`. */
@Module({
  imports: [WorkflowsModule],
  controllers: [HooksController],
  providers: [
    AccessTokens,
    AnsweredFailures,
    BegunBatches,
    Catalog,
    Comparisons,
    ComparisonWorker,
    BodyMonths,
    BodyRetention,
    DeadLetterLog,
    DeliveriesRepository,
    DeliveryBodies,
    DeliveryCounts,
    DeliveryLeases,
    DeliveryList,
    DeliveryPeriods,
    DeliveryQueue,
    DeliveryRequeue,
    EventsOfDeliveries,
    FetchedAnswers,
    Fetches,
    ProviderRequests,
    PublicKeyCache,
    DiskSpace,
    HookApi,
    HookCheck,
    HookEpisodes,
    Imports,
    Inbox,
    AdmissionControl,
    IntakeMetrics,
    Interruptions,
    UnsupportedDeliveries,
    RefusedWebhooks,
    ResumedDeliveries,
    SourceAccess,
    SourceComparison,
    SourceCredentials,
    SourceDirectory,
    SourceFailuresRepository,
    SourceHealthCheck,
    SourceHealthRepository,
    SourceHooks,
    SourceHooksRepository,
    SourceLookup,
    SourceRefusals,
    SourceStatuses,
    SourcesRepository,
    StorageSpace,
    StoredNotifier,
    StoreRouting,
    SupersededLetters,
    SwitchOffCheck,
    UsualGaps,
    WorkerLag,
    WorkMetrics,
  ],
  exports: [
    Catalog,
    Comparisons,
    DeliveriesRepository,
    DeliveryBodies,
    DeliveryList,
    DeliveryPeriods,
    DeliveryRequeue,
    EventsOfDeliveries,
    HookEpisodes,
    Imports,
    ResumedDeliveries,
    SourceAccess,
    SourceCredentials,
    SourceDirectory,
    SourceHooks,
    SourceHooksRepository,
    SourceLookup,
    SourceStatuses,
    SourcesRepository,
  ],
})
export class DeliveriesModule {
  /** With the worker and the engine of the chosen backend, and nothing of the other. */
  static for({ financeBackend }: Pick<Settings, 'financeBackend'>): DynamicModule {
    const { worker, due, providers } = WORK[financeBackend];
    const ways = {
      provide: DueEffectsList,
      inject: [due, OutsideDueEffects],
      useFactory: (...all: DueEffects[]): DueEffectsList => ({ all }),
    };
    const chosen = {
      provide: Worker,
      inject: [worker, StorageSpace],
      useFactory(only: Worker, storage: StorageSpace): Worker {
        only.pauseWhile(() => storage.tooLowToWork);
        return only;
      },
    };
    return {
      module: DeliveriesModule,
      global: true,
      providers: [
        ...providers,
        worker,
        chosen,
        due,
        OutsideDueEffects,
        ways,
        DeferredWorker,
        DeferredMetrics,
      ],
      exports: [Worker],
    };
  }
}
