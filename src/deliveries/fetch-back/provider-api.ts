import { Breaker, BREAKER_RULES, type BreakerRules } from '../../finance/remote/client/breaker';
import { Semaphore } from '../../finance/remote/client/semaphore';
import type { SendResult } from '../../finance/remote/client/send-request';
import { isDown } from './answer-outcome';

/** Requests to the API of one source at once. */
const AT_ONCE = 4;

/** The API behind one source: how much it is asked at once, and whether it is left alone for now. */
export class ProviderApi {
  private readonly permits = new Semaphore(AT_ONCE);
  private readonly breaker: Breaker;
  private closedUntil = -Infinity;
  /** Deliveries that wait for it, or are being fetched from it. */
  pending = 0;

  constructor(rules: BreakerRules = BREAKER_RULES) {
    this.breaker = new Breaker(rules);
  }

  /** Milliseconds for which it is left alone; 0: it may be asked. */
  get closedForMs(): number {
    return Math.max(0, this.closedUntil - performance.now(), this.breaker.closedForMs());
  }

  /** It said when to come back. */
  closeFor(milliseconds: number): void {
    this.closedUntil = Math.max(this.closedUntil, performance.now() + milliseconds);
  }

  /** Waits until one more may ask. @returns what ends it */
  enter(): Promise<() => void> {
    return this.permits.take();
  }

  /**
   * @param answers statuses that do not say that it is down, whatever they are
   * @returns undefined where it is left alone; see {@link closedForMs}
   */
  async ask(send: () => Promise<SendResult>, answers?: readonly number[]): Promise<SendResult | undefined> {
    if (this.closedForMs > 0) return undefined;
    const asked = await this.breaker.run(async () => {
      const sent = await send();
      return { sent, sign: isDown(sent, answers) ? ('down' as const) : ('up' as const) };
    });
    return asked?.sent;
  }
}
