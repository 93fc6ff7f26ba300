/** `T` with every member that is undefined left out. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without its undefined members; undefined when none is left. */
export function definedOnly<T extends object>(object: T): Defined<T> | undefined {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as Defined<T>) : undefined;
}
