/**
 * A map that never has more than `max` entries: when one more is set, the one that was set longest ago goes. For what is
 * remembered to spare work, where others decide what there is to remember.
 */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  /** @param max entries kept at most, from 1 */
  constructor(private readonly max: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  /** As they are now, the one that goes first before the others. */
  keys(): K[] {
    return [...this.entries.keys()];
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  has(key: K): boolean {
    return this.entries.has(key);
  }

  /** Sets the entry anew: it is now the last to go. */
  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.max) return;
    const [oldest] = this.entries.keys();
    this.entries.delete(oldest as K);
  }

  /** What the key has; where it has nothing yet, what `make` gives is kept. What it throws is not. */
  getOrMake(key: K, make: () => V): V {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }
}
