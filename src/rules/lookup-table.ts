import { meantOr, nearestName } from '../kernel/nearest';

/** The entry that answers for every key without one of its own. */
export const DEFAULT_KEY = 'default';

/**
 * A table of names to names that rules look things up in: `tables.NAME["key"]`. An entry whose key begins with a source's slug
 * and a slash (`outlet/pix`) is for the events of that source alone, and goes before all that the table says of every source.
 */
export class LookupTable {
  /** What most sources read: those of which the table has no entries. */
  private readonly ofAll: ReadonlyMap<string, string>;

  constructor(
    readonly name: string,
    /** Keys exactly as they are compared: letter case counts. */
    readonly entries: ReadonlyMap<string, string>,
  ) {
    this.ofAll = answering(entries);
  }

  /** From entries as they are stored: a JSON object of texts. */
  static of(name: string, entries: Readonly<Record<string, string>>): LookupTable {
    return new LookupTable(name, new Map(Object.entries(entries)));
  }

  /**
   * A sentence for each slug that keys begin with and no source has. A slash may stand in any key, so only such keys count as
   * have the rest of their key without a slug too, or for a source that is there, or are nearly called as one.
   * @param sources slugs of the organization's sources
   */
  warnings(sources: ReadonlySet<string>): string[] {
    const keys = [...this.entries.keys()].map((key) => ({ key, ...halvesOf(key) }));
    const known = new Set([
      DEFAULT_KEY,
      ...keys.map(({ key, slug, rest }) => (sources.has(slug) ? rest : key)),
    ]);
    const misspelt = new Map<string, string[]>();
    for (const { key, slug, rest } of keys) {
      if (slug === '' || sources.has(slug)) continue;
      if (known.has(rest) || nearestName(slug, sources) !== undefined)
        misspelt.set(slug, [...(misspelt.get(slug) ?? []), key]);
    }
    return [...misspelt].map(([slug, [first, ...others]]) => {
      const which = others.length === 0 ? `key "${first}"` : `keys "${first}" and ${others.length} more`;
      return `${which}: there is no source "${slug}"${meantOr(nearestName(slug, sources), sources)}`;
    });
  }

  /**
   * The entries as expressions read them: an unknown key gives the default, if there is one.
   * @param source slug of the source whose event it is
   */
  lookup(source: string): ReadonlyMap<string, string> {
    const start = `${source}/`;
    const own = [...this.entries].filter(([key]) => key.startsWith(start));
    if (own.length === 0) return this.ofAll;
    const ownByKey = new Map(own.map(([key, value]) => [key.slice(start.length), value]));
    // The source's own default answers for every key that the source has none of, also for one that all sources have.
    return answering(ownByKey.has(DEFAULT_KEY) ? ownByKey : new Map([...this.entries, ...ownByKey]));
  }
}

/** The parts of a key before and behind its first slash; both empty where the first can be no source's slug. */
function halvesOf(key: string): { slug: string; rest: string } {
  const [, slug = '', rest = ''] = /^([a-z0-9-]+)\/(.+)$/s.exec(key) ?? [];
  return { slug, rest };
}

/** These entries; where they have a default, every other key gives it. */
function answering(entries: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const fallback = entries.get(DEFAULT_KEY);
  if (fallback === undefined) return entries;
  // The library tells a map by its constructor, so this stays a plain Map with one method of its own.
  const lookup = new Map(entries);
  lookup.get = (key) => entries.get(key) ?? fallback;
  return lookup;
}

export type LookupTables = ReadonlyMap<string, LookupTable>;
