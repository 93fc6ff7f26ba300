import { ApiProperty } from '@nestjs/swagger';
import { ObjectOf, reply } from '../fields';
import { WholeListOf } from '../lists.dto';

export class ActionKey extends ObjectOf({ required: reply.flag(), description: reply.text() }) {}

export class ActionInput extends ObjectOf({
  name: reply.text(),
  type: reply.other<string>({ type: String, example: 'Money' }),
  required: reply.flag(),
  description: reply.text(),
}) {
  @ApiProperty({
    type: () => [ActionInput],
    required: false,
    description: "Of what can be written out: the fields of an object, or of a list's elements",
  })
  fields?: ActionInput[];
}

export class ActionOutput extends ObjectOf({
  name: reply.text(),
  type: reply.other<string>({ type: String, example: 'CustomerRef' }),
  description: reply.text(),
}) {}

export class ActionView extends ObjectOf({
  name: reply.other<string>({ type: String, example: 'customer.ensure' }),
  description: reply.text(),
  undo: reply.text('How what it did is taken back'),
  asks: reply.texts('Operations of the finance interface that it asks a service elsewhere'),
  key: reply.object(ActionKey, "The step's `key`"),
  input: reply.listOf(ActionInput),
  output: reply.listOf(ActionOutput),
}) {}

export class ActionList extends WholeListOf(ActionView) {}
