import type { Payload } from '../payload';
import { textSetting } from '../settings';
import { latest } from '../mapping/order-events';
import type { Settings } from '../source';
import { instantOf } from './dates';

/** Statuses that mean paid unless the source's settings name others. */
export const PAID_STATUSES =
  'paid,invoiced,handling_products,ready_for_shipping,on_carriage,shipped,delivered';
/** Statuses that mean that all that was paid went back, unless the source's settings name others. */
export const REFUNDED_STATUSES = 'refunded';
/** The order will not be paid any more: the shop cancelled it, or its payment was refused for good. */
const ENDED = ['cancelled', 'canceled', 'refused'];
const WAITING = 'waiting_payment';

/** What an order's status says, and since when it has had which. */
export class OrderStatus {
  /** The status that it has now, as Yampi spells it. */
  readonly alias: string;
  private readonly paid: readonly string[];
  private readonly refunded: readonly string[];

  /** @throws UnreadablePayload when the order has no status */
  constructor(
    private readonly order: Payload,
    settings: Settings,
    private readonly zone: string,
  ) {
    const status = order.at('status').at('data');
    this.alias = status.word('alias')?.toLowerCase() ?? status.missing('alias');
    this.paid = namesIn(textSetting(settings, 'paidStatuses') ?? PAID_STATUSES);
    this.refunded = namesIn(textSetting(settings, 'refundedStatuses') ?? REFUNDED_STATUSES);
  }

  get isPaid(): boolean {
    return this.paid.includes(this.alias);
  }

  get isRefunded(): boolean {
    return this.refunded.includes(this.alias);
  }

  get isEnded(): boolean {
    return ENDED.includes(this.alias);
  }

  get isWaiting(): boolean {
    return this.alias === WAITING;
  }

  /** Whether Ponte, or the source's settings, know what it means. */
  get isKnown(): boolean {
    return this.isPaid || this.isRefunded || this.isEnded || this.isWaiting;
  }

  /** When the order was first called paid; undefined when its history does not say so. */
  paidSince(): Date | undefined {
    const times = this.history.flatMap(({ alias, at }) => (this.paid.includes(alias) && at ? [at] : []));
    return times.length > 0 ? new Date(Math.min(...times.map((time) => time.getTime()))) : undefined;
  }

  /** When it got the status that it has now; undefined when its history does not say so. */
  since(): Date | undefined {
    return latest(this.history.filter(({ alias }) => alias === this.alias).map(({ at }) => at));
  }

  private get history(): { alias: string; at: Date | undefined }[] {
    return this.order
      .at('statuses')
      .items('data')
      .map((entry) => ({
        alias: entry.text('alias')?.toLowerCase() ?? '',
        at: instantOf(entry, 'created_at', this.zone),
      }));
  }
}

function namesIn(setting: string): string[] {
  return setting.split(',').map((name) => name.trim().toLowerCase());
}
