import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsISO4217CurrencyCode, IsNotIn, IsTimeZone } from 'class-validator';
import { SLUG, SLUG_MESSAGE } from '../config/configuration';
import { IsInteger32, IsText, IsUuidText, MayBeLeftOut, Optional } from '../http/validation';

/** No currencies of payment, or with decimals that Ponte does not know. */
const NOT_KEPT = [
  ...['CLF', 'UYI', 'UYW'],
  ...['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX'],
];
const CURRENCY_MESSAGE = { message: 'must be an ISO 4217 currency that payments are made in' };
/** An offset such as `-03:00` is none: it knows no summer time. */
const ZONE = { form: /^[A-Za-z]/, message: 'must be the IANA name of a time zone' };
const CURRENCY = { form: /^[A-Z]{3}$/, message: 'must be three capital letters' };

/** Which rules an organization begins with. */
const RULE_CHOICES = ['default', 'none'] as const;
type RuleChoice = (typeof RULE_CHOICES)[number];

function IsZoneName(): PropertyDecorator {
  return applyDecorators(IsTimeZone({ message: ZONE.message }), IsText({ max: 100, pattern: ZONE }));
}

function IsKeptCurrency(): PropertyDecorator {
  return applyDecorators(
    IsNotIn(NOT_KEPT, CURRENCY_MESSAGE),
    IsISO4217CurrencyCode(CURRENCY_MESSAGE),
    IsText({ pattern: CURRENCY }),
  );
}

export class NewOrganizationBody {
  @IsText({ max: 63, pattern: { form: SLUG, message: SLUG_MESSAGE } })
  slug!: string;

  @IsText({ max: 200 })
  name!: string;

  /** Absent: `America/Sao_Paulo`. */
  @MayBeLeftOut()
  @IsZoneName()
  timeZone?: string;

  /** Absent: `BRL`. */
  @MayBeLeftOut()
  @IsKeptCurrency()
  currency?: string;

  /** Name of a file in `chart/` of the configuration, without its ending; absent: no chart. */
  @Optional()
  @IsText({ max: 63 })
  chart?: string | null;

  /**
   * `default`: the rules and lookup tables of the configuration folder, as they are now; `none`: none. Absent:
   * `default`.
   */
  @MayBeLeftOut()
  @IsIn(RULE_CHOICES, { message: 'must be default or none' })
  @ApiProperty({ enum: RULE_CHOICES, required: false })
  rules?: RuleChoice;

  /** Stands in the audit log. */
  @Optional()
  @IsText()
  reason?: string | null;
}

/** What is left out keeps its value. */
export class OrganizationChangeBody {
  @MayBeLeftOut()
  @IsText({ max: 200 })
  name?: string;

  @MayBeLeftOut()
  @IsZoneName()
  timeZone?: string;

  @MayBeLeftOut()
  @IsKeptCurrency()
  currency?: string;

  /** `null`: none. */
  @Optional()
  @IsUuidText()
  defaultAccountId?: string | null;

  /** Days after its receipt at which the body of a settled delivery is removed. */
  @MayBeLeftOut()
  @IsInteger32({ min: 1, max: 3650 })
  rawBodyDays?: number;

  /** Must be the one it has. */
  @MayBeLeftOut()
  @IsText({ max: 63 })
  slug?: string;

  /** Stands in the audit log. */
  @Optional()
  @IsText()
  reason?: string | null;
}

/** An organization as operators see it. */
export class OrganizationView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  slug!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'IANA name of a time zone' })
  timeZone!: string;

  @ApiProperty({ description: 'ISO 4217' })
  currency!: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The account that receipts go to when nothing names one',
  })
  defaultAccountId!: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Days after its receipt at which the body of a settled delivery is removed',
  })
  rawBodyDays!: number;
}
