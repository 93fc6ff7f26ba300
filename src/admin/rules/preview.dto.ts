import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { EVENT_TYPES } from '../../events/event';
import { setReader, Refusal } from '../../http/field';
import type { LosslessJson } from '../../kernel/lossless-json';
import { ObjectOf, reply, request } from '../fields';
import { WARNINGS } from './rules.dto';

const isDefined = IsDefined({ message: 'is required' });

/** What a rule is tried on: a stored delivery, or an event. */
export class PreviewBody extends ObjectOf({
  /** A delivery of the organization, in whatever state. */
  deliveryId: request.uuid().optional(),
  event: request
    .other<LosslessJson>(
      setReader((json) => json),
      ApiProperty({ type: Object, description: 'A canonical event' }),
      isDefined,
    )
    .optional(),
  document: request
    .other<string>(
      setReader((json) => (typeof json === 'string' ? json : new Refusal('text', 'must be text'))),
      ApiProperty({
        type: String,
        description: 'A rule that is not put yet, YAML or JSON, to be tried instead',
      }),
      isDefined,
    )
    .optional(),
}) {}

export class PreviewedEffect extends ObjectOf({
  key: reply.text('The business key'),
  operation: reply.text(),
  amount: reply.text('Decimal text; left out where no amount is part of it').optional(),
  notBefore: reply.day('Before this day it is deferred; left out: it is applied at once').optional(),
  input: reply.other<object>(
    { type: Object },
    '`{"$ref": "step.output"}` stands for what an earlier step will have made',
  ),
}) {}

export class PreviewedStep extends ObjectOf({
  id: reply.text("The step's id in the rule"),
  action: reply.text(),
  effects: reply.listOf(PreviewedEffect),
  ifMissing: reply.oneOf(['skip', 'wait'], 'Where it finds no record; left out: it is refused').optional(),
  onRefused: reply.oneOf(['continue'], 'Where it is refused; left out: the run stops').optional(),
  approval: reply.oneOf(['required'], 'Left out: nobody has to approve its effects').optional(),
  elements: reply
    .other<number[]>(
      { type: 'array', items: { type: 'integer', minimum: 0 } },
      'How many effects each element of its list has, where one may go wrong alone',
    )
    .optional(),
  resolves: reply
    .texts('Codes of attention that it takes off the list of what the event is about; left out: none')
    .optional(),
  unplanned: reply
    .texts('Why it, or elements of it, cannot be planned; left out: all of it is planned')
    .optional(),
}) {}

@ApiExtraModels(PreviewedStep)
export class PreviewedPlan extends ObjectOf({
  currency: reply.text('Of all its amounts, ISO 4217'),
  steps: reply.listOf(PreviewedStep),
}) {}

export class PreviewedRefusal extends ObjectOf({
  step: reply.text('The step it came to; null when it came to none').nullable(),
  reason: reply.text('A sentence, without personal data'),
}) {}

export class PreviewedEvent extends ObjectOf({
  index: reply.other<number>({ type: 'integer', minimum: 0 }, "Position among the delivery's events"),
  type: reply.oneOf(EVENT_TYPES),
  businessKey: reply.text(),
  matched: reply.flag('Whether the rule acts on it: its event, and all conditions true'),
  refused: reply.object(PreviewedRefusal, 'Why nothing would be done').nullable(),
  plan: reply.object(PreviewedPlan).nullable(),
}) {}

export class RulePreviewView extends ObjectOf({
  rule: reply.text(),
  version: reply.integer('null: a document that is not put').nullable(),
  reason: reply.text('Why a delivery comes to no events; null when it does').nullable(),
  events: reply.listOf(PreviewedEvent),
  warnings: reply.texts(WARNINGS),
}) {}
