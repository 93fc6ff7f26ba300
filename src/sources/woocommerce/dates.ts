import type { Payload } from '../payload';

/** A WooCommerce time: the `_gmt` twin, which is UTC; else the plain one, which is wall time of the shop. */
export function instantOf(payload: Payload, key: string, timeZone: string): Date | undefined {
  return payload.instant(`${key}_gmt`, 'UTC') ?? payload.instant(key, timeZone);
}
