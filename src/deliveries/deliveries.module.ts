import { Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { WorkflowsModule } from '../workflows/workflows.module';
import { DeliveriesRepository } from './deliveries.repository';
import { BodyRetention } from './body-retention';
import { DeliveryBodies } from './delivery-bodies.repository';
import { DeliveryLeases } from './delivery-leases.repository';
import { DeliveryList } from './delivery-list.repository';
import { DeliveryQueue } from './delivery-queue.repository';
import { DeliveryReturns } from './delivery-returns.repository';
import { DeliveryWorker } from './delivery-worker';
import { FinanceRest } from './finance-rest';
import { HooksController } from './hooks.controller';
import { Inbox } from './inbox';
import { IntakeMetrics } from './intake-metrics';
import { SourceDirectory } from './source-directory';
import { SourcesRepository } from './sources.repository';
import { EventsOfDeliveries } from './stored-events';
import { StepwiseWorker } from './stepwise-worker';
import { Worker } from './worker';
import { WorkerLag } from './worker-lag';

/** Receiving webhooks and working on them. Needs `Database`, `Settings`, `Clock`, `Metrics`, `Health`. */
@Module({
  imports: [WorkflowsModule],
  controllers: [HooksController],
  providers: [
    BodyRetention,
    DeliveriesRepository,
    DeliveryBodies,
    DeliveryLeases,
    DeliveryList,
    DeliveryQueue,
    DeliveryReturns,
    EventsOfDeliveries,
    DeliveryWorker,
    FinanceRest,
    Inbox,
    IntakeMetrics,
    SourceDirectory,
    SourcesRepository,
    StepwiseWorker,
    WorkerLag,
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
    DeliveriesRepository,
    DeliveryBodies,
    DeliveryList,
    DeliveryReturns,
    EventsOfDeliveries,
    Worker,
    SourceDirectory,
    SourcesRepository,
  ],
})
export class DeliveriesModule {}
