import { ApiProperty, OmitType } from '@nestjs/swagger';
import { DELIVERY_STATES } from '../../deliveries/deliveries.repository';
import { ATTENTION_CODES } from '../../finance/api/effects/attention';
import { IsFlag, IsInstant, IsNested, IsText, MayBeLeftOut } from '../../http/validation';
import { PageOf } from '../lists.dto';
import { MaybeReasonBody, ReasonBody } from '../reasons.dto';

export class ReplayBody extends MaybeReasonBody {
  /** `true` unless said otherwise: only says what would be done. */
  @MayBeLeftOut()
  @IsFlag()
  dryRun?: boolean;
}

/** Which dead letters; all of what is given holds. */
export class LetterFilter {
  @MayBeLeftOut()
  @IsText({ max: 63 })
  source?: string;

  @MayBeLeftOut()
  @IsText()
  topic?: string;

  @MayBeLeftOut()
  @IsText()
  businessKey?: string;

  /** Received at this instant or later. */
  @MayBeLeftOut()
  @IsInstant()
  from?: Date;

  /** Received before this instant. */
  @MayBeLeftOut()
  @IsInstant()
  to?: Date;
}

export class RetryLettersBody extends ReasonBody {
  /** `{}` means every dead letter. */
  @IsNested(() => LetterFilter)
  filter!: LetterFilter;

  /** Only count them. */
  @MayBeLeftOut()
  @IsFlag()
  dryRun?: boolean;
}

export class RetriedLetters {
  @ApiProperty({ description: 'Dead letters that fitted; one call takes 10,000 at most' })
  matched!: number;

  @ApiProperty({ description: 'Of those, how many were put back to work' })
  retried!: number;
}

export class DeliveryView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: "The source's slug" })
  source!: string;

  @ApiProperty()
  topic!: string;

  @ApiProperty({ enum: DELIVERY_STATES })
  state!: string;

  @ApiProperty({ type: String, nullable: true, description: 'In a few words what came of it, once done' })
  outcome!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it is dead, or why it is tried again' })
  reason!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of the entity it speaks of, once understood' })
  businessKey!: string | null;

  @ApiProperty({ type: [String], description: 'Types of its events, once understood' })
  events!: string[];

  @ApiProperty({ description: 'Tries that ended in an unexpected failure' })
  attempts!: number;

  @ApiProperty({ format: 'date-time' })
  receivedAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt!: string | null;
}

export class DeliveryPage extends PageOf(DeliveryView) {}

/** Something a person must look at although nothing failed. */
export class AttentionView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  delivery!: string;

  @ApiProperty()
  businessKey!: string;

  @ApiProperty({ enum: ATTENTION_CODES })
  code!: string;

  @ApiProperty()
  detail!: string;

  @ApiProperty({ description: 'Decimal text' })
  value!: string;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

export class AttentionPage extends PageOf(AttentionView) {}

export class DeliveryBodyView {
  @ApiProperty({ type: String, nullable: true, description: '`application/json` where it is JSON' })
  contentType!: string | null;

  @ApiProperty({ description: 'Whether what may be about a person is hidden' })
  redacted!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'The body where it is UTF-8' })
  text!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The body where it is not UTF-8' })
  base64!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when it is no longer kept',
  })
  purgedAt!: string | null;
}

export class UnderstoodEventView {
  @ApiProperty()
  index!: number;

  @ApiProperty()
  type!: string;

  @ApiProperty({ description: "The entity's business key" })
  key!: string;

  @ApiProperty({ type: Object, description: 'The event as rules see it, without the payload' })
  event!: unknown;
}

/** What a step of a rule came to. */
export class DeliveryStepView {
  @ApiProperty({ description: "The step's id in the rule" })
  id!: string;

  @ApiProperty({ description: 'Such as `customer.ensure`' })
  action!: string;

  @ApiProperty({
    enum: ['applied', 'existing', 'refused', 'pending'],
    description: '`pending`: an earlier step was refused, or is waited for',
  })
  state!: string;

  @ApiProperty({ type: Object, description: 'Identifiers of the records it made or found' })
  output!: unknown;

  @ApiProperty({ type: [String], description: 'Business keys of its effects' })
  effects!: string[];

  @ApiProperty({ required: false })
  reason?: string;
}

export class DeliveryRunView {
  @ApiProperty()
  rule!: string;

  @ApiProperty()
  version!: number;

  @ApiProperty()
  event!: string;

  @ApiProperty({ description: '`running`, `done` or `refused`' })
  state!: string;

  @ApiProperty({ type: [DeliveryStepView], description: 'What each step came to' })
  steps!: unknown;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;
}

export class DeliveryEffectView {
  @ApiProperty({ description: 'Business key' })
  key!: string;

  @ApiProperty()
  operation!: string;

  @ApiProperty({ description: '`intended`, `applied`, `refused` or `unknown`' })
  state!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Decimal text; null where no amount is part of it',
  })
  value!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'ISO 4217; null where there is no value' })
  currency!: string | null;

  @ApiProperty({ type: Object, description: 'Identifiers of the records it made or found' })
  output!: unknown;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;
}

/** A delivery with everything that is known of it. */
export class DeliveryDetailView extends OmitType(DeliveryView, ['events']) {
  @ApiProperty({ type: [UnderstoodEventView], description: 'Its events as they are understood today' })
  events!: UnderstoodEventView[];

  @ApiProperty({ type: [String], description: 'Types of its events when it was worked on last' })
  eventTypes!: string[];

  @ApiProperty({ type: DeliveryBodyView })
  body!: DeliveryBodyView;

  @ApiProperty({ type: String, nullable: true, description: 'Why it says nothing, read today' })
  note!: string | null;

  @ApiProperty({ type: [DeliveryRunView] })
  runs!: DeliveryRunView[];

  @ApiProperty({ type: [DeliveryEffectView] })
  effects!: DeliveryEffectView[];
}

export class ReplayedEffectView {
  @ApiProperty()
  rule!: string;

  @ApiProperty({ description: "The step's id in the rule" })
  step!: string;

  @ApiProperty({ description: 'Business key' })
  key!: string;

  @ApiProperty()
  operation!: string;

  @ApiProperty({ enum: ['applied', 'absent', 'refused', 'intended', 'unknown', 'abandoned'] })
  state!: string;
}

export class RefusedPlanView {
  @ApiProperty({ type: String, nullable: true, description: 'Null: the delivery as a whole' })
  rule!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Null: the rule as a whole' })
  step!: string | null;

  @ApiProperty()
  reason!: string;
}

/** What a replay finds done, what it does, and what it cannot do. */
export class ReplayView {
  @ApiProperty()
  dryRun!: boolean;

  @ApiProperty({ type: [ReplayedEffectView] })
  applied!: ReplayedEffectView[];

  @ApiProperty({ type: [ReplayedEffectView] })
  missing!: ReplayedEffectView[];

  @ApiProperty({ type: [RefusedPlanView] })
  refused!: RefusedPlanView[];

  @ApiProperty({ description: 'Whether the delivery waits to be worked on' })
  queued!: boolean;
}
