import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../config/settings';
import { type Channel, Database } from '../database/database';
import { Inbox } from './inbox';
import { Worker } from './worker';

const CHANNEL: Channel = 'ponte_delivery_stored';
/** Milliseconds at least between the end of one notification and the beginning of the next. */
const SILENCE_MS = 10;

/**
 * Where receiving and working are different processes, those that receive notify those that work that there is something
 * to do. It is only a hint: a worker that misses it finds the delivery at its next poll.
 */
@Injectable()
export class StoredNotifier implements OnApplicationBootstrap {
  private readonly logger = new Logger(StoredNotifier.name);
  private notifying = false;
  private pending = false;
  private failing = false;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly inbox: Inbox,
    private readonly worker: Worker,
  ) {}

  onApplicationBootstrap(): void {
    const { role } = this.settings;
    if (role === 'api') this.inbox.onStored(() => this.scheduleNotify());
    if (role === 'worker') this.database.listen(CHANNEL, () => this.worker.wake());
  }

  /** Once for whatever is stored while a notification is under way, so that a busy intake does not notify of each delivery. */
  private scheduleNotify(): void {
    this.pending = true;
    if (!this.notifying) void this.notifyWhilePending();
  }

  private async notifyWhilePending(): Promise<void> {
    this.notifying = true;
    while (this.pending) {
      this.pending = false;
      await this.notify();
      await new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
    }
    this.notifying = false;
  }

  private async notify(): Promise<void> {
    try {
      await this.database.notify(CHANNEL);
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn({
          msg: 'intake: workers could not be notified of stored deliveries; they poll every half a second',
          err: error,
        });
      this.failing = true;
    }
  }
}
