/** Milliseconds that one count of a source's refusals is of. */
const SPAN_MS = 10 * 60_000;

/** How long counts are kept, in milliseconds: far longer than they are added up. */
export const REFUSALS_KEPT_MS = 86_400_000;

/** When the count began that something of this time belongs to. */
export function countedSince(at: Date): Date {
  return new Date(Math.floor(at.getTime() / SPAN_MS) * SPAN_MS);
}
