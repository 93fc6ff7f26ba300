import { Global, Module } from '@nestjs/common';
import { OutsideEffects } from '../finance/api/effects/outside-effects.port';
import { WorkflowsModule } from '../workflows/workflows.module';
import { Emails } from './email/emails';
import { NotificationEndpoints } from './endpoints.repository';
import { Notifications } from './notifications';
import { SentEffects } from './sent-effects';
import { OpenItems } from './subscriptions/open-items.repository';
import { SubscriptionMessages } from './subscriptions/subscription-messages';
import { Subscriptions } from './subscriptions/subscriptions.repository';

/** Messages to addresses that operators listed. Needs `Database`, `Settings`, `Clock`, `SharedClock`. */
@Global()
@Module({
  imports: [WorkflowsModule],
  providers: [
    NotificationEndpoints,
    Notifications,
    Emails,
    { provide: OutsideEffects, useClass: SentEffects },
    Subscriptions,
    OpenItems,
    SubscriptionMessages,
  ],
  exports: [NotificationEndpoints, OutsideEffects, Subscriptions],
})
export class NotificationsModule {}
