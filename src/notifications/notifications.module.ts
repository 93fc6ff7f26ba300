import { Global, Module } from '@nestjs/common';
import { OutsideEffects } from '../finance/api/effects/outside-effects.port';
import { NotificationEndpoints } from './endpoints.repository';
import { Notifications } from './notifications';

/** Signed messages to addresses that operators listed. Needs `Database`, `Settings`, `Clock`, `SharedClock`. */
@Global()
@Module({
  providers: [NotificationEndpoints, { provide: OutsideEffects, useClass: Notifications }],
  exports: [NotificationEndpoints, OutsideEffects],
})
export class NotificationsModule {}
