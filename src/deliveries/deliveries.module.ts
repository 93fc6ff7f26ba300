import { Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { WorkflowsModule } from '../workflows/workflows.module';
import { Catalog } from './catalog';
import { DeliveriesRepository } from './deliveries.repository';
import { BodyMonths } from './body-months.repository';
import { BodyRetention } from './body-retention';
import { DeliveryBodies } from './delivery-bodies.repository';
import { DeliveryLeases } from './delivery-leases.repository';
import { DeliveryCounts } from './delivery-counts.repository';
import { DeliveryList } from './delivery-list.repository';
import { DeliveryQueue } from './delivery-queue.repository';
import { DeliveryReturns } from './delivery-returns.repository';
import { DeliveryWorker } from './delivery-worker';
import { FinanceRest } from './finance-rest';
import { HooksController } from './hooks.controller';
import { Inbox } from './inbox';
import { IntakeGate } from './intake-gate';
import { IntakeMetrics } from './intake-metrics';
import { SourceDirectory } from './source-directory';
import { SourceStatuses } from './source-status.repository';
import { SourcesRepository } from './sources.repository';
import { EventsOfDeliveries } from './stored-events';
import { StoredNews } from './stored-news';
import { StepwiseWorker } from './stepwise-worker';
import { WorkMetrics } from './work-metrics';
import { Worker } from './worker';
import { WorkerLag } from './worker-lag';

/** Receiving webhooks and working on them. Needs `Database`, `Settings`, `Clock`, `Metrics`, `Health`. */
@Module({
  imports: [WorkflowsModule],
  controllers: [HooksController],
  providers: [
    Catalog,
    BodyMonths,
    BodyRetention,
    DeliveriesRepository,
    DeliveryBodies,
    DeliveryCounts,
    DeliveryLeases,
    DeliveryList,
    DeliveryQueue,
    DeliveryReturns,
    EventsOfDeliveries,
    DeliveryWorker,
    FinanceRest,
    Inbox,
    IntakeGate,
    IntakeMetrics,
    SourceDirectory,
    SourceStatuses,
    SourcesRepository,
    StepwiseWorker,
    StoredNews,
    WorkerLag,
    WorkMetrics,
    {
      provide: Worker,
      inject: [Settings, DeliveryWorker, StepwiseWorker],
      useFactory: (
        { financeBackend }: Settings,
        embedded: DeliveryWorker,
        stepwise: StepwiseWorker,
      ): Worker => (financeBackend === 'remote' ? stepwise : embedded),
    },
  ],
  exports: [
    Catalog,
    DeliveriesRepository,
    DeliveryBodies,
    DeliveryList,
    DeliveryReturns,
    EventsOfDeliveries,
    Worker,
    SourceDirectory,
    SourceStatuses,
    SourcesRepository,
  ],
})
export class DeliveriesModule {}
