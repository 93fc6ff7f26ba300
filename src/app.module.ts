import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AdminModule } from './admin/admin.module';
import { ConfigModule } from './config/config.module';
import { ConsoleModule } from './console/console.module';
import type { Configuration } from './config/configuration';
import type { Settings } from './config/settings';
import type { Database } from './database/database';
import { ClockModule } from './database/clock.module';
import { DatabaseModule } from './database/database.module';
import { DeliveriesModule } from './deliveries/deliveries.module';
import { FeedModule } from './feed/feed.module';
import { FinanceModule } from './finance/finance.module';
import { LimitsModule } from './http/limits.module';
import { NotificationsModule } from './notifications/notifications.module';
import { OpsModule } from './ops/ops.module';
import { OrganizationsModule } from './organizations/organizations.module';
import { RetentionModule } from './retention/retention.module';
import { PrivacyModule } from './privacy/privacy.module';
import { ErasureRequestsModule } from './privacy/requests/requests.module';
import { SourceProviders } from './sources/source-providers';

/** The composition root: every module, once; and the providers whose webhooks are taken, for all of them. */
@Module({})
export class AppModule {
  /** @param sources providers of webhooks: those of the registry unless others are given */
  static with(
    settings: Settings,
    configuration: Configuration,
    database: Database,
    sources = new SourceProviders(),
  ): DynamicModule {
    return {
      module: AppModule,
      global: true,
      providers: [{ provide: SourceProviders, useValue: sources }],
      exports: [SourceProviders],
      imports: [
        ConfigModule.with(settings, configuration),
        DatabaseModule.with(database),
        ClockModule,
        ScheduleModule.forRoot(),
        LimitsModule,
        OpsModule,
        OrganizationsModule,
        FinanceModule.for(settings),
        NotificationsModule,
        ErasureRequestsModule,
        DeliveriesModule.for(settings),
        PrivacyModule,
        FeedModule,
        RetentionModule,
        AdminModule,
        ConsoleModule,
      ],
    };
  }
}
