import { CalendarDate } from '../../kernel/calendar-date';
import { instantAt, offsetAt } from '../../kernel/time-zone';

export const SCHEDULES = ['immediate', 'hourly', 'daily'] as const;
export type Schedule = (typeof SCHEDULES)[number];

export const LANGUAGES = ['en', 'pt-BR'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How often an immediate subscription is checked for new items, in milliseconds. */
export const IMMEDIATE_MS = 15_000;
/** Between two messages of an immediate subscription, in milliseconds: items that come in between share a message. */
const BETWEEN_MS = 60_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Whom to notify of what needs a person, when, and of what. */
export interface Subscription {
  /** UUID */
  readonly id: string;
  readonly name: string;
  readonly emails: readonly string[];
  /** Name of a notification endpoint; null: none. */
  readonly endpoint: string | null;
  readonly language: Language;
  readonly schedule: Schedule;
  /** Of a daily one: minutes after midnight in the organization's zone; null otherwise. */
  readonly atMinute: number | null;
  /** Codes and topics; empty: everything. */
  readonly about: readonly string[];
  readonly nextAt: Date;
  readonly createdAt: Date;
}

/**
 * When the subscription is checked next for new items: after now. Hours and days are those of the zone.
 * @param hasMessage whether this check makes a message
 */
export function nextCheck(
  { schedule, atMinute }: Pick<Subscription, 'schedule' | 'atMinute'>,
  now: Date,
  timeZone: string,
  hasMessage = false,
): Date {
  const ms = now.getTime();
  if (schedule === 'immediate') return new Date(ms + (hasMessage ? BETWEEN_MS : IMMEDIATE_MS));
  if (schedule === 'hourly') {
    const offset = offsetAt(ms, timeZone);
    return new Date((Math.floor((ms + offset) / HOUR_MS) + 1) * HOUR_MS - offset);
  }
  const today = CalendarDate.fromInstant(now, timeZone);
  const times = [0, 1, 2].map((days) => instantAt(today.addDays(days).toString(), atMinute ?? 0, timeZone));
  return new Date(times.find((time) => time > ms) ?? ms + 24 * HOUR_MS);
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** @param text `08:30` @returns minutes after midnight; undefined: it is no time of a day */
export function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** `08:30` */
export function timeOf(minute: number): string {
  return new Date(minute * MINUTE_MS).toISOString().slice(11, 16);
}
