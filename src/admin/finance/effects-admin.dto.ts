import { ObjectOf, reply, request } from '../fields';
import { ReasonBody } from '../reasons.dto';

export const CALL_STATES = ['planned', 'intended', 'applied', 'refused', 'unknown'] as const;
export type CallState = (typeof CALL_STATES)[number];

/** Of an instant, which JSON writes as ISO 8601 in UTC. */
const TEXT = { type: String };

/** Why an operator does it. */
export class DecisionBody extends ReasonBody {}

export class AdoptionBody extends ObjectOf(
  {
    /** The record that the call made; left out for an operation that makes none. */
    recordId: request.uuid().optional(),
  },
  DecisionBody,
) {}

/** One change asked of a finance service. */
export class CallSummary extends ObjectOf({
  id: reply.uuid(),
  effectKey: reply.text("The effect's business key; `v1/…` for a request to /v1"),
  part: reply.number("Which of the effect's calls, from 1"),
  operation: reply.text('Of the operations of `/v1`'),
  state: reply.oneOf(CALL_STATES),
  attempts: reply.number('How often it was sent'),
  parkedAt: reply.other<Date>(TEXT, 'Since when only a person can decide').nullable(),
  abandonedAt: reply.other<Date>(TEXT, 'Since when it is given up').nullable(),
  nextAt: reply.other<Date>(TEXT, 'When something is done with it by itself').nullable(),
  reason: reply.text().nullable(),
  output: reply.other<object>({ type: Object }, 'Identifiers of the records it made'),
  deliveryId: reply.text('The delivery that waits for it').nullable(),
  createdAt: reply.other<Date>(TEXT),
}) {}

/** One sending. */
export class CallTry extends ObjectOf({
  number: reply.number(),
  sentAt: reply.other<Date>(TEXT),
  endedAt: reply.other<Date>(TEXT).nullable(),
  outcome: reply.text('null: Ponte ended before it was known').nullable(),
  status: reply.number().nullable(),
  reply: reply.text().nullable(),
}) {}

/** A call with every sending, without personal data. */
export class CallView extends ObjectOf(
  {
    sent: reply.other<Record<string, unknown>>({ type: Object }, 'What was sent, without personal data'),
    tries: reply.listOf(CallTry),
    contentRemovedAt: reply
      .instant(
        'When what was sent of persons, and the attempts, were removed because of their age; null: they are there',
      )
      .nullable(),
  },
  CallSummary,
) {}
