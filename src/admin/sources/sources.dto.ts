import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsObject, IsString } from 'class-validator';
import { SLUG, SLUG_MESSAGE } from '../../config/configuration';
import { IsFlag, IsText, MayBeLeftOut } from '../../http/validation';
import { WholeListOf } from '../lists.dto';
import { MaybeReasonBody } from '../reasons.dto';

/** How many secrets of a source may be live at once. */
export const MOST_SECRETS = 5;

/** Why an operator does it, or nothing. */
export class SourceReasonBody extends MaybeReasonBody {}

/** What is set on a source; its members are those of its provider. */
class SourceSettingsField extends SourceReasonBody {
  @MayBeLeftOut()
  @IsObject({ message: 'must be an object' })
  @ApiProperty({ type: Object, description: 'Settings by name, as the provider lists them' })
  settings?: Record<string, unknown>;
}

export class NewSourceBody extends SourceSettingsField {
  /** Part of the webhook's address; never changes. */
  @IsText({ max: 63, pattern: { form: SLUG, message: SLUG_MESSAGE } })
  slug!: string;

  @IsText({ max: 100 })
  provider!: string;

  /** Newest first; all of them are live. */
  @MayBeLeftOut()
  @IsString({ each: true, message: 'must be a list of texts' })
  @ArrayMaxSize(MOST_SECRETS, { message: `must hold at most ${MOST_SECRETS}` })
  @IsArray({ message: 'must be a list of texts' })
  @ApiProperty({ type: String, isArray: true, maxItems: MOST_SECRETS, writeOnly: true })
  secrets?: string[];

  /** Absent: false. */
  @MayBeLeftOut()
  @IsFlag()
  paused?: boolean;
}

export class SourceChangeBody extends SourceReasonBody {
  /** All of them: what is left out is as it is unless set. */
  @IsObject({ message: 'must be an object' })
  @ApiProperty({ type: Object, description: 'Settings by name, as the provider lists them' })
  settings!: Record<string, unknown>;
}

export class NewSecretBody extends SourceReasonBody {
  @IsString({ message: 'must be text' })
  @ApiProperty({ type: String, minLength: 1, maxLength: 1000, writeOnly: true })
  secret!: string;
}

/** How a source is doing. */
export class SourceStatusView {
  @ApiProperty({ description: 'Whether a webhook that is signed right is taken' })
  receiving!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why it is not receiving' })
  reason!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastReceivedAt!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When a webhook was last refused for its signature, to the minute',
  })
  lastRefusedAt!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it was refused' })
  lastRefusal!: string | null;

  @ApiProperty({ type: 'integer', description: 'Deliveries to be worked on; 1000: that many or more' })
  waiting!: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries that need a person; 1000: that many or more' })
  dead!: number;

  @ApiProperty({
    type: 'integer',
    description: 'How many of the newest 100 deliveries brought events of which no enabled rule took any',
  })
  unhandled!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the newest of those came in; null: none of the newest 100',
  })
  lastUnhandledAt!: string | null;

  @ApiProperty({ type: [String], description: 'Types of its events, such as order.paid' })
  lastUnhandledEvents!: string[];
}

export class SourceView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  slug!: string;

  @ApiProperty()
  provider!: string;

  @ApiProperty({ type: Object })
  settings!: Record<string, unknown>;

  @ApiProperty()
  paused!: boolean;

  @ApiProperty({ type: 'integer', description: 'How many secrets are live' })
  secretCount!: number;

  @ApiProperty({ description: 'Where the provider sends its webhooks' })
  webhookUrl!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;

  @ApiProperty({ type: SourceStatusView })
  status!: SourceStatusView;
}

export class SourceList extends WholeListOf(SourceView) {}
