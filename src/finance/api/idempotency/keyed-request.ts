import { AsyncLocalStorage } from 'node:async_hooks';

/** A writing request that carries an `Idempotency-Key`, while it is worked on. */
export interface KeyedRequest {
  readonly organizationId: string;
  readonly key: string;
  /** SHA-256 of all that the request asks for. */
  readonly digest: Buffer;
  /** `written`: it took effect just now; `replayed`: it had before, and its answer was found. */
  state: 'fresh' | 'begun' | 'written' | 'replayed';
}

const SCOPE = new AsyncLocalStorage<KeyedRequest>();

/** Does the work of a keyed request; everything it calls finds the request with {@link keyedRequest}. */
export function within<T>(request: KeyedRequest, work: () => T): T {
  return SCOPE.run(request, work);
}

/** The keyed request that is worked on here, if it is one. */
export function keyedRequest(): KeyedRequest | undefined {
  return SCOPE.getStore();
}
