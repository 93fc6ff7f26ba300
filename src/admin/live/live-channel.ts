import type { Organization } from '../../kernel/organization';
import type { OpenCountsView, ReceivedView } from '../overview/overview.dto';
import type { Overviews } from '../overview/overviews';
import type { LiveListener } from './live-listener';
import { type LiveDelivery, type LiveReads, MOST_READ } from './live.repository';

/** Deliveries that are sent to listeners after one check. */
const MOST_SENT = 50;
/** Deliveries whose state is remembered beside those that are read anyway. */
const MOST_REMEMBERED = 500;
/** What was received is counted so often although no delivery is seen to change, in milliseconds: older ones may. */
const COUNTED_EVERY_MS = 10_000;
/** The age of what waits grows every second; it is sent so often, in milliseconds. */
const LAG_EVERY_MS = 10_000;
/** A check may take so much of the time between two of them, at most. */
const SHARE = 0.1;

/** How an organization is doing. */
export interface LiveState {
  /** The organization's day that was counted. */
  readonly date: string;
  readonly received: ReceivedView;
  readonly open: OpenCountsView;
  readonly lagSeconds: number | null;
  /** When deliveries were read, by the database's clock; ISO 8601. */
  readonly at: string;
}

/** Who listens to an organization, and what they know of it: one check serves them all. */
export class LiveChannel {
  readonly listeners = new Set<LiveListener>();
  private state: LiveState | undefined;
  private beginning: Promise<void> | undefined;
  /** States by identifier, as they were seen last. */
  private known = new Map<string, LiveDelivery['state']>();
  /** By the database's clock. */
  private readAt: Date | undefined;
  /** On the monotonic clock, in milliseconds. */
  private countedAt = 0;
  private sentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;
  private closed = false;

  /**
   * @param checkEveryMs milliseconds between the beginnings of two checks, at least
   * @param failed called with the error of a check that failed; the next one comes all the same
   */
  constructor(
    public organization: Organization,
    private readonly overviews: Overviews,
    private readonly reads: LiveReads,
    private readonly checkEveryMs: number,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** How things are: at once where somebody listens already. The checks begin with it. */
  async now(): Promise<LiveState> {
    this.beginning ??= this.begin();
    await this.beginning;
    if (!this.state) throw new Error('a channel began without a state');
    return this.state;
  }

  /** Ends the checks. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.beginning?.catch(() => undefined);
    await this.checking;
  }

  private async begin(): Promise<void> {
    await this.changes();
    this.state = await this.read();
    this.plan(this.checkEveryMs);
  }

  private plan(afterMs: number): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      const began = performance.now();
      this.checking = this.check()
        .catch(this.failed)
        .finally(() => {
          const took = performance.now() - began;
          this.plan(Math.max(this.checkEveryMs - took, took / SHARE - took));
        });
    }, afterMs);
  }

  private async check(): Promise<void> {
    const { changed, more } = await this.changes();
    for (const { isRecent: _isRecent, ...delivery } of changed.slice(0, MOST_SENT))
      this.send('delivery', delivery);
    if (more || changed.length > MOST_SENT) this.send('more', {});
    const before = this.state;
    const isDue = performance.now() - this.countedAt > COUNTED_EVERY_MS;
    const state = await this.read(changed.length > 0 || more || isDue ? undefined : before);
    this.state = state;
    if (!before || this.differs(before, state)) {
      this.sentAt = performance.now();
      this.send('state', state);
    }
  }

  private send(event: string, data: object): void {
    for (const listener of this.listeners) listener.send(event, data);
  }

  /**
   * What changed since it was asked before.
   * @returns `more`: there may be others, which were not read
   */
  private async changes(): Promise<{ changed: LiveDelivery[]; more: boolean }> {
    const { known, readAt } = this;
    const again = [...known].flatMap(([id, state]) => (state === 'waiting' || state === 'dead' ? [id] : []));
    const { deliveries, at } = await this.reads.read(this.organization, again, readAt);
    this.readAt = at;
    this.known = remembered(deliveries);
    const changed = deliveries.filter(({ id, state, isRecent }) => {
      const before = known.get(id);
      return before === undefined ? isRecent : before !== state;
    });
    const newest = deliveries.slice(0, MOST_READ);
    const more =
      newest.length === MOST_READ && newest.every(({ id, isRecent }) => isRecent && !known.has(id));
    return { changed, more };
  }

  /** @param before of which what was received is taken over where it is the same day; absent: it is counted */
  private async read(before?: LiveState): Promise<LiveState> {
    const { organization } = this;
    const { lagSeconds, open } = await this.overviews.openNow(organization);
    const day = this.overviews.today(organization);
    const date = day.toString();
    let received = before?.date === date ? before.received : undefined;
    if (!received) {
      received = await this.overviews.received(organization, day);
      this.countedAt = performance.now();
    }
    const at = this.readAt?.toISOString() ?? '';
    return { date, received, open, lagSeconds, at };
  }

  private differs(before: LiveState, now: LiveState): boolean {
    if (before.lagSeconds === null || now.lagSeconds === null) {
      if (before.lagSeconds !== now.lagSeconds) return true;
    } else if (performance.now() - this.sentAt > LAG_EVERY_MS) return true;
    const counts = ({ date, received, open }: LiveState) => JSON.stringify([date, received, open]);
    return counts(before) !== counts(now);
  }
}

/** Those that each check reads anyway, and of the others the newest. */
function remembered(deliveries: readonly LiveDelivery[]): Map<string, LiveDelivery['state']> {
  const newest = deliveries.slice(0, MOST_REMEMBERED + MOST_READ);
  return new Map(newest.map(({ id, state }) => [id, state]));
}
