import { ApiProperty } from '@nestjs/swagger';
import { IsUuidText, MayBeLeftOut } from '../../http/validation';
import { ReasonBody } from '../reasons.dto';

export const CALL_STATES = ['planned', 'intended', 'applied', 'refused', 'unknown'] as const;
export type CallState = (typeof CALL_STATES)[number];

/** Why an operator does it. */
export class DecisionBody extends ReasonBody {}

export class AdoptionBody extends DecisionBody {
  /** The record that the call made; left out for an operation that makes none. */
  @MayBeLeftOut()
  @IsUuidText()
  recordId?: string;
}

/** One change asked of a finance service. */
export class CallSummary {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: "The effect's business key; `v1/…` for a request to /v1" })
  effectKey!: string;

  @ApiProperty({ description: "Which of the effect's calls, from 1" })
  part!: number;

  @ApiProperty({ description: 'Of the operations of `/v1`' })
  operation!: string;

  @ApiProperty({ enum: CALL_STATES })
  state!: CallState;

  @ApiProperty({ description: 'How often it was sent' })
  attempts!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Since when only a person can decide' })
  parkedAt!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Since when it is given up' })
  abandonedAt!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'When something is done with it by itself' })
  nextAt!: string | null;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  @ApiProperty({ type: Object, description: 'Identifiers of the records it made' })
  output!: object;

  @ApiProperty({ type: String, nullable: true, description: 'The delivery that waits for it' })
  deliveryId!: string | null;

  @ApiProperty()
  createdAt!: string;
}

/** One sending. */
export class CallTry {
  @ApiProperty()
  number!: number;

  @ApiProperty()
  sentAt!: string;

  @ApiProperty({ type: String, nullable: true })
  endedAt!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'null: Ponte ended before it was known' })
  outcome!: string | null;

  @ApiProperty({ type: Number, nullable: true })
  status!: number | null;

  @ApiProperty({ type: String, nullable: true })
  reply!: string | null;
}

/** A call with every sending, without personal data. */
export class CallView extends CallSummary {
  @ApiProperty({ type: Object, description: 'What was sent, without personal data' })
  sent!: Record<string, unknown>;

  @ApiProperty({ type: [CallTry] })
  tries!: CallTry[];
}
