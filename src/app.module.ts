import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AdminModule } from './admin/admin.module';
import { ConfigModule } from './config/config.module';
import type { Configuration } from './config/configuration';
import type { Settings } from './config/settings';
import type { Database } from './database/database';
import { ClockModule } from './database/clock.module';
import { DatabaseModule } from './database/database.module';
import { DeliveriesModule } from './deliveries/deliveries.module';
import { FeedModule } from './feed/feed.module';
import { FinanceModule } from './finance/finance.module';
import { LimitsModule } from './http/limits.module';
import { OpsModule } from './ops/ops.module';
import { OrganizationsModule } from './organizations/organizations.module';

/** The composition root: every module, once. */
@Module({})
export class AppModule {
  static with(settings: Settings, configuration: Configuration, database: Database): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(settings, configuration),
        DatabaseModule.with(database),
        ClockModule,
        ScheduleModule.forRoot(),
        LimitsModule,
        OpsModule,
        OrganizationsModule,
        FinanceModule,
        DeliveriesModule,
        FeedModule,
        AdminModule,
      ],
    };
  }
}
