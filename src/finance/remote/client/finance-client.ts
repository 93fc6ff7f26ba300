import type { OperationId } from '../../api/operations/operations';
import type { FinanceConnection } from './connection';

/** One call of one of the nineteen operations, or of an extension. */
export interface ClientCall {
  readonly operation: OperationId;
  /** Values of the path's parameters, by their names in the operations table. */
  readonly path?: Readonly<Record<string, string>>;
  /** List options and the like; `Organization` and the key are added. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body as JSON data; amounts are numbers, which hold what any amount has of digits. */
  readonly body?: object;
}

/** What a remote service says when it refuses, as far as it could be read. No secrets; cut to a bounded length. */
export interface RemoteProblem {
  readonly status: number;
  /** Its code (`error`, or the last part of `type`), where it has one. */
  readonly code?: string;
  /** A sentence, where it has one. */
  readonly detail?: string;
  /** What it says of single fields or as the cause, beside the sentence; see {@link wordsOf}. */
  readonly reasons?: readonly string[];
  /** The problem document's other members, where it is one. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** UUIDs in lower case of records that a conflict may be with, however it names them; the likeliest first. */
  readonly named?: readonly string[];
}

/** What a person is told of a refusal: all that the service says of it in words, else its code, else the status. */
export function wordsOf({ status, code, detail, reasons = [] }: RemoteProblem): string {
  if (reasons.length === 0) return detail ?? code ?? `status ${status}`;
  return [...(detail === undefined ? [] : [detail.replace(/[.:]$/, '')]), reasons.join('; ')].join(': ');
}

/**
 * What is known after a call. Which reply or failure means which is one table, in `outcomes.ts`.
 * - `succeeded`: it took effect, or was read.
 * - `refused`: it surely took no effect and would be refused again.
 * - `not-sent`: it surely took no effect; trying again later makes sense.
 * - `unknown`: it may have taken effect, or may still.
 */
export type AttemptOutcome =
  | { readonly kind: 'succeeded'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly problem: RemoteProblem }
  | {
      readonly kind: 'not-sent';
      /** For a person: `connection refused`, `429`. */
      readonly reason: string;
      /** Milliseconds that the service asks to be left alone, or that the breaker stays open. */
      readonly retryAfterMs?: number;
      /** The service does not know the key: an operator has to give it another. */
      readonly keyRefused?: true;
    }
  | { readonly kind: 'unknown'; readonly reason: string; readonly status?: number };

/** The word for an outcome in the database, in metrics and traces, which older replicas and dashboards know. */
export function recordedOutcome(kind: AttemptOutcome['kind']): string {
  return kind === 'not-sent' ? 'not-arrived' : kind;
}

/** That a service is not called for now, and what the last call found; for a person. */
export function leftAloneAfter(failure: string | undefined): string {
  return `is left alone for a while${failure === undefined ? '' : `, after: ${failure}`}`;
}

/** A place among the calls to a service, reserved for one of them. */
export interface CallPermit {
  /** Milliseconds for which nothing may be sent; 0: now. */
  readonly backoffMs: number;

  /**
   * Makes the permit's one call; see {@link FinanceClient.call}.
   * @param onSend called at the last moment before bytes leave; returning false ends the call as `not-sent`
   */
  send(call: ClientCall, onSend?: () => boolean): Promise<AttemptOutcome>;
}

/**
 * The way to live finance services. Each call is made once and never repeated here: whether to repeat is decided
 * by who knows what it was for. Calls wait for a permit within the organization's limits; what is waited is
 * not part of any time-out.
 */
export abstract class FinanceClient {
  /**
   * Makes one call. Never throws for what the network or the service does.
   * A success has the documented shape: an identifier is a lower-case UUID text, a page `{ items, count,
   * nextPageLink }`, nothing is `undefined`.
   */
  abstract call(connection: FinanceConnection, call: ClientCall): Promise<AttemptOutcome>;

  /**
   * Waits for a permit to change something, and for the rate's next slot; then does the work, which sends at most
   * one call. What must be true when a call leaves is best made so here: nothing is waited for afterwards.
   * @throws what the work throws, and what {@link RateLimiter} throws
   */
  abstract withPermit<T>(connection: FinanceConnection, work: (permit: CallPermit) => Promise<T>): Promise<T>;

  /**
   * Reads a page of an extension's listing (a path below the base URL that is none of the nineteen), or one record of
   * it, with the same care.
   */
  abstract list(
    connection: FinanceConnection,
    path: string,
    query: Readonly<Record<string, string>>,
    kind?: 'page' | 'record',
  ): Promise<AttemptOutcome>;

  /**
   * Makes one call for a person who wants to know how the service is: also while others leave it alone because it was
   * down, unless it asked for that itself. Where it is answered, nobody leaves it alone any longer.
   */
  tryNow(connection: FinanceConnection, call: ClientCall): Promise<AttemptOutcome> {
    return this.call(connection, call);
  }

  /** Milliseconds until a call may be tried again while the breaker is open; 0: now. */
  abstract closedForMs(organizationId: string): number;

  /** Whether the service was found down, and no call has been answered since: between two tries {@link closedForMs} is 0. */
  isDown(_organizationId: string): boolean {
    return false;
  }

  /** What the last call found that is why no other is made now, for a person; undefined: that is not known. */
  whyClosed(_organizationId: string): string | undefined {
    return undefined;
  }
}
