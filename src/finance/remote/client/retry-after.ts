/** Longer than this no service is left alone on its own word. */
export const MAX_RETRY_AFTER_MS = 15 * 60_000;

const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * What a `Retry-After` says, in milliseconds from now: seconds or an HTTP date (RFC 9110 §10.2.3), 15 minutes at
 * most. A date that is past is 0.
 * @returns undefined where there is none, or it is neither
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS);
  if (!DATE.test(text) || Number.isNaN(Date.parse(text))) return undefined;
  return Math.min(Math.max(0, Date.parse(text) - now.getTime()), MAX_RETRY_AFTER_MS);
}
