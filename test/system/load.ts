import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { formatMinor } from '../../src/kernel/money';
import { signedHeaders } from '../../src/sources/registry';
import { cpfNumber } from '../support/documents';
import type { Random } from '../support/random';

/** An order of the load with what its books must come to. */
export interface LoadOrder extends DemoOrder {
  totalMinor: bigint;
}

/** One webhook to be delivered until it is acknowledged. */
export interface LoadWebhook {
  /** Slug of whom it is for; absent: `main`. */
  organization?: string;
  topic: string;
  id: string;
  body: Buffer;
}

/**
 * Odd totals, some instalments, and customers that come back.
 * @param after orders and customers with numbers up to this one are somebody else's
 */
export function makeOrders(count: number, random: Random, after = 0, mostInstalments = 12): LoadOrder[] {
  return Array.from({ length: count }, (_, index) => {
    const totalMinor = BigInt(random.between(1_00, 9_999_99));
    const customer = after + random.between(1, Math.ceil(count / 4));
    return {
      id: 7_000_000_000_000 + after + index,
      number: after + index,
      total: formatMinor(totalMinor),
      totalMinor,
      name: `Cliente ${customer}`,
      document: cpfNumber(customer),
      email: `cliente${customer}@example.com`,
      instalments: random.between(1, mostInstalments),
    };
  });
}

/** Each order is created and paid, in either order, and about one in three is said to be paid twice. */
export function makeWebhooks(orders: readonly LoadOrder[], random: Random): LoadWebhook[] {
  return orders.flatMap((order) => {
    const created = { topic: 'orders/create', id: `c-${order.id}`, body: shopifyOrder(order, false) };
    const paid = { topic: 'orders/paid', id: `p-${order.id}`, body: shopifyOrder(order, true) };
    const again = random.next() < 0.33 ? [{ ...paid, id: `a-${order.id}` }] : [];
    return random.next() < 0.5 ? [created, paid, ...again] : [paid, ...again, created];
  });
}

/** Sends every webhook, and sends it again until somebody acknowledges it. */
export class Sender {
  private acknowledged = 0;
  private tries = 0;
  private url: string | undefined;
  private isOver = false;

  constructor(
    private readonly secret: string,
    private readonly onAcknowledged: (count: number) => void,
  ) {}

  /** How many tries ended without an answer. */
  get unanswered(): number {
    return this.tries - this.acknowledged;
  }

  /** Where the service listens now; undefined while it is down. */
  aim(url: string | undefined): void {
    this.url = url;
  }

  /** Repeats nothing any more: whoever waits for an acknowledgement that did not come gets an error. */
  giveUp(): void {
    this.isOver = true;
  }

  async sendAll(webhooks: readonly LoadWebhook[], connections: number): Promise<void> {
    const queue = [...webhooks];
    const work = async (): Promise<void> => {
      for (let webhook = queue.shift(); webhook; webhook = queue.shift())
        await this.sendUntilAcknowledged(webhook);
    };
    await Promise.all(Array.from({ length: connections }, work));
  }

  private async sendUntilAcknowledged(webhook: LoadWebhook): Promise<void> {
    while (!(await this.send(webhook))) {
      if (this.isOver) throw new Error('the trial is over');
      await sleep(20);
    }
    this.acknowledged += 1;
    this.onAcknowledged(this.acknowledged);
  }

  /** @throws Error when the service refuses what it must take */
  private async send({ organization = 'main', topic, id, body }: LoadWebhook): Promise<boolean> {
    if (this.url === undefined) return false;
    this.tries += 1;
    let status: number;
    try {
      const headers = signedHeaders('shopify', { topic, body, id, secret: this.secret, sentAt: new Date() });
      const reply = await fetch(`${this.url}/hooks/${organization}/shopify`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      await reply.arrayBuffer();
      status = reply.status;
    } catch {
      return false;
    }
    // 408: the process stood still, or was kept from its work, while the body came.
    if (status === 200 || status === 408 || status === 503) return status === 200;
    throw new Error(`a good webhook was answered ${status}`);
  }
}
