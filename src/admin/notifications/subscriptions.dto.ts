import { LANGUAGES, SCHEDULES } from '../../notifications/subscriptions/subscription';
import { MOST_TOPICS } from '../../notifications/subscriptions/topics';
import { ObjectOf, reply, request } from '../fields';
import { WholeListOf } from '../lists.dto';
import { MaybeReasonBody } from '../reasons.dto';

/** How many addresses one subscription may have. */
export const MOST_EMAILS = 20;

/** Who is told of what needs a person. */
export class NewSubscriptionBody extends ObjectOf(
  {
    /** Lower-case letters, digits, hyphens. */
    name: request.text({ max: 63 }),
    /** Addresses without names. Needed where no endpoint is named. */
    emails: request.texts({ min: 1, max: MOST_EMAILS, each: 254 }).nullable(),
    /** Name of a notification endpoint. */
    endpoint: request.text({ max: 63 }).nullable(),
    /** Of e-mails: words, amounts and times; left out: `en`. */
    language: request.oneOf(LANGUAGES).nullable(),
    /** `immediate` within half a minute and at most once a minute, `hourly` at the full hour, `daily` at `at`. */
    schedule: request.oneOf(SCHEDULES),
    /** `08:00`: a time in the organization's zone. Needed with `daily`, and of no use otherwise. */
    at: request.text({ max: 5 }).nullable(),
    /** Codes of attention, and `attention`, `rules`, `sources`, `dead-letters`, `completeness`; left out: everything. */
    about: request.texts({ min: 1, max: MOST_TOPICS, each: 60 }).nullable(),
  },
  MaybeReasonBody,
) {}

export class SubscriptionView extends ObjectOf({
  name: reply.text(),
  emails: reply.texts('Who gets e-mails'),
  endpoint: reply.text('The notification endpoint that gets the messages; null: none').nullable(),
  language: reply.oneOf(LANGUAGES, 'Of e-mails'),
  schedule: reply.oneOf(SCHEDULES),
  at: reply.text("Of `daily`: the time in the organization's zone, as `08:00`; null otherwise").nullable(),
  about: reply.texts('Codes and topics; empty: everything'),
  nextAt: reply.instant('When Ponte checks next whether there is something to send'),
  createdAt: reply.instant(),
}) {}

export class SubscriptionList extends WholeListOf(SubscriptionView) {}
