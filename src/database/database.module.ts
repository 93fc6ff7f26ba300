import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Database } from './database';
import { openDatabase } from './open-database';

/** Provides {@link Database}, opened and up to date. {@link Settings} must be provided globally. */
@Module({
  providers: [{ provide: Database, inject: [Settings], useFactory: openDatabase }],
  exports: [Database],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  /** The last of Nest's shutdown hooks: whoever still works with the database ends that in an earlier one. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
