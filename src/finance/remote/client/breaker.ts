import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  handleWhenResult,
  type IBackoffFactory,
} from 'cockatiel';

export interface BreakerRules {
  /** Calls in a row that find the service down, until it is left alone. */
  readonly failures: number;
  /** Milliseconds for which it is left alone at first; each time more, up to `longestMs`. */
  readonly firstMs: number;
  readonly longestMs: number;
}

export const BREAKER_RULES: BreakerRules = { failures: 5, firstMs: 1_000, longestMs: 60_000 };

/** What a call said about the service, besides its result; `nothing` when it did not come to ask it. */
export type Sign = 'up' | 'down' | 'nothing';

/** How long to wait for the outcome of the one call that tries whether the service is back. */
const TRIAL_MS = 1_000;

/**
 * Leaves a service alone that is down: after some calls in a row that found it so, none is made for a while;
 * then one tries, and the others wait for what it finds.
 */
export class Breaker {
  private inARow = 0;
  private opensAt = 0;

  private readonly policy = circuitBreaker(
    handleWhenResult((result) => (result as { sign: Sign }).sign !== 'up'),
    {
      // Counted here: a call that says nothing must neither open the circuit nor reset the count.
      breaker: { state: null, success: () => undefined, failure: () => this.inARow >= this.rules.failures },
      halfOpenAfter: this.backoff(),
    },
  );

  constructor(
    private readonly rules: BreakerRules,
    private readonly onBreak: (milliseconds: number) => void = () => undefined,
  ) {}

  /** Milliseconds until a call may be tried; 0: now. */
  closedForMs(): number {
    if (this.policy.state === CircuitState.HalfOpen) return TRIAL_MS;
    return this.policy.state === CircuitState.Open ? Math.max(0, this.opensAt - Date.now()) : 0;
  }

  /** Whether it was found down, and no call has found it up since: also while one may be tried. */
  get isOpen(): boolean {
    return this.policy.state !== CircuitState.Closed;
  }

  /** Makes a call. @returns undefined when none may be made now; see {@link closedForMs} */
  async run<T extends { readonly sign: Sign }>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.policy.state === CircuitState.HalfOpen) return undefined;
    try {
      return await this.policy.execute(async () => {
        const result = await work();
        if (result.sign !== 'nothing') this.inARow = result.sign === 'down' ? this.inARow + 1 : 0;
        return result;
      });
    } catch (error) {
      if (error instanceof BrokenCircuitError) return undefined;
      throw error;
    }
  }

  /** A call that was made all the same has found the service up: whoever calls next need not wait. */
  close(): void {
    this.inARow = 0;
    // The library closes a circuit, from whatever state, as the last handle that kept it open is disposed of.
    if (this.isOpen) this.policy.isolate().dispose();
  }

  /** Twice as long each time, give or take a quarter, so that replicas do not come back together. */
  private backoff(): IBackoffFactory<{ readonly attempt: number }> {
    return {
      next: ({ attempt }) => {
        const { firstMs, longestMs } = this.rules;
        const full = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20));
        const duration = Math.round(full * (0.75 + Math.random() / 2));
        this.opensAt = Date.now() + duration;
        this.onBreak(duration);
        return { duration, ...this.backoff() };
      },
    };
  }
}
