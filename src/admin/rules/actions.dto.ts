import { ApiProperty } from '@nestjs/swagger';
import { WholeListOf } from '../lists.dto';

export class ActionKey {
  @ApiProperty()
  required!: boolean;

  @ApiProperty()
  description!: string;
}

export class ActionInput {
  @ApiProperty()
  name!: string;

  @ApiProperty({ example: 'Money' })
  type!: string;

  @ApiProperty()
  required!: boolean;

  @ApiProperty()
  description!: string;

  @ApiProperty({
    type: () => [ActionInput],
    required: false,
    description: "Of what can be written out: the fields of an object, or of a list's elements",
  })
  fields?: ActionInput[];
}

export class ActionOutput {
  @ApiProperty()
  name!: string;

  @ApiProperty({ example: 'CustomerRef' })
  type!: string;

  @ApiProperty()
  description!: string;
}

export class ActionView {
  @ApiProperty({ example: 'customer.ensure' })
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ type: ActionKey, description: "The step's `key`" })
  key!: ActionKey;

  @ApiProperty({ type: [ActionInput] })
  input!: ActionInput[];

  @ApiProperty({ type: [ActionOutput] })
  output!: ActionOutput[];
}

export class ActionList extends WholeListOf(ActionView) {}
