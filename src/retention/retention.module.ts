import { Module } from '@nestjs/common';
import { Retention } from './retention';
import { RetentionProgress } from './retention-progress.repository';

/** Removes what is kept for a time only. Needs `Settings`, `Database`, `SharedClock`, `Metrics` and the organizations. */
@Module({
  providers: [RetentionProgress, Retention],
  exports: [RetentionProgress],
})
export class RetentionModule {}
