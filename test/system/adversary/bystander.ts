import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../../scripts/demo/shop-orders';
import { cpfNumber } from '../../support/documents';
import { exchange } from './exchange';
import { waitedForProcessor } from './processor';
import { BYSTANDER, isPutOff, OPERATORS_KEY, type Target } from './target';
import { signed } from './webhooks';

const EVERY_MS = 2_000;
/** After so long an order is given up, so that a hanging service ends the run all the same. */
const GIVEN_UP_AFTER_MS = 20_000;

let orders = 0;

/** An organization that has nothing to do with the attack, and whose shop sends an ordinary order now and then. */
export class Bystander {
  private stopped = false;
  /** The longest that an order took from the first try to its end, in milliseconds, less what it waited for a processor. */
  slowestMs = 0;
  private readonly faults: string[] = [];

  constructor(private readonly target: Target) {}

  /** One order after another, every two seconds, until it is stopped. */
  async keepOrdering(): Promise<void> {
    while (!this.stopped) {
      await this.orderOnce();
      for (let waited = 0; waited < EVERY_MS && !this.stopped; waited += 100) await sleep(100);
    }
    // One that came in at the very end shows what the attack has left behind.
    await this.orderOnce();
  }

  async stop(): Promise<void> {
    this.stopped = true;
  }

  /** What was wrong so far, which is forgotten. @param withinMs how long an order may take */
  harm(withinMs: number): string[] {
    const slow = this.slowestMs > withinMs ? [`an ordinary order took ${Math.round(this.slowestMs)} ms`] : [];
    return [...new Set([...this.faults.splice(0), ...slow])];
  }

  /** Sends an order as a shop does, again where it is asked to, and waits until it is worked on. */
  async orderOnce(): Promise<void> {
    const started = performance.now();
    const waited = waitedForProcessor(this.target.pid);
    const lasted = (): number =>
      performance.now() - started - Math.max(0, waitedForProcessor(this.target.pid) - waited);
    const left = (): number => GIVEN_UP_AFTER_MS - lasted();
    const delivery = await this.accepted(left);
    if (delivery !== undefined) await this.applied(delivery, left);
    this.slowestMs = Math.max(this.slowestMs, lasted());
  }

  private async accepted(left: () => number): Promise<string | undefined> {
    orders += 1;
    const order = {
      id: 6_000_000_000_000 + orders,
      number: orders,
      total: '100.00',
      name: `Cliente ${orders}`,
      document: cpfNumber(orders),
      email: `cliente${orders}@example.com`,
      instalments: 2,
    };
    const body = shopifyOrder(order, true);
    const request = signed({
      source: 'shopify',
      topic: 'orders/paid',
      id: `b-${orders}`,
      body,
      organization: BYSTANDER,
    });
    while (left() > 0) {
      const reply = await exchange(this.target.url, { ...request, patienceMs: Math.max(1, left()) });
      if (reply.status === 200) return (JSON.parse(reply.text) as { delivery: string }).delivery;
      if (!isPutOff(reply))
        this.faults.push(`an ordinary webhook was answered ${reply.status} ${reply.error ?? ''}`);
      await sleep(500);
    }
    this.faults.push('an ordinary webhook was not taken');
    return undefined;
  }

  private async applied(delivery: string, left: () => number): Promise<void> {
    const request = {
      method: 'GET',
      path: `/admin/organizations/${BYSTANDER}/deliveries/${delivery}`,
      headers: { authorization: `Bearer ${OPERATORS_KEY}` },
    };
    while (left() > 0) {
      const reply = await exchange(this.target.url, { ...request, patienceMs: Math.max(1, left()) });
      const state = reply.status === 200 ? (JSON.parse(reply.text) as { state: string }).state : '';
      if (state === 'done') return;
      if (state !== 'waiting' && state !== '') {
        this.faults.push(`an ordinary order ended ${state}`);
        return;
      }
      await sleep(200);
    }
    this.faults.push('an ordinary order was not worked on');
  }
}
