import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsISO4217CurrencyCode, IsNotIn, IsTimeZone } from 'class-validator';
import { SLUG, SLUG_MESSAGE } from '../config/configuration';
import { IsText } from '../http/validation';
import { RETENTION_BOUNDS } from '../kernel/retention';
import { ObjectOf, reply, request } from './fields';

/** No currencies of payment, or with decimals that Ponte does not know. */
const NOT_KEPT = [
  ...['CLF', 'UYI', 'UYW'],
  ...['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX'],
];
const CURRENCY_MESSAGE = { message: 'must be an ISO 4217 currency that payments are made in' };
const CURRENCY = { form: /^[A-Z]{3}$/, message: 'must be three capital letters' };
/** An offset such as `-03:00` is none: it knows no summer time. */
const ZONE = { form: /^[A-Za-z]/, message: 'must be the IANA name of a time zone' };

/** Which rules an organization begins with. */
const RULE_CHOICES = ['default', 'none'] as const;

const zoneName = request.other<string>(
  IsText({ max: 100, pattern: ZONE }),
  IsTimeZone({ message: ZONE.message }),
);
const keptCurrency = request.other<string>(
  IsText({ pattern: CURRENCY }),
  IsISO4217CurrencyCode(CURRENCY_MESSAGE),
  IsNotIn(NOT_KEPT, CURRENCY_MESSAGE),
);
const ruleChoice = request.other<(typeof RULE_CHOICES)[number]>(
  ApiProperty({ enum: RULE_CHOICES, required: false }),
  IsIn(RULE_CHOICES, { message: 'must be default or none' }),
);

const days = (setting: keyof typeof RETENTION_BOUNDS) => {
  const { least: min, most: max } = RETENTION_BOUNDS[setting];
  return request.integer({ min, max });
};

/** For how many days what is kept. `null`: for ever; what is left out keeps its value. */
export class RetentionBody extends ObjectOf({
  /** The same as `rawBodyDays`. */
  bodies: days('bodies').optional(),
  plans: days('plans').nullable(),
  calls: days('calls').nullable(),
  deferred: days('deferred').nullable(),
  attention: days('attention').nullable(),
  idempotency: days('idempotency').nullable(),
  feed: days('feed').nullable(),
  feedUnread: days('feedUnread').nullable(),
}) {}

export class NewOrganizationBody extends ObjectOf({
  slug: request.text({ max: 63, pattern: { form: SLUG, message: SLUG_MESSAGE } }),
  name: request.text({ max: 200 }),
  /** Absent: `America/Sao_Paulo`. */
  timeZone: zoneName.optional(),
  /** Absent: `BRL`. */
  currency: keptCurrency.optional(),
  /** Name of a file in `chart/` of the configuration, without its ending; absent: no chart. */
  chart: request.text({ max: 63 }).nullable(),
  /** `default`, or absent: the rules and lookup tables of the configuration folder, as they are now; `none`: none. */
  rules: ruleChoice.optional(),
  /** Name of a folder of `profiles/` of the configuration; absent: `cash`. */
  profile: request.text({ max: 63, pattern: { form: SLUG, message: SLUG_MESSAGE } }).optional(),
  reason: request.reason(),
}) {}

/** What is left out keeps its value. */
export class OrganizationChangeBody extends ObjectOf({
  name: request.text({ max: 200 }).optional(),
  timeZone: zoneName.optional(),
  currency: keptCurrency.optional(),
  /** `null`: none. */
  defaultAccountId: request.uuid().nullable(),
  /** Days after its receipt at which the body of a settled delivery is removed. */
  rawBodyDays: request.integer({ min: 1, max: 3650 }).optional(),
  /** For how many days what is kept. */
  retention: request.object(RetentionBody).optional(),
  /** Name of a folder of `profiles/` of the configuration. */
  profile: request.text({ max: 63, pattern: { form: SLUG, message: SLUG_MESSAGE } }).optional(),
  /** Must be the one it has. */
  slug: request.text({ max: 63 }).optional(),
  reason: request.reason(),
}) {}

/** For how many days what is kept; null: for ever. */
export class RetentionView extends ObjectOf({
  bodies: reply.integer('Bodies of settled deliveries, after their receipt: the same as `rawBodyDays`'),
  plans: reply
    .integer('What the effects of a run were asked for with, once its delivery has no body')
    .nullable(),
  calls: reply.integer('What was sent to a remote finance service, of calls that are applied').nullable(),
  deferred: reply
    .integer('What a deferred effect was asked for with, once it is applied or given up')
    .nullable(),
  attention: reply.integer('Attention items that are settled').nullable(),
  idempotency: reply.integer('Answers to requests with an `Idempotency-Key`').nullable(),
  feed: reply
    .integer('Changes of the feed, once every connector with a stored cursor has read them')
    .nullable(),
  feedUnread: reply
    .integer('Changes of the feed, whether a connector has read them or not; null: they wait for it')
    .nullable(),
}) {}

/** How far what is no longer kept is removed. */
export class RetentionKindView extends ObjectOf({
  kind: reply.text('As in `retention` of the organization'),
  days: reply.integer('null: kept for ever').nullable(),
  ranAt: reply.instant('When it was last seen to; null: never').nullable(),
  removed: reply.integer('How much was removed then: rows, or contents of rows that stay'),
  removedEver: reply.integer('How much was removed since it is counted'),
  complete: reply.flag('Whether nothing was left then that is old enough'),
}) {}

export class RetentionStatusView extends ObjectOf({
  kinds: reply.listOf(RetentionKindView, 'All but bodies, which go by months'),
}) {}

/** An organization as operators see it. */
export class OrganizationView extends ObjectOf({
  id: reply.uuid(),
  slug: reply.text(),
  name: reply.text(),
  timeZone: reply.text('IANA name of a time zone'),
  currency: reply.text('ISO 4217'),
  defaultAccountId: reply.uuid('The account that receipts go to when nothing names one').nullable(),
  rawBodyDays: reply.integer('Days after its receipt at which the body of a settled delivery is removed'),
  retention: reply.object(RetentionView),
  profile: reply.text('Whose rules of the configuration folder it has beside those of all'),
}) {}

/** What a change of profile did, by the names of rules. */
export class ProfileChangeView extends ObjectOf({
  put: reply.texts('Rules of the new profile that are new, or have another text now'),
  enabled: reply.texts('Rules of the new profile that were there and act again'),
  disabled: reply.texts('Rules of the old profile alone, which act no more'),
  kept: reply.texts('Rules of either profile that operators had changed or disabled, left as they had them'),
}) {}

/** An organization after a change. */
export class ChangedOrganizationView extends ObjectOf(
  { profileChange: reply.object(ProfileChangeView, 'null: it has the profile that it had').nullable() },
  OrganizationView,
) {}
