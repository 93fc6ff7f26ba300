/** The entry that answers for every key without one of its own. */
export const DEFAULT_KEY = 'default';

/** A table of names to names that rules look things up in: `tables.NAME["key"]`. */
export class LookupTable {
  /** The entries as expressions read them: an unknown key gives the default, if there is one. */
  readonly lookup: ReadonlyMap<string, string>;

  constructor(
    readonly name: string,
    /** Keys exactly as they are compared: letter case counts. */
    readonly entries: ReadonlyMap<string, string>,
  ) {
    const lookup = new Map(entries);
    const fallback = entries.get(DEFAULT_KEY);
    if (fallback !== undefined) {
      // The library tells a map by its constructor, so this stays a plain Map with one method of its own.
      lookup.get = (key) => entries.get(key) ?? fallback;
    }
    this.lookup = lookup;
  }

  /** From entries as they are stored: a JSON object of texts. */
  static of(name: string, entries: Readonly<Record<string, string>>): LookupTable {
    return new LookupTable(name, new Map(Object.entries(entries)));
  }
}

export type LookupTables = ReadonlyMap<string, LookupTable>;
