/** `T` with every member that is undefined left out. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without its undefined members; undefined when none is left. */
export function definedOnly<T extends object>(object: T): Defined<T> | undefined {
  const members = object as Readonly<Record<string, unknown>>;
  let result: Record<string, unknown> | undefined;
  for (const key of Object.keys(members)) if (members[key] !== undefined) (result ??= {})[key] = members[key];
  return result as Defined<T> | undefined;
}

/** `T`, whose optional members may be undefined as well. */
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** Facts as a payload has them: an optional member that is undefined is left out. */
export function defined<T extends object>(loose: Loose<NoInfer<T>>): T {
  return (definedOnly(loose) ?? {}) as T;
}
