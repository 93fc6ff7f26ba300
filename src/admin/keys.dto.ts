import { ApiProperty } from '@nestjs/swagger';
import { IsText, IsWordList } from '../http/validation';
import { SCOPES, type Scope } from '../organizations/scope';

export class NewKeyBody {
  @IsText({ max: 100 })
  name!: string;

  @IsWordList(SCOPES)
  scopes!: Scope[];
}

/** A key that was just made. */
export class MadeKeyView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'The key itself, which nothing shows again' })
  key!: string;
}

/** A key as it is stored: without the key itself. */
export class KeyView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: [String], description: `Among ${SCOPES.join(', ')}` })
  scopes!: string[];

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null: it is live' })
  revokedAt!: string | null;
}
