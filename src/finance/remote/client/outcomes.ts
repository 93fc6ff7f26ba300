import type { AttemptOutcome } from './finance-client';

/** What is known of a call when it is over, as far as it decides the outcome. */
export type ResponseFacts =
  /** Surely not a byte of the request left; `cause` is the system's word for why. */
  | { readonly stage: 'unsent'; readonly cause: string }
  /** Some of the request may have left, and no reply's beginning came. */
  | { readonly stage: 'unanswered'; readonly cause: string }
  | {
      readonly stage: 'answered';
      readonly status: number;
      /** A `Retry-After` that could be read came with it. */
      readonly retryAfter: boolean;
      /** Not all of the body came, or it cannot be read at all. */
      readonly garbled: boolean;
      /** The body came whole and says what such a success says. */
      readonly readable: boolean;
    };

export type OutcomeKind = AttemptOutcome['kind'];

/** A row of the table: the first that matches decides. */
export interface OutcomeRow {
  readonly when: string;
  readonly matches: (facts: ResponseFacts) => boolean;
  /** For an operation that changes something. */
  readonly write: OutcomeKind;
  /** For one that only reads. */
  readonly read: OutcomeKind;
  /** For a person; in place of the system's word or the status. */
  readonly reason?: string;
  /** Whether it speaks for the service being down: enough of those in a row, and it is left alone for a while. */
  readonly down: boolean;
  readonly why: string;
}

/** A row as it is written down: `read` where it differs from `write`, `down` where it is so. */
type DeclaredRow = Omit<OutcomeRow, 'read' | 'down'> & Partial<Pick<OutcomeRow, 'read' | 'down'>>;

const unsent =
  (...causes: string[]) =>
  (facts: ResponseFacts): boolean =>
    facts.stage === 'unsent' && (causes.length === 0 || causes.includes(facts.cause));
const unanswered =
  (...causes: string[]) =>
  (facts: ResponseFacts): boolean =>
    facts.stage === 'unanswered' && (causes.length === 0 || causes.includes(facts.cause));
const answered =
  (
    statuses: readonly number[],
    also: Partial<{ retryAfter: boolean; garbled: boolean; readable: boolean }> = {},
  ) =>
  (facts: ResponseFacts): boolean =>
    facts.stage === 'answered' &&
    statuses.includes(facts.status) &&
    (also.garbled === undefined || facts.garbled === also.garbled) &&
    (also.retryAfter === undefined || facts.retryAfter === also.retryAfter) &&
    (also.readable === undefined || facts.readable === also.readable);
const between =
  (first: number, last: number) =>
  (facts: ResponseFacts): boolean =>
    facts.stage === 'answered' && facts.status >= first && facts.status <= last;

/** Statuses by which a request is done, whichever of them is documented. */
const DONE = [200, 201, 203, 204, 205];
/** Statuses that a server gives when it has read a request and will not do it. */
const REFUSED = [
  400, 402, 403, 404, 405, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424, 426, 428,
  431, 451,
];
const TLS_CAUSES = [
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_REVOKED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
];

