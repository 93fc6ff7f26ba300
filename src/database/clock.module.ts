import { Global, Module } from '@nestjs/common';
import { Clock, SharedClock } from '../kernel/clock';
import { ClockSkew } from './clock-skew';
import { Database } from './database';
import { DatabaseClock } from './database-clock';

/** The clock that all replicas share, measured before anybody asks for it. Needs `Database`, `Clock`, health and metrics. */
@Global()
@Module({
  providers: [
    {
      provide: DatabaseClock,
      inject: [Database, Clock],
      useFactory: (database: Database, clock: Clock) => DatabaseClock.start(database, clock),
    },
    { provide: SharedClock, useExisting: DatabaseClock },
    ClockSkew,
  ],
  exports: [SharedClock],
})
export class ClockModule {}
