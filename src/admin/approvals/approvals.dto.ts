import { ObjectOf, reply } from '../fields';

export const APPROVAL_STATES = ['waiting', 'approved', 'declined'] as const;

/** An effect as it would be made. */
export class ApprovalPlanView extends ObjectOf({
  operation: reply.text(),
  amount: reply.text('Decimal text; left out where no amount is part of it').optional(),
  input: reply.other<object>(
    { type: Object },
    '`{"$ref": "step.output"}` stands for what an earlier step of the rule has made',
  ),
  leftOut: reply
    .texts('Members of `input` about a person, left out because nobody decides on it any more')
    .optional(),
}) {}

/** An effect that an operator has to approve before it is made. */
export class ApprovalView extends ObjectOf({
  id: reply.uuid('Of this plan: when another plan is asked for under the key, it gets another id'),
  state: reply.oneOf(APPROVAL_STATES),
  effectKey: reply.text('Business key'),
  plan: reply.object(ApprovalPlanView, 'The effect as it would be made'),
  currency: reply.text('Of its amounts, ISO 4217'),
  rule: reply.text(),
  ruleVersion: reply.number(),
  step: reply.text("The step's id in the rule"),
  delivery: reply.uuid('The delivery that asked last'),
  requestedAt: reply.instant(),
  decidedBy: reply.text("Identifier of the operator's key").nullable(),
  decidedAt: reply.instant().nullable(),
  reason: reply.text('Why it was decided so, where somebody said it').nullable(),
}) {}
