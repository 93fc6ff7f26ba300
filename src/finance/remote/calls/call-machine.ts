/*
 * The states of a call and what moves it from one to another: pure. Nothing here decides from the absence of
 * knowledge: what is not surely without effect is unknown, and only reading back or a person ends that.
 */

/** The states of a call, as it is stored. */
export type CallState =
  /** Surely not in effect; to be sent, now or later. */
  | 'planned'
  /** Its intent is committed: it may be in effect from now on. */
  | 'sending'
  /** In effect, for ever. */
  | 'applied'
  /** Surely not in effect, and not to be sent again as it is. */
  | 'rejected'
  /** It may be in effect, which is read back. */
  | 'unknown'
  /** It may be in effect, and only a person can decide. */
  | 'needs-review'
  /** Never to be sent again: a person gave it up, or a later decision on its effect has no such part. */
  | 'abandoned';

/** What happens to a call. */
export type CallEvent =
  | 'sent'
  /** Whoever sent it must have died. */
  | 'sender-lost'
  /** The outcomes of an attempt, by their kinds. */
  | 'succeeded'
  | 'refused'
  | 'not-sent'
  | 'unknown'
  /** More than one attempt is, or may be, in effect. */
  | 'doubled'
  /** The database was put back: a state that is lost may have sent it. */
  | 'recovered'
  /** It was found in effect. */
  | 'found'
  /** It is not in effect: repeating it makes no second effect. */
  | 'repeatable'
  /** As `repeatable`, of a request to `/v1`: its sender decides whether to send it again. */
  | 'returned'
  /** Nothing tells whether it is in effect. */
  | 'undecided'
  /** A person decided so. */
  | 'adopted'
  | 'given-up'
  /** The effect was planned anew, with this part and without it. */
  | 'replanned'
  | 'left-out';

type Row = Partial<Readonly<Record<CallState, CallState>>>;

const TRANSITIONS: Readonly<Record<CallEvent, Row>> = {
  sent: { planned: 'sending', rejected: 'sending' },
  'sender-lost': { sending: 'unknown' },
  succeeded: {
    planned: 'applied',
    sending: 'applied',
    applied: 'applied',
    rejected: 'applied',
    unknown: 'applied',
    'needs-review': 'applied',
    abandoned: 'applied',
  },
  refused: { planned: 'rejected', sending: 'rejected', unknown: 'rejected', 'needs-review': 'rejected' },
  'not-sent': { sending: 'planned', unknown: 'planned', 'needs-review': 'planned' },
  unknown: { planned: 'unknown', sending: 'unknown', rejected: 'unknown' },
  doubled: {
    planned: 'needs-review',
    sending: 'needs-review',
    applied: 'needs-review',
    rejected: 'needs-review',
    unknown: 'needs-review',
    'needs-review': 'needs-review',
    abandoned: 'abandoned',
  },
  recovered: { planned: 'unknown', rejected: 'unknown' },
  found: { unknown: 'applied' },
  repeatable: { unknown: 'planned', 'needs-review': 'planned' },
  returned: { unknown: 'rejected', 'needs-review': 'rejected' },
  // Rejected: what it makes is there already, and nothing tells which record it is.
  undecided: { unknown: 'needs-review', rejected: 'needs-review' },
  // Rejected: a person names the record that is there already.
  adopted: { unknown: 'applied', 'needs-review': 'applied', rejected: 'applied', abandoned: 'applied' },
  'given-up': { planned: 'abandoned', unknown: 'abandoned', 'needs-review': 'abandoned' },
  replanned: { planned: 'planned', rejected: 'planned', abandoned: 'planned' },
  'left-out': { planned: 'abandoned', rejected: 'abandoned', abandoned: 'abandoned' },
};

/** @returns the state after the event; undefined: the event changes nothing in this state, or cannot be in it */
export function transition(state: CallState, event: CallEvent): CallState | undefined {
  return TRANSITIONS[event][state];
}

/** As {@link transition}. @throws Error where the event cannot be in this state */
export function next(state: CallState, event: CallEvent): CallState {
  const after = transition(state, event);
  if (!after) throw new Error(`a call that is ${state} cannot be ${event}`);
  return after;
}
