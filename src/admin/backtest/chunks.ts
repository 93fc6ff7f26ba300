/** Bytes of bodies that are in memory at once; one body alone may be larger. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Deliveries whose bodies are read at once. */
const MOST_DELIVERIES = 100;

/** Divides a page, in its order, into portions whose bodies may be in memory together. @param size null: no body */
export function chunksOf<T extends { size: number | null }>(page: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let current: T[] = [];
  let bytes = 0;
  for (const item of page) {
    const size = item.size ?? 0;
    if (current.length > 0 && (current.length >= MOST_DELIVERIES || bytes + size > MOST_BYTES)) {
      chunks.push(current);
      [current, bytes] = [[], 0];
    }
    current.push(item);
    bytes += size;
  }
  return current.length > 0 ? [...chunks, current] : chunks;
}
