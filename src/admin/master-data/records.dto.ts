import { ApiProperty } from '@nestjs/swagger';

/** What was made, by its identifier. */
export class MadeView {
  @ApiProperty({ format: 'uuid' })
  id!: string;
}

/** What all simple records have. */
class RecordView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  deleted!: boolean;
}

export class BankRecordView extends RecordView {
  @ApiProperty({ description: 'Three digits (COMPE)' })
  code!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Such as #EC7000' })
  color!: string | null;
}

export class CategoryGroupRecordView extends RecordView {
  @ApiProperty()
  referenceCode!: string;

  @ApiProperty()
  name!: string;
}

/** A category has what its group has, and more. */
export class CategoryRecordView extends CategoryGroupRecordView {
  @ApiProperty({ enum: ['in', 'out'] })
  type!: string;

  @ApiProperty({ format: 'uuid' })
  groupId!: string;
}

export class CostCenterRecordView extends RecordView {
  @ApiProperty({ type: String, nullable: true })
  externalCode!: string | null;

  @ApiProperty()
  description!: string;
}
