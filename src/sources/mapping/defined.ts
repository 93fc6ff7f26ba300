/** `T` with every member that is undefined left out. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without its undefined members; undefined when none is left. */
export function definedOnly<T extends object>(object: T): Defined<T> | undefined {
  const members = object as Readonly<Record<string, unknown>>;
  let result: Record<string, unknown> | undefined;
  for (const key of Object.keys(members)) if (members[key] !== undefined) (result ??= {})[key] = members[key];
  return result as Defined<T> | undefined;
}
