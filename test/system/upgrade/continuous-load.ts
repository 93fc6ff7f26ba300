import { Random } from '../../support/random';
import { type LoadOrder, type LoadWebhook, makeOrders, makeWebhooks } from '../load';
import type { LoadBalancer } from './load-balancer';

/** Orders that are made at once. */
const CHUNK = 20;

/** Orders without end, each created and paid, until it is stopped. */
export class ContinuousLoad {
  readonly orders: LoadOrder[] = [];
  readonly webhooks: LoadWebhook[] = [];
  private readonly queue: LoadWebhook[] = [];
  private readonly random: Random;
  private readonly senders: Promise<void>[];
  private stopped = false;

  constructor(
    private readonly balancer: LoadBalancer,
    seed: number,
    connections: number,
  ) {
    this.random = new Random(seed);
    this.senders = Array.from({ length: connections }, () => this.send());
  }

  /** Makes no more orders. Resolves when all webhooks of those that were made are acknowledged. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.senders);
  }

  private async send(): Promise<void> {
    for (let webhook = this.next(); webhook; webhook = this.next()) await this.balancer.deliver(webhook);
  }

  private next(): LoadWebhook | undefined {
    if (this.queue.length === 0 && !this.stopped) {
      const orders = makeOrders(CHUNK, this.random, this.orders.length);
      const webhooks = makeWebhooks(orders, this.random);
      this.orders.push(...orders);
      this.webhooks.push(...webhooks);
      this.queue.push(...webhooks);
    }
    return this.queue.shift();
  }
}
