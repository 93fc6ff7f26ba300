import { DEFERRED_STATES } from '../../workflows/deferred/deferred-effect';
import { ObjectOf, reply } from '../fields';

/** An effect that is applied after its delivery. */
export class DeferredEffectView extends ObjectOf({
  id: reply.uuid(),
  key: reply.text('Business key of the effect'),
  operation: reply.text(),
  state: reply.oneOf(
    DEFERRED_STATES,
    '`refused`: it was tried and a person must decide; `cancelled`: a person gave it up',
  ),
  notBefore: reply
    .day("Its day in the organization's zone; null: as soon as its delivery is done")
    .nullable(),
  dueAt: reply.instant('When that day begins'),
  nextAt: reply.instant('When it is tried next; null: it is not').nullable(),
  value: reply.text('Decimal text; null where no amount is part of it').nullable(),
  currency: reply.text('ISO 4217'),
  rule: reply.text("Of a subscription's message: the subscription's name"),
  version: reply.number("Of the rule; 0 of a subscription's message"),
  step: reply.text("The step's id in the rule"),
  delivery: reply
    .uuid("The delivery that asked for it first; null: it is a subscription's message")
    .nullable(),
  businessKey: reply.text("The event's"),
  attempts: reply.number('Tries that failed'),
  reason: reply.text('Why it is refused, given up or tried again').nullable(),
  createdAt: reply.instant(),
  finishedAt: reply.instant().nullable(),
  contentRemovedAt: reply
    .instant('When what it was asked for with was removed because of its age; null: it is there')
    .nullable(),
}) {}
