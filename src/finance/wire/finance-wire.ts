import type { OperationId } from '../operations';
import type { FinanceConnection } from './connection';

/** One call of one of the nineteen operations. */
export interface WireCall {
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
  /** The problem document's other members, where it is one. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/**
 * What is known after a call. Which reply or failure means which is one table, in `outcomes.ts`.
 * - `succeeded`: it took effect, or was read.
 * - `refused`: it surely took no effect and would be refused again.
 * - `not-arrived`: it surely took no effect; trying again later makes sense.
 * - `unknown`: it may have taken effect, or may still.
 */
export type WireOutcome =
  | { readonly kind: 'succeeded'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly problem: RemoteProblem }
  | {
      readonly kind: 'not-arrived';
      /** For a person: `connection refused`, `429`. */
      readonly reason: string;
      /** Milliseconds that the service asks to be left alone, or that the breaker stays open. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'unknown'; readonly reason: string; readonly status?: number };

/**
 * The way to live finance services. Each call is made once and never repeated here: whether to repeat is decided
 * by who knows what it was for. Calls wait for their turn within the organization's limits; what is waited is
 * not part of any time-out.
 */
export abstract class FinanceWire {
  /**
   * Makes one call. Never throws for what the network or the service does.
   * A success has the documented shape: an identifier is a lower-case UUID text, a page `{ items, count,
   * nextPageLink }`, nothing is `undefined`.
   * @param onSend called at the last moment before bytes leave; returning false ends the call as `not-arrived`
   */
  abstract call(connection: FinanceConnection, call: WireCall, onSend?: () => boolean): Promise<WireOutcome>;

  /**
   * Reads the pages of an extension's listing (a path below the base URL that is none of the nineteen), with the
   * same care.
   */
  abstract list(
    connection: FinanceConnection,
    path: string,
    query: Readonly<Record<string, string>>,
  ): Promise<WireOutcome>;

  /** Milliseconds until a call may be tried again while the breaker is open; 0: now. */
  abstract closedForMs(organizationId: string): number;
}
