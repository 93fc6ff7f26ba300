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
  /** Rejects when a webhook could not be delivered. */
  private readonly ended: Promise<unknown>;
  private stopped = false;

  constructor(
    private readonly balancer: Pick<LoadBalancer, 'deliver'>,
    seed: number,
    connections: number,
  ) {
    this.random = new Random(seed);
    this.ended = Promise.all(Array.from({ length: connections }, () => this.send()));
    // Who stops it is told; until then it is nobody's.
    this.ended.catch(() => undefined);
  }

  /** Makes no more orders. Resolves when all webhooks of those that were made are acknowledged. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.ended;
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
