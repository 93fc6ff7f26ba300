import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '../../events/event';
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

export class TypedNameView extends ObjectOf({
  name: reply.text(),
  type: reply.other<string>({ type: String, example: 'list<Payment>' }, 'As rules call it'),
}) {}

export class EventNamesView extends ObjectOf({
  event: reply.oneOf(EVENT_TYPES),
  names: reply.listOf(TypedNameView, 'What expressions know where a rule acts on it'),
}) {}

export class RuleTypeView extends ObjectOf({
  name: reply.text(),
  fields: reply.listOf(TypedNameView),
}) {}

export class RuleFunctionView extends ObjectOf({
  name: reply.text(),
  forms: reply.texts('Each way in which it is written, with the type of what it gives'),
}) {}

export class RuleNamesView extends ObjectOf({
  events: reply.listOf(EventNamesView),
  types: reply.listOf(RuleTypeView, 'Those that have fields'),
  functions: reply.listOf(RuleFunctionView),
}) {}
