/** What can go wrong with one request, and what of it takes effect. */
export type Fault =
  /** Nothing goes wrong. */
  | { readonly kind: 'none' }
  /** The connection is reset; nothing takes effect. */
  | { readonly kind: 'reset' }
  /** It takes effect at once, and the answer comes late. */
  | { readonly kind: 'late-answer'; readonly afterMs: number }
  /** It takes effect late, whether or not anybody still waits for the answer. */
  | { readonly kind: 'late-effect'; readonly afterMs: number }
  /** It takes effect, and the connection ends without a byte of the answer. */
  | { readonly kind: 'cut-before-headers' }
  /** It takes effect, and the connection ends within the answer. */
  | { readonly kind: 'cut-within-answer' }
  /** A 500 that says nothing of the effect. */
  | { readonly kind: 'error-500'; readonly applied: boolean }
  /** Too busy, or out of order: surely no effect. */
  | { readonly kind: 'busy'; readonly status: 429 | 503; readonly retryAfter?: number }
  /** 200, with a body that is no answer. */
  | { readonly kind: 'garbage'; readonly applied: boolean }
  /** It takes effect, and the body of the answer is there twice. */
  | { readonly kind: 'double-body' }
  /** It takes effect, and the whole answer is sent twice. */
  | { readonly kind: 'double-answer' }
  /** It takes effect; afterwards nobody listens for a while. */
  | { readonly kind: 'refuse-others'; readonly forMs: number }
  /** It takes effect; afterwards new connections are reset before anything is read, for a while. */
  | { readonly kind: 'reset-others'; readonly forMs: number }
  /** No effect: everything that is connected is cut, and nobody listens for a while. */
  | { readonly kind: 'down'; readonly forMs: number };

export type FaultKind = Fault['kind'];

/** Whether a client that sees what this fault shows it can tell whether the request took effect. */
export function isTelling(fault: Fault): boolean {
  if (fault.kind === 'busy') return fault.status === 429 || fault.retryAfter !== undefined;
  return fault.kind === 'none' || fault.kind === 'refuse-others' || fault.kind === 'reset-others';
}
