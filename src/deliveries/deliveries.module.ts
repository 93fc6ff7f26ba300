import { Module } from '@nestjs/common';
import { WorkflowsModule } from '../workflows/workflows.module';
import { DeliveriesRepository } from './deliveries.repository';
import { DeliveryQueue } from './delivery-queue.repository';
import { DeliveryWorker } from './delivery-worker';
import { HooksController } from './hooks.controller';
import { Inbox } from './inbox';
import { IntakeMetrics } from './intake-metrics';
import { SourceDirectory } from './source-directory';
import { SourcesRepository } from './sources.repository';
import { WorkerLag } from './worker-lag';

/** Receiving webhooks and working on them. Needs `Database`, `Settings`, `Clock`, `Metrics`, `Health`. */
@Module({
  imports: [WorkflowsModule],
  controllers: [HooksController],
  providers: [
    DeliveriesRepository,
    DeliveryQueue,
    DeliveryWorker,
    Inbox,
    IntakeMetrics,
    SourceDirectory,
    SourcesRepository,
    WorkerLag,
  ],
  exports: [DeliveriesRepository, DeliveryWorker, SourceDirectory, SourcesRepository],
})
export class DeliveriesModule {}
