import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until';
import { type LoadWebhook, Sender } from '../load';
import { ContinuousLoad } from '../upgrade/continuous-load';
import type { Front } from './front';

/** Webhooks that are on their way at once. */
export const CONNECTIONS = 4;
/** Milliseconds between two webhooks of a connection: orders come all the time, and not more than the walk has to count. */
const PACE_MS = 25;
/** Webhooks after which the next thing happens. */
export const STEP = 60;
const SEED = 20261125;

/** A shop that has orders all the time, and sends again what nobody acknowledged. */
export class Shop {
  acknowledged = 0;
  /** Why a good webhook was refused for good. */
  failure?: unknown;
  private readonly sender: Sender;
  private readonly load: ContinuousLoad;

  /** @param organization slug of whom its source `shopify` belongs to */
  constructor(
    front: Front,
    secret: string,
    private readonly organization: string,
  ) {
    this.sender = new Sender(secret, (count) => (this.acknowledged = count));
    this.sender.aim(front.url);
    this.load = new ContinuousLoad(this, SEED, CONNECTIONS);
  }

  get orders(): ContinuousLoad['orders'] {
    return this.load.orders;
  }

  get webhooks(): ContinuousLoad['webhooks'] {
    return this.load.webhooks;
  }

  /** Tries that nobody acknowledged. */
  get unanswered(): number {
    return this.sender.unanswered;
  }

  async deliver(webhook: LoadWebhook): Promise<void> {
    try {
      await this.sender.sendAll([{ ...webhook, organization: this.organization }], 1);
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
    await sleep(PACE_MS);
  }

  /** Waits until so many more webhooks are acknowledged. @throws what made the shop stop */
  async goesOn(more = STEP): Promise<void> {
    const enough = this.acknowledged + more;
    await until(() => {
      if (this.failure !== undefined) throw this.failure as Error;
      return this.acknowledged >= enough;
    });
  }

  /** Has no more orders. Resolves when everything was acknowledged. */
  async close(): Promise<void> {
    await this.load.stop();
  }

  /** Has no more orders, and sends nothing again. */
  async giveUp(): Promise<void> {
    this.sender.giveUp();
    await this.load.stop().catch(() => undefined);
  }
}
