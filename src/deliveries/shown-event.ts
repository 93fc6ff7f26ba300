import type { CanonicalEvent } from '../events/event';
import type { LosslessJson } from '../kernel/lossless-json';
import { Money } from '../kernel/money';
import { redact } from './redaction';

/** A canonical event as data: instants as ISO 8601, money as a preview takes it, `{value, currency}`; without the payload it was read from. */
export function eventAsJson({ raw: _raw, ...event }: CanonicalEvent): LosslessJson {
  return plain(event);
}

/** As {@link eventAsJson}, without what may be about a person. */
export function redactedEvent(event: CanonicalEvent): LosslessJson {
  return redact(eventAsJson(event));
}

function plain(value: unknown): LosslessJson {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Money) return { value: value.toString(), currency: value.currency };
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : text(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
