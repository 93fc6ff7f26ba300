import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, type Query } from './api';

/** Something that is being read, or was. */
export interface Loaded<T> {
  /** What was read last; undefined: nothing yet. It stays while it is read again. */
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Reads from the operators' API, again whenever the address changes. @param path undefined: nothing is read */
export function useLoaded<T>(path: string | undefined, query: Query = {}): Loaded<T> {
  const address = JSON.stringify([path, query]);
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'> & { address: string }>({
    ...{ value: undefined, error: undefined, isLoading: path !== undefined, address },
  });
  const [round, setRound] = useState(0);
  const latest = useRef(query);
  latest.current = query;
  useEffect(() => {
    if (path === undefined) return undefined;
    const controller = new AbortController();
    setState((before) => ({
      value: before.address === address ? before.value : undefined,
      error: undefined,
      isLoading: true,
      address,
    }));
    get<T>(path, latest.current, controller.signal).then(
      (value) => setState({ value, error: undefined, isLoading: false, address }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((before) => ({ ...before, error: asError(error), isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [address, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  // Until the effect has run, the state is that of the address before.
  const isOfAddress = state.address === address;
  return {
    value: isOfAddress ? state.value : undefined,
    error: isOfAddress ? state.error : undefined,
    isLoading: isOfAddress ? state.isLoading : path !== undefined,
    reload,
  };
}

/** A list that is read page by page. */
export interface LoadedPages<T, P = unknown> {
  readonly items: readonly T[] | undefined;
  /** The first page with all that it says beside its items. */
  readonly first: P | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** Undefined: that was the last page. */
  readonly more: (() => void) | undefined;
  readonly reload: () => void;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly after?: string | null;
}

/** Reads a list of the operators' API: the first page, and the next ones as they are asked for. @param nextPath where those are read, if elsewhere */
export function usePages<T, P extends Page<T> = Page<T>>(
  path: string | undefined,
  query: Query = {},
  nextPath = path,
): LoadedPages<T, P> {
  const first = useLoaded<P>(path, query);
  const [later, setLater] = useState<
    { of: P; items: T[]; after: string | null; error?: Error } | undefined
  >();
  const [isLoading, setLoading] = useState(false);
  const page = first.value;
  const rest = later && later.of === page ? later : undefined;
  const after = rest ? rest.after : (page?.after ?? null);
  const more = useCallback(() => {
    if (page === undefined || nextPath === undefined || after === null) return;
    setLoading(true);
    get<Page<T>>(nextPath, { ...query, after })
      .then(
        (next) =>
          setLater((before) => ({
            of: page,
            items: [...(before?.of === page ? before.items : []), ...next.items],
            after: next.after ?? null,
          })),
        (error: unknown) => setLater({ of: page, items: rest?.items ?? [], after, error: asError(error) }),
      )
      .finally(() => setLoading(false));
  }, [page, after, nextPath, JSON.stringify(query)]);
  return {
    items: page && [...page.items, ...(rest?.items ?? [])],
    first: page,
    error: first.error ?? rest?.error,
    isLoading: first.isLoading || isLoading,
    more: after === null ? undefined : more,
    reload: first.reload,
  };
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
