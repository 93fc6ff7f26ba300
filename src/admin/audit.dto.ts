import { ApiProperty } from '@nestjs/swagger';
import { PageOf } from './lists.dto';

export class AuditView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty({ description: 'Identifier of the API key that acted' })
  actor!: string;

  @ApiProperty({ description: 'What was done, for example `key.create`' })
  action!: string;

  @ApiProperty({ description: 'What it was done to: an identifier or a name' })
  subject!: string;

  @ApiProperty({ type: Object, nullable: true })
  before!: unknown;

  @ApiProperty({ type: Object, nullable: true })
  after!: unknown;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;
}

export class AuditPage extends PageOf(AuditView) {}
