import { Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { WorkflowsModule } from '../workflows/workflows.module';
import { BegunBatches } from './begun-batches.repository';
import { Catalog } from './catalog';
import { DeadLetterLog } from './dead-letter-log';
import { DeliveriesRepository } from './deliveries.repository';
import { BodyMonths } from './body-months.repository';
import { BodyRetention } from './body-retention';
import { DeliveryBodies } from './delivery-bodies.repository';
import { DeliveryLeases } from './delivery-leases.repository';
import { DeliveryCounts } from './delivery-counts.repository';
import { DeliveryList } from './delivery-list.repository';
import { DeliveryQueue } from './delivery-queue.repository';
import { DeliveryRequeue } from './delivery-requeue.repository';
import { DeliveryWorker } from './delivery-worker';
import { FinanceAvailability } from './finance-availability';
import { HooksController } from './hooks.controller';
import { Inbox } from './inbox';
import { AdmissionControl } from './admission-control';
import { IntakeMetrics } from './intake-metrics';
import { Interruptions } from './interruptions';
import { LeftToOthers } from './left-to-others';
import { RefusedWebhooks } from './refused-webhooks';
import { SourceDirectory } from './source-directory';
import { SourceRefusals } from './source-refusals.repository';
import { SourceLookup } from './source-lookup';
import { SourceStatuses } from './source-status.repository';
import { SourcesRepository } from './sources.repository';
import { DiskSpace, StorageSpace } from './storage-space';
import { EventsOfDeliveries } from './stored-events';
import { StoredNotifier } from './stored-notifier';
import { StepwiseWorker } from './stepwise-worker';
import { WorkMetrics } from './work-metrics';
import { SupersededLetters } from './superseded-letters';
import { Worker } from './worker';
import { WorkerLag } from './worker-lag';

/** Receiving webhooks and working on them. Needs `Database`, `Settings`, `Clock`, `Metrics`, `Health`. */
@Module({
  imports: [WorkflowsModule],
  controllers: [HooksController],
  providers: [
    BegunBatches,
    Catalog,
    BodyMonths,
    BodyRetention,
    DeadLetterLog,
    DeliveriesRepository,
    DeliveryBodies,
    DeliveryCounts,
    DeliveryLeases,
    DeliveryList,
    DeliveryQueue,
    DeliveryRequeue,
    EventsOfDeliveries,
    DeliveryWorker,
    DiskSpace,
    FinanceAvailability,
    Inbox,
    AdmissionControl,
    IntakeMetrics,
    Interruptions,
    LeftToOthers,
    RefusedWebhooks,
    SourceDirectory,
    SourceLookup,
    SourceRefusals,
    SourceStatuses,
    SourcesRepository,
    StepwiseWorker,
    StorageSpace,
    StoredNotifier,
    SupersededLetters,
    WorkerLag,
    WorkMetrics,
    {
      provide: Worker,
      inject: [Settings, DeliveryWorker, StepwiseWorker, StorageSpace],
      useFactory: (
        { financeBackend }: Settings,
        embedded: DeliveryWorker,
        stepwise: StepwiseWorker,
        storage: StorageSpace,
      ): Worker => {
        const worker = financeBackend === 'remote' ? stepwise : embedded;
        worker.pauseWhile(() => storage.tooLowToWork);
        return worker;
      },
    },
  ],
  exports: [
    Catalog,
    DeliveriesRepository,
    DeliveryBodies,
    DeliveryList,
    DeliveryRequeue,
    EventsOfDeliveries,
    Worker,
    SourceDirectory,
    SourceStatuses,
    SourcesRepository,
  ],
})
export class DeliveriesModule {}
