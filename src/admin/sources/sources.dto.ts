import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsObject, IsString } from 'class-validator';
import { SLUG, SLUG_MESSAGE } from '../../config/configuration';
import { ObjectOf, reply, request } from '../fields';
import { WholeListOf } from '../lists.dto';
import { MaybeReasonBody } from '../reasons.dto';

/** How many secrets of a source may be live at once. */
export const MOST_SECRETS = 5;

/** Its members are those of the provider. */
const settings = request.other<Record<string, unknown>>(
  ApiProperty({ type: Object, description: 'Settings by name, as the provider lists them' }),
  IsObject({ message: 'must be an object' }),
);

/** Newest first; all of them are live. */
const secrets = request.other<string[]>(
  ApiProperty({ type: String, isArray: true, maxItems: MOST_SECRETS, writeOnly: true }),
  IsArray({ message: 'must be a list of texts' }),
  ArrayMaxSize(MOST_SECRETS, { message: `must hold at most ${MOST_SECRETS}` }),
  IsString({ each: true, message: 'must be a list of texts' }),
);

const secret = request.other<string>(
  ApiProperty({ type: String, minLength: 1, maxLength: 1000, writeOnly: true }),
  IsString({ message: 'must be text' }),
);

/** Why an operator does it, or nothing. */
export class SourceReasonBody extends MaybeReasonBody {}

export class NewSourceBody extends ObjectOf(
  {
    settings: settings.optional(),
    /** Part of the webhook's address; never changes. */
    slug: request.text({ max: 63, pattern: { form: SLUG, message: SLUG_MESSAGE } }),
    provider: request.text({ max: 100 }),
    secrets: secrets.optional(),
    /** Absent: false. */
    paused: request.flag().optional(),
  },
  SourceReasonBody,
) {}

export class SourceChangeBody extends ObjectOf(
  {
    /** All of them: what is left out is as it is unless set. */
    settings,
  },
  SourceReasonBody,
) {}

/** Its members are those of the provider. */
const credentials = request.other<Record<string, unknown>>(
  ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: 4000 },
    writeOnly: true,
    description: 'Credentials by name, as the provider lists them; none: those there are are forgotten',
  }),
  IsObject({ message: 'must be an object' }),
);

export class CredentialsBody extends ObjectOf({ credentials }, SourceReasonBody) {}

export class NewSecretBody extends ObjectOf({ secret }, SourceReasonBody) {}

/** The webhooks that a provider had for a source when it was asked last. */
export class CheckedHooksView extends ObjectOf({
  checkedAt: reply.instant(),
  problem: reply.text('What was wrong with them; null: nothing').nullable(),
}) {}

/** What a provider is about to do with a source's webhook, or probably has done. */
export class SwitchOffView extends ObjectOf({
  state: reply.oneOf(['near', 'probable'], 'Whether it is about to switch the webhook off, or probably has'),
  part: reply.number('How much of what it bears has happened, from 0.5 on; 1: all of it'),
  topics: reply.texts('Of which topics the webhooks are; empty: one brings all'),
  failures: reply.integer('How many failed in a row; not counted beyond afterFailures, or beyond 20'),
  since: reply.instant('When the first of them failed'),
  lastFailedAt: reply.instant(),
  lastFailure: reply.text('Why the last one failed'),
  afterFailures: reply.integer('After how many it switches off; null: hours decide').nullable(),
  afterHours: reply.integer('After how many hours of failures; null: their number decides').nullable(),
}) {}

/** What a source's daily comparison with the books came to. */
export class SourceCompletenessView extends ObjectOf({
  checkedAt: reply.instant('Null: none ended').nullable(),
  from: reply.day('The first day that was compared').nullable(),
  to: reply.day('The last one').nullable(),
  compared: reply.integer('Orders and payouts'),
  differences: reply.integer('How many differences there were'),
  repairable: reply.integer('How many deliveries a repair works on again'),
  failure: reply.text('Why the last one could not be made; null: it was').nullable(),
}) {}

/** How a source is doing. */
export class SourceStatusView extends ObjectOf({
  receiving: reply.flag('Whether a webhook that is signed right is taken'),
  reason: reply.text('Why it is not receiving').nullable(),
  lastReceivedAt: reply.instant('When the newest webhook came in, imports left out').nullable(),
  lastRefusedAt: reply.instant('When a webhook was last refused for its signature, to the minute').nullable(),
  lastRefusal: reply.text('Why it was refused').nullable(),
  quietFor: reply.integer('Seconds since the newest delivery; null: there is none').nullable(),
  expectedWithin: reply
    .integer(
      'Seconds within which something is expected, as it was usual in the last three weeks or as silentAfterHours says; null: nobody can say',
    )
    .nullable(),
  silent: reply.flag('Whether it has been quiet for longer than that'),
  failing: reply.flag(
    'Whether ten webhooks or more were refused for their signature within an hour, and more than were accepted',
  ),
  switchOff: reply
    .object(
      SwitchOffView,
      'Set where its provider is about to switch a webhook off for failed deliveries, or probably has',
    )
    .nullable(),
  waiting: reply.integer('Deliveries to be worked on; 1000: that many or more'),
  dead: reply.integer('Deliveries that need a person; 1000: that many or more'),
  unhandled: reply.integer(
    'How many of the newest 100 deliveries brought events of which no enabled rule took any',
  ),
  lastUnhandledAt: reply.instant('When the newest of those came in; null: none of the newest 100').nullable(),
  lastUnhandledEvents: reply.texts('Types of its events, such as order.paid'),
  hooks: reply
    .object(CheckedHooksView, 'Its webhooks at the provider; null: Ponte has not registered or found them')
    .nullable(),
  comparedAt: reply
    .instant(
      "When it was last compared with its provider's list; null: it never was, or its provider has none",
    )
    .nullable(),
  comparedUntil: reply.instant('Up to when all that the list has was compared').nullable(),
  missed: reply.integer('How many deliveries were missing in the last comparison; they were stored'),
  comparisonFailure: reply.text('Why the last comparison failed, or was not made').nullable(),
  completeness: reply
    .object(SourceCompletenessView, 'What its daily comparison with the books came to; null: there was none')
    .nullable(),
}) {}

export class SourceView extends ObjectOf({
  id: reply.uuid(),
  slug: reply.text(),
  provider: reply.text(),
  settings: reply.other<Record<string, unknown>>({ type: Object }),
  paused: reply.flag(),
  secretCount: reply.integer('How many secrets are live'),
  credentials: reply.texts("Names of the credentials for the provider's API that are set"),
  webhookUrl: reply.text(
    'Where the provider sends its webhooks; `{secret}` in it stands for a secret of the source, of a provider that cannot sign',
  ),
  createdAt: reply.instant(),
  updatedAt: reply.instant(),
  status: reply.object(SourceStatusView),
}) {}

export class SourceList extends WholeListOf(SourceView) {}