const ROWS: readonly DeclaredRow[] = [
  // ── nothing was sent ───────────────────────────────────────────────────────────────────────────────────
  {
    when: 'the caller withheld it at the last moment',
    matches: unsent('PONTE_WITHHELD'),
    write: 'not-sent',
    reason: 'not sent: its time was over',
    why: 'The connection stood and nothing was written to it. It says nothing about the service.',
  },
  {
    when: 'the address is not allowed',
    matches: unsent('PONTE_ADDRESS'),
    write: 'not-sent',
    reason: 'its address is not allowed: see FINANCE_ALLOWED_NETWORKS',
    down: true,
    why: 'No connection was made. It may be sent once an operator has changed the address or the setting.',
  },
  {
    when: 'the connection is refused',
    matches: unsent('ECONNREFUSED'),
    write: 'not-sent',
    reason: 'connection refused',
    down: true,
    why: 'Without a connection nothing is written.',
  },
  {
    when: 'the name cannot be resolved',
    matches: unsent('ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_FAIL'),
    write: 'not-sent',
    reason: 'the name of the service cannot be resolved',
    down: true,
    why: 'Without an address no connection is made.',
  },
  {
    when: 'the connection takes too long',
    matches: unsent('PONTE_CONNECT_TIMEOUT', 'PONTE_TOTAL_TIMEOUT', 'ETIMEDOUT'),
    write: 'not-sent',
    reason: 'no connection in time',
    down: true,
    why: 'Requests are handed only to connections that stand, so this one was not written anywhere.',
  },
  {
    when: 'the certificate is not valid',
    matches: unsent(...TLS_CAUSES),
    write: 'not-sent',
    reason: 'the certificate of the service is not valid',
    down: true,
    why: 'The handshake ended before the request was written.',
  },
  {
    when: 'anything else goes wrong before something is sent',
    matches: unsent(),
    write: 'not-sent',
    reason: 'no connection',
    down: true,
    why: 'A network without route, a TLS handshake that breaks off, a key that no header can hold: nothing left.',
  },

  // ── sent, no answer ────────────────────────────────────────────────────────────────────────────────────
  {
    when: 'no answer comes in time',
    matches: unanswered('PONTE_HEADERS_TIMEOUT', 'PONTE_TOTAL_TIMEOUT', 'ETIMEDOUT'),
    write: 'unknown',
    reason: 'no answer in time',
    down: true,
    why: 'The service may be done with it, or may still be at it.',
  },
  {
    when: 'the connection breaks after something may have left',
    matches: unanswered(),
    write: 'unknown',
    reason: 'the connection broke before an answer came',
    down: true,
    why: 'The request may have arrived whole. Also on a connection that was idle and just ended: it looks the same.',
  },

  // ── success ────────────────────────────────────────────────────────────────────────────────────────────
  {
    when: 'it is done and the reply says what it should',
    matches: answered(DONE, { readable: true }),
    write: 'succeeded',
    why: 'Services differ in which of these they use; 200 where 204 is documented means the same, and the reverse.',
  },
  {
    when: 'it is done and the reply cannot be read',
    matches: answered(DONE),
    write: 'unknown',
    reason: 'the reply cannot be used',
    why: 'A creation took effect, but the identifier of its record is not known: it must be found. A change whose reply is a page for people or reports an error may not have taken effect at all. A read was not answered; an empty reply is not an empty list.',
  },
  {
    when: 'it is taken, or done in part',
    matches: between(200, 299),
    write: 'unknown',
    reason: 'the reply does not say that it is done',
    why: '202 promises nothing, 206 and 207 hold a part or several outcomes, others are not defined.',
  },

  // ── redirects ──────────────────────────────────────────────────────────────────────────────────────────
  {
    when: 'it is redirected',
    matches: between(300, 399),
    write: 'unknown',
    reason: 'the service redirects',
    why: 'Never followed, because that would take the key and the request to another address. After a write, 302 and 303 are how some services say that it is done, and others that one must log in. A read was not answered where it was asked.',
  },

  // ── refusals ───────────────────────────────────────────────────────────────────────────────────────────
  {
    when: 'there were too many requests',
    matches: answered([429]),
    write: 'not-sent',
    why: 'Counted and turned away before anything was done, with Retry-After or without.',
  },
  {
    when: 'it came too early',
    matches: answered([425]),
    write: 'not-sent',
    why: 'RFC 8470: the server is unwilling to risk processing it, and it may be sent again.',
  },
  {
    when: 'the key is not accepted',
    matches: answered([401]),
    write: 'not-sent',
    read: 'refused',
    reason: 'the service does not accept the key',
    down: true,
    why: 'Nothing is done for who is not known. A key that ran out is mended by an operator, and what waits for it goes on.',
  },
  {
    when: 'something is in its way, and the reply cannot be read to its end',
    matches: answered([409], { garbled: true }),
    write: 'not-sent',
    read: 'refused',
    reason: 'refused, but the reply cannot be read',
    why: 'Nothing was done, so that it may be asked again; a customer that is there already is named in the reply alone.',
  },
  {
    when: 'it is refused',
    matches: answered(REFUSED),
    write: 'refused',
    why: "Defined as the client's error, found before the request was done. It would be refused again.",
  },
  {
    when: 'a request for a read is refused in another way',
    matches: answered([406, 418]),
    write: 'unknown',
    read: 'refused',
    reason: 'refused in a way that does not say whether it took effect',
    why: "406: common frameworks find that they cannot write the reply only after the request was done. 418 is nobody's.",
  },
  {
    when: 'the request did not come in time, or with a status that gateways made up',
    matches: between(400, 499),
    write: 'unknown',
    reason: 'refused in a way that does not say whether it took effect',
    why: '408, 460, 499 and the like come from gateways that stopped waiting while the service may go on.',
  },

  // ── failures of the service ────────────────────────────────────────────────────────────────────────────
  {
    when: 'it is unavailable and says until when',
    matches: answered([503], { retryAfter: true }),
    write: 'not-sent',
    why: 'Who says when to come back has turned the request away on purpose.',
  },
  {
    when: 'it is unavailable and does not say until when',
    matches: answered([503]),
    write: 'unknown',
    down: true,
    why: 'Gateways answer so as well when the service broke while it was at the request.',
  },
  {
    when: 'the service does not do this',
    matches: answered([501]),
    write: 'unknown',
    read: 'refused',
    why: 'Of a read nothing else can be meant, and the service is well. Of a change it is too rare to trust.',
  },
  {
    when: 'something broke in the service',
    matches: between(500, 599),
    write: 'unknown',
    down: true,
    why: "500 may come after the effect, 502 and 504 are a gateway's word for not knowing, 505 is too rare to trust.",
  },

  // ── anything else ──────────────────────────────────────────────────────────────────────────────────────
  {
    when: 'the status is none',
    matches: () => true,
    write: 'unknown',
    why: 'What is not known is unknown.',
  },
];

/**
 * Which reply or failure means which outcome. One table, because this is where a second effect or a lost one
 * would come from: what is not surely one thing is `unknown`. For a read nothing can go wrong twice; there
 * `unknown` means that the question was not answered, so that silence never passes for "there is none".
 */
export const OUTCOME_TABLE: readonly OutcomeRow[] = ROWS.map((row) => ({
  read: row.write,
  down: false,
  ...row,
}));

/** The row that decides. */
export function rowOf(facts: ResponseFacts): OutcomeRow {
  const row = OUTCOME_TABLE.find(({ matches }) => matches(facts));
  if (!row) throw new Error('the table of outcomes has no last row');
  return row;
}

/** What a person is told of it: words, then the system's word or the status where it adds something. */
export function reasonOf({ reason }: OutcomeRow, facts: ResponseFacts): string {
  const hint = facts.stage === 'answered' ? String(facts.status) : facts.cause;
  if (reason === undefined) return hint;
  return hint.startsWith('PONTE_') || hint === 'UNKNOWN' ? reason : `${reason} (${hint})`;
}
