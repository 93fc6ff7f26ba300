import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from './database';

/** Provides an open {@link Database} to every module, and closes it when the application ends. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(Database) private readonly database: Database) {}

  static with(database: Database): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [{ provide: Database, useValue: database }],
      exports: [Database],
    };
  }

  /** The last of Nest's shutdown hooks: whoever still works with the database ends that in an earlier one. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
