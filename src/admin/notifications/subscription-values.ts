import { isEmailAddress } from '../../kernel/email-address';
import { unacceptable } from '../../kernel/problem';
import { minuteOf, type Schedule, type Subscription } from '../../notifications/subscriptions/subscription';
import { isTopic, TOPIC_FORM } from '../../notifications/subscriptions/topics';
import { isEndpointName } from './endpoint-values';
import type { NewSubscriptionBody } from './subscriptions.dto';

/** What an operator decides of a subscription. */
export type WantedSubscription = Omit<Subscription, 'id' | 'nextAt' | 'createdAt'>;

/** @throws Problem validation-failed */
export function readSubscription(body: NewSubscriptionBody): WantedSubscription {
  const { name, schedule, endpoint = null, language } = body;
  if (!isEndpointName(name))
    throw unacceptable('/name', 'name', 'must be lower-case letters and digits, with hyphens between');
  const emails = readEmails(body.emails ?? []);
  if (emails.length === 0 && endpoint === null)
    throw unacceptable('/emails', 'needed', 'is needed, or an endpoint');
  return {
    ...{ name, emails, endpoint, schedule, language: language ?? 'en' },
    ...{ atMinute: readTime(schedule, body.at ?? null), about: readAbout(body.about ?? []) },
  };
}

function readEmails(emails: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const [index, email] of emails.entries()) {
    const pointer = `/emails/${index}`;
    if (!isEmailAddress(email))
      throw unacceptable(pointer, 'email', 'must be one e-mail address, without a name');
    if (seen.has(email.toLowerCase())) throw unacceptable(pointer, 'email', 'is listed twice');
    seen.add(email.toLowerCase());
  }
  return emails;
}

function readTime(schedule: Schedule, at: string | null): number | null {
  if (schedule !== 'daily') {
    if (at !== null) throw unacceptable('/at', 'at', 'is of use only with the schedule daily');
    return null;
  }
  const minute = at === null ? undefined : minuteOf(at);
  if (minute === undefined)
    throw unacceptable('/at', 'at', 'must be a time such as 08:00 with the schedule daily');
  return minute;
}

function readAbout(about: readonly string[]): readonly string[] {
  const wrong = about.findIndex((word) => !isTopic(word));
  if (wrong >= 0) throw unacceptable(`/about/${wrong}`, 'about', TOPIC_FORM);
  return about;
}
