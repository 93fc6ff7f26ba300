import { Global, Module } from '@nestjs/common';
import { WorkflowsModule } from '../workflows/workflows.module';
import { ErasureLeases } from './erasure-leases.repository';
import { ErasureList } from './erasure-list.repository';
import { ErasureSteps } from './erasure-steps';
import { ErasureWorker } from './erasure-worker';
import { PersonFinder } from './person-finder';
import { PersonReads } from './person-reads.repository';
import { PersonWrites } from './person-writes.repository';
import { PlaceWalk } from './place-walk.repository';
import { PersonExport } from './person-export.repository';

/** Finding, exporting and erasing what is stored of a person. */
@Global()
@Module({
  imports: [WorkflowsModule],
  providers: [
    ErasureLeases,
    ErasureList,
    ErasureSteps,
    ErasureWorker,
    PersonExport,
    PersonFinder,
    PersonReads,
    PersonWrites,
    PlaceWalk,
  ],
  exports: [ErasureList, PersonExport, PersonFinder, PersonWrites, ErasureWorker],
})
export class PrivacyModule {}
