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
  /** Identifiers of records that looked like the one to be made, and were there before. */
  readonly before?: readonly string[];
}

/** What came of asking for a call to be made. */
export type CallResult =
  | {
      readonly state: 'applied';
      readonly output: EffectOutput;
      /** Not by this asking. */ readonly earlier: boolean;
    }
  /** Surely not in effect, for good unless something changes. */
  | { readonly state: 'refused'; readonly problem: RemoteProblem }
  /** Surely not in effect; may be asked for again from `until`. */
  | {
      readonly state: 'not-arrived';
      readonly until: Date;
      readonly reason: string;
      /** It was not tried, because another call has to end before it. */
      readonly behind?: true;
      /** The service does not know the key. */
      readonly keyRefused?: true;
    }
  /** Being sent by somebody else, or being read back. */
  | {
      readonly state: 'unknown';
      readonly until: Date;
      readonly reason: string;
      readonly callId: string;
      /** Somebody else is at it. */
      readonly underWay?: true;
    }
  /** Only a person can decide. */
  | { readonly state: 'parked'; readonly reason: string; readonly callId: string }
  /** A person has given it up. */
  | { readonly state: 'abandoned'; readonly reason: string; readonly callId: string };

/** What reading back says of a call whose outcome is not known. */
export type Finding =
  /** It is in effect: these are its records. */
  | { readonly verdict: 'in-effect'; readonly output: EffectOutput; readonly because: string }
  /** It is not, and repeating it makes no second effect. */
  | { readonly verdict: 'repeatable'; readonly because: string }
  /** The service does not tell: a person must. */
  | { readonly verdict: 'doubtful'; readonly because: string }
  /** The service could not be read; look again. */
  | { readonly verdict: 'unreadable'; readonly because: string };
