/** `T` with every member that is undefined left out. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without its undefined members; undefined when none is left. */
export function definedOnly<T extends object>(object: T): Defined<T> | undefined {
  let result: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(object)) if (value !== undefined) (result ??= {})[key] = value;
  return result as Defined<T> | undefined;
}
