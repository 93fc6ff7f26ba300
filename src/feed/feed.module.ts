import { Module } from '@nestjs/common';
import { ChangesAbout } from './changes-about.repository';
import { Feed } from './feed';
import { FeedCursorsController } from './feed-cursors.controller';
import { FeedCursors } from './feed-cursors.repository';
import { FeedHealth } from './feed-health';
import { FeedMetrics } from './feed-metrics';
import { FeedOrder } from './feed-order.repository';
import { LongPoll } from './long-poll';
import { FeedController } from './feed.controller';
import { FeedRepository } from './feed.repository';

/**
 * The feed over HTTP. Needs `Database`, `Clock`, `Health`, `Metrics`, what the key guard and the limits ask for, and
 * `ScheduleModule.forRoot()` for what was committed to be put in order while nobody reads.
 */
@Module({
  controllers: [FeedController, FeedCursorsController],
  providers: [ChangesAbout, Feed, FeedCursors, FeedHealth, FeedMetrics, FeedOrder, FeedRepository, LongPoll],
  exports: [ChangesAbout, FeedOrder],
})
export class FeedModule {}
