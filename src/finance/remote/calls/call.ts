import type { EffectOutput } from '../../api/effects/effect';
import type { OperationId } from '../../api/operations/operations';
import type { RemoteProblem } from '../client/finance-client';

/** The name of a change asked of a remote service, unique in the organization for ever. */
export interface CallName {
  readonly organizationId: string;
  /** An effect's business key; `v1/` and a name for a request to `/v1`. */
  readonly effectKey: string;
  /** Which of the effect's calls, from 1. */
  readonly part: number;
}

/** What is sent, as JSON data, without the API key. */
export interface CallContent {
  readonly operation: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Of a request to `/v1` with an `Idempotency-Key`: SHA-256 of all that it asked for, hexadecimal. Never sent. */
  readonly digest?: string;
  /** When the rest of the body was removed because of its age, ISO 8601. Never sent: only calls that are applied lose it. */
  readonly removedAt?: string;
  /** Of a call that is settled: members of the body that were about a person and are not kept. Absent: all is there. */
  readonly leftOut?: readonly string[];
  /** Of those, digests by the fields of a customer that can follow a shop. */
  readonly said?: Readonly<Record<string, string>>;
}

/**
 * What was read of the service before a call was sent, so that its effect can be recognised afterwards. Amounts
 * are decimal texts.
 */
export interface Evidence {
  /** What was open on the schedule that a receipt is for. */
  readonly openValue?: string;
  /** When `openValue` was read, ISO 8601: what other calls did before that is in it already. */
  readonly readAt?: string;
  /** Which receipts of Ponte's own for the schedule `openValue` takes into account, listed or not yet; a digest. */
  readonly receipts?: string;
  /** Identifiers of records that resembled the one to be made, and were there before. */
  readonly before?: readonly string[];
  /**
   * It was looked for before it was sent, because the database was put back to an earlier state at `recoveredAt` (ISO 8601);
   * with how often it was sent by then, as far as Ponte knows.
   */
  readonly lookedFor?: { readonly recoveredAt: string; readonly attempts: number };
}

/** What came of asking for a call to be made: the state that it is in, with what there is to say of it. */
export type CallResult =
  | {
      readonly state: 'applied';
      readonly output: EffectOutput;
      /** Not by this asking. */
      readonly earlier: boolean;
    }
  /** For good unless something changes. */
  | { readonly state: 'rejected'; readonly problem: RemoteProblem }
  /** May be asked for again from `until`. */
  | {
      readonly state: 'planned';
      readonly until: Date;
      readonly reason: string;
      /** It was not tried, because another call has to end before it. */
      readonly queued?: true;
      /** The service does not know the key. */
      readonly keyRefused?: true;
    }
  /** Being sent by somebody else, or being read back. */
  | {
      readonly state: 'sending' | 'unknown';
      readonly until: Date;
      readonly reason: string;
      readonly callId: string;
    }
  | { readonly state: 'needs-review' | 'abandoned'; readonly reason: string; readonly callId: string };

/** What reading back says of a call that is unknown: the state that it belongs in. */
export type Finding =
  /** In effect: these are its records. */
  | { readonly state: 'applied'; readonly output: EffectOutput; readonly reason: string }
  /**
   * `planned`: not in effect, and repeating it makes no second effect. `needs-review`: the service does not say.
   * `unknown`: the service could not be read; it is read again.
   */
  | { readonly state: 'planned' | 'needs-review' | 'unknown'; readonly reason: string };
