import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsISO4217CurrencyCode, IsNotIn, IsTimeZone } from 'class-validator';
import { SLUG, SLUG_MESSAGE } from '../config/configuration';
import { IsText } from '../http/validation';
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
  /** Name of a folder of `profiles/` of the configuration. */
  profile: request.text({ max: 63, pattern: { form: SLUG, message: SLUG_MESSAGE } }).optional(),
  /** Must be the one it has. */
  slug: request.text({ max: 63 }).optional(),
  reason: request.reason(),
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
