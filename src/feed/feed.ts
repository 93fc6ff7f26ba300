import { Injectable } from '@nestjs/common';
import { RequestsInFlight } from '../http/requests-in-flight.interceptor';
import { type Cursor, writeCursor } from './cursor';
import { FeedOrder } from './feed-order.repository';
import { LongPoll } from './long-poll';
import { type FeedPage, FeedRepository, type PageRequest } from './feed.repository';

/** What a reader asks for. `after` absent: from the oldest change that is kept. */
export type FeedRequest = Omit<PageRequest, 'after'> & { readonly after?: Cursor };

/** The feed as its readers see it: everything committed, in order, and waiting where there is nothing. */
@Injectable()
export class Feed {
  private readonly reading = new Map<string, Promise<FeedPage>>();

  constructor(
    private readonly order: FeedOrder,
    private readonly repository: FeedRepository,
    private readonly longPoll: LongPoll,
    private readonly inFlight: RequestsInFlight,
  ) {}

  /**
   * A page, at once where there is something, else after at most `waitMs`. While it waits it has no connection and no lock.
   * @param signal ends the waiting
   * @throws Problem `cursor-unknown`, `cursor-expired`
   */
  async read(request: FeedRequest, waitMs: number, signal: AbortSignal): Promise<FeedPage> {
    const deadline = performance.now() + waitMs;
    let after = request.after ?? (await this.repository.start(request.organizationId));
    for (;;) {
      const position = await this.order.assignPositions();
      const page = await this.page({ ...request, after }, position);
      const left = deadline - performance.now();
      if (page.changes.length > 0 || page.more || left <= 0) return page;
      after = page.cursor;
      const hasNew = await this.inFlight.whileIdle(() =>
        this.longPoll.waitForNew(request.organizationId, position, left, signal),
      );
      if (!hasNew) return page;
    }
  }

  /** Those who stand at the same place, most of all at the end, share one reading. */
  private page(request: PageRequest, position: bigint): Promise<FeedPage> {
    const { organizationId, after, limit, types } = request;
    const name = JSON.stringify([`${position}`, organizationId, writeCursor(after), limit, types]);
    const shared = this.reading.get(name);
    if (shared) return shared;
    const own = this.repository.read(request).finally(() => this.reading.delete(name));
    this.reading.set(name, own);
    return own;
  }
}
