import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { EVENT_TYPES } from '../../events/event';
import { setReader, Refusal } from '../../http/field';
import { IsUuidText, MayBeLeftOut } from '../../http/validation';
import type { LosslessJson } from '../../kernel/lossless-json';
import { WARNINGS } from './rules.dto';

/** What a rule is tried on: a stored delivery, or an event. */
export class PreviewBody {
  /** A delivery of the organization, in whatever state. */
  @MayBeLeftOut()
  @IsUuidText()
  deliveryId?: string;

  @MayBeLeftOut()
  @IsDefined({ message: 'is required' })
  @ApiProperty({ type: Object, description: 'A canonical event' })
  @setReader((json) => json)
  event?: LosslessJson;

  @MayBeLeftOut()
  @IsDefined({ message: 'is required' })
  @ApiProperty({ type: String, description: 'A rule that is not put yet, YAML or JSON, to be tried instead' })
  @setReader((json) => (typeof json === 'string' ? json : new Refusal('text', 'must be text')))
  document?: string;
}

export class PreviewedEffect {
  @ApiProperty({ description: 'The business key' })
  key!: string;

  @ApiProperty()
  operation!: string;

  @ApiProperty({ required: false, description: 'Decimal text; left out where no amount is part of it' })
  amount?: string;

  @ApiProperty({
    type: Object,
    description: '`{"$ref": "step.output"}` stands for what an earlier step will have made',
  })
  input!: object;
}

export class PreviewedStep {
  @ApiProperty({ description: "The step's id in the rule" })
  id!: string;

  @ApiProperty()
  action!: string;

  @ApiProperty({ type: [PreviewedEffect] })
  effects!: PreviewedEffect[];
}

@ApiExtraModels(PreviewedStep)
export class PreviewedPlan {
  @ApiProperty({ description: 'Of all its amounts, ISO 4217' })
  currency!: string;

  @ApiProperty({ type: [PreviewedStep] })
  steps!: PreviewedStep[];
}

export class PreviewedRefusal {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The step it came to; null when it came to none',
  })
  step!: string | null;

  @ApiProperty({ description: 'A sentence, without personal data' })
  reason!: string;
}

export class PreviewedEvent {
  @ApiProperty({ type: 'integer', minimum: 0, description: "Position among the delivery's events" })
  index!: number;

  @ApiProperty({ enum: EVENT_TYPES })
  type!: string;

  @ApiProperty()
  businessKey!: string;

  @ApiProperty({ description: 'Whether the rule acts on it: its event, and all conditions true' })
  matched!: boolean;

  @ApiProperty({ type: PreviewedRefusal, nullable: true, description: 'Why nothing would be done' })
  refused!: PreviewedRefusal | null;

  @ApiProperty({ type: PreviewedPlan, nullable: true })
  plan!: PreviewedPlan | null;
}

export class RulePreviewView {
  @ApiProperty()
  rule!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null: a document that is not put' })
  version!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why a delivery comes to no events; null when it does',
  })
  reason!: string | null;

  @ApiProperty({ type: [PreviewedEvent] })
  events!: PreviewedEvent[];

  @ApiProperty({ type: [String], description: WARNINGS })
  warnings!: string[];
}
