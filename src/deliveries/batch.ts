import { EventLoopShare } from '../kernel/event-loop-share';
import { newId } from '../kernel/identifier';
import type { ClaimedDelivery, Completion } from './delivery-queue.repository';
import type { LeasedDelivery } from './delivery-leases.repository';
import { DeliverySpans } from './delivery-spans';
import type { Ended } from './work-metrics';

/** From so many deliveries, or bytes of their bodies, a batch counts as long. */
const MANY = 32;
const MANY_BYTES = 1024 * 1024;
/** Milliseconds after which no further delivery is taken into a transaction: it waits for the next, as ready as before. */
const TAKE_MS = 2_000;

/** A delivery's end with what the metrics count of it. */
export type Completed = Completion & Ended;

/** What one transaction works on. */
export class Batch {
  readonly id = newId();
  readonly spans = new DeliverySpans();
  readonly ended: Completed[] = [];
  readonly share = new EventLoopShare();
  /** What is to be worked on; all of it is locked. */
  claimed: ClaimedDelivery[] = [];
  /** What has to be fetched before; it is leased when the transaction is committed. */
  unfetched: LeasedDelivery[] = [];
  /** What was taken into the transaction so far, with the milliseconds that planning it took. */
  readonly taken = new Map<ClaimedDelivery, number>();
  /** Whether all the time was used that there is for taking deliveries. */
  usedUp = false;
  private readonly startedAt = performance.now();

  constructor(
    /** The only deliveries that it may be made of; absent: any. */
    readonly only?: readonly string[],
    /** Organizations whose deliveries it is not made of. */
    readonly except: readonly string[] = [],
  ) {}

  get full(): boolean {
    return this.taken.size > 0 && performance.now() - this.startedAt > TAKE_MS;
  }

  get isLong(): boolean {
    const bytes = this.claimed.reduce((sum, { body }) => sum + body.length, 0);
    return this.claimed.length >= MANY || bytes >= MANY_BYTES;
  }

  get ids(): string[] {
    return this.claimed.map(({ id }) => id);
  }

  get longestPlanMs(): number {
    return Math.max(0, ...this.taken.values());
  }
}
