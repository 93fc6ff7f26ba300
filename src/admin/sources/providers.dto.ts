import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { WholeListOf } from '../lists.dto';

/** A setting of a source, as its provider describes it. */
export class SettingView {
  @ApiProperty({ enum: ['string', 'number', 'boolean'] })
  type!: 'string' | 'number' | 'boolean';

  @ApiProperty()
  description!: string;

  @ApiProperty()
  required!: boolean;

  @ApiProperty({
    required: false,
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
    description: 'What holds when it is not set; absent: nothing',
  })
  default?: string | number | boolean;

  @ApiProperty({ required: false, enum: ['time-zone'], description: 'What the text has to be besides' })
  format?: 'time-zone';
}

/** A kind of shop or system whose webhooks Ponte understands. */
@ApiExtraModels(SettingView)
export class ProviderView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(SettingView) } })
  settings!: Record<string, SettingView>;

  @ApiProperty({ type: [String], description: 'What a person has to do, in order' })
  setUp!: string[];
}

export class ProviderList extends WholeListOf(ProviderView) {}
