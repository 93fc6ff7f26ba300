import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '../../events/event';
import { WholeListOf } from '../lists.dto';
import { MaybeReasonBody } from '../reasons.dto';

export const WARNINGS =
  'Sentences about what is valid and seldom meant, such as a key that another rule uses, too';

/** Why an operator does it, or nothing. */
export class RuleChangeBody extends MaybeReasonBody {}

export class RuleView {
  @ApiProperty()
  name!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'The version in force' })
  version!: number;

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...EVENT_TYPES, null],
    description: 'The event it acts on; null where this version of Ponte cannot tell',
  })
  event!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When the version in force was put for the first time' })
  createdAt!: string;
}

export class RuleDetail extends RuleView {
  @ApiProperty({ description: 'The version in force as it was written, YAML or JSON' })
  document!: string;
}

export class RuleList extends WholeListOf(RuleView) {}

export class PutRule {
  @ApiProperty()
  name!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'The version in force now' })
  version!: number;

  @ApiProperty({ type: [String], description: WARNINGS })
  warnings!: string[];
}

export class RuleVersionView {
  @ApiProperty({ type: 'integer', minimum: 1 })
  version!: number;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ description: 'Whether it is the version in force' })
  inForce!: boolean;

  @ApiProperty({ description: 'As it was written' })
  document!: string;
}

export class RuleVersionList {
  @ApiProperty({ type: [RuleVersionView] })
  items!: RuleVersionView[];

  @ApiProperty({ type: String, nullable: true, description: 'What to send as `after` for the next page' })
  after!: string | null;
}

export class DocumentProblem {
  @ApiProperty({ type: 'integer', minimum: 1 })
  line!: number;

  @ApiProperty({ type: 'integer', minimum: 1 })
  column!: number;

  @ApiProperty()
  message!: string;
}

export class RuleCheck {
  @ApiProperty()
  valid!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'As far as it can be read' })
  name!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'As far as it can be read' })
  event!: string | null;

  @ApiProperty({ type: [DocumentProblem], description: "In the document's order; empty when it is valid" })
  problems!: DocumentProblem[];

  @ApiProperty({ type: [String], description: WARNINGS })
  warnings!: string[];
}
