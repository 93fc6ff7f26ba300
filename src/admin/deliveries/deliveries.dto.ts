import { OmitType } from '@nestjs/swagger';
import { DELIVERY_STATES } from '../../deliveries/deliveries.repository';
import { DELIVERY_ORIGINS } from '../../deliveries/reserved-attributes';
import { ATTENTION_CODES } from '../../finance/api/effects/attention';
import { ObjectOf, reply, request } from '../fields';
import { PageOf } from '../lists.dto';
import { MaybeReasonBody, ReasonBody } from '../reasons.dto';
import { DEFERRED_STATES } from '../../workflows/deferred/deferred-effect';

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

export class ReplayBody extends ObjectOf(
  {
    /** `true` unless said otherwise: only says what would be done. */
    dryRun: request.flag().optional(),
  },
  MaybeReasonBody,
) {}

/** Which dead letters; all of what is given holds. */
export class LetterFilter extends ObjectOf({
  source: request.text({ max: 63 }).optional(),
  topic: request.text().optional(),
  businessKey: request.text().optional(),
  /** Received at this instant or later. */
  from: request.instant().optional(),
  /** Received before this instant. */
  to: request.instant().optional(),
  /** Whether a person has to act; `false`: it only waits for a record. */
  needsPerson: request.flag().optional(),
}) {}

export class RetryLettersBody extends ObjectOf(
  {
    /** `{}` means every dead letter. */
    filter: request.object(LetterFilter),
    /** Only count them. */
    dryRun: request.flag().optional(),
  },
  ReasonBody,
) {}

export class RetriedLetters extends ObjectOf({
  matched: reply.number('Dead letters that fitted; one call takes 10,000 at most'),
  retried: reply.number('Of those, how many were put back to work'),
}) {}

export class DeliveryView extends ObjectOf({
  id: reply.uuid(),
  source: reply.text("The source's slug"),
  origin: reply.oneOf(
    DELIVERY_ORIGINS,
    'How it came: as a webhook, because an operator imported it, or because a comparison with the provider found it missing',
  ),
  topic: reply.text(),
  state: reply.oneOf(DELIVERY_STATES),
  outcome: reply.text('In a few words what came of it, once done').nullable(),
  reason: reply.text('Why it is dead, or why it is tried again').nullable(),
  businessKey: reply.text('Of the entity it speaks of, once understood').nullable(),
  events: reply.texts('Types of its events, once understood'),
  attempts: reply.number('Tries that ended in an unexpected failure'),
  receivedAt: reply.instant(),
  finishedAt: reply.instant('When it was done or became a dead letter').nullable(),
  waitsFor: reply.texts(
    'Business keys of the effects that a dead letter waits for: when one is applied, it is worked on again by itself',
  ),
  needsPerson: reply.flag('Whether it is dead for more than that, so that a person has to act'),
}) {}

export class DeliveryPage extends PageOf(DeliveryView) {}

/** Something a person must look at although nothing failed. */
export class AttentionView extends ObjectOf({
  id: reply.uuid(),
  delivery: reply.uuid('Null: it is about a source').nullable(),
  businessKey: reply.text(),
  code: reply.text(`${ATTENTION_CODES.join(', ')}, or what a rule gives: rule-…`),
  detail: reply.text(),
  value: reply.text('Decimal text'),
  currency: reply.text(),
  createdAt: reply.instant(),
}) {}

export class AttentionPage extends PageOf(AttentionView) {}

export class DeliveryBodyView extends ObjectOf({
  contentType: reply.text('`application/json` where it is JSON').nullable(),
  redacted: reply.flag('Whether what may be about a person is hidden'),
  text: reply.text('The body where it is UTF-8').nullable(),
  base64: reply.text('The body where it is not UTF-8').nullable(),
  purgedAt: reply.instant('Since when it is no longer kept').nullable(),
}) {}

/** What the provider's API answered to one request about a delivery. */
export class FetchedAnswerView extends ObjectOf({
  name: reply.text('What was asked for, such as `order`'),
  status: reply.number(),
  contentType: reply.text('`application/json` where it is JSON').nullable(),
  redacted: reply.flag('Whether what may be about a person is hidden'),
  text: reply.text('The answer where it is UTF-8').nullable(),
  base64: reply.text('The answer where it is not UTF-8').nullable(),
}) {}

export class UnderstoodEventView extends ObjectOf({
  index: reply.number(),
  type: reply.text(),
  key: reply.text("The entity's business key"),
  event: reply.json('The event as rules see it, without the payload'),
}) {}

/** What a step of a rule came to. */
export class DeliveryStepView extends ObjectOf({
  id: reply.text("The step's id in the rule"),
  action: reply.text('Such as `customer.ensure`'),
  state: reply.oneOf(
    ['applied', 'existing', 'deferred', 'refused', 'pending', 'skipped', 'waiting'],
    '`deferred`: something of it is applied later. `pending`: an earlier step was refused, or is waited for. `skipped`: what it uses is not there, or an operator declined it. `waiting`: an operator has to approve it, or a step that it uses',
  ),
  until: reply.day('The first day to which something of it was deferred').optional(),
  output: reply.json('Identifiers of the records it made or found'),
  effects: reply.texts('Business keys of its effects'),
  reason: reply.text().optional(),
}) {}

export class DeliveryRunView extends ObjectOf({
  rule: reply.text(),
  version: reply.number(),
  event: reply.text(),
  state: reply.text('`running`, `done` or `refused`'),
  steps: reply.other<unknown>({ type: [DeliveryStepView] }, 'What each step came to'),
  reason: reply.text().nullable(),
  planRemovedAt: reply
    .instant('When what its effects were asked for with was removed because of its age; null: it is there')
    .nullable(),
}) {}

export class DeliveryEffectView extends ObjectOf({
  key: reply.text('Business key'),
  operation: reply.text(),
  state: reply.text('`intended`, `applied`, `refused` or `unknown`'),
  value: reply.text('Decimal text; null where no amount is part of it').nullable(),
  currency: reply.text('ISO 4217; null where there is no value').nullable(),
  output: reply.json('Identifiers of the records it made or found'),
  reason: reply.text().nullable(),
}) {}

/** A delivery with everything that is known of it. */
export class DeliveryDetailView extends ObjectOf(
  {
    events: reply.listOf(UnderstoodEventView, 'Its events as they are understood today'),
    eventTypes: reply.texts('Types of its events when it was worked on last'),
    body: reply.object(DeliveryBodyView),
    fetched: reply.listOf(
      FetchedAnswerView,
      "What the provider's API answered about it, in the order of the requests; none while it was not asked",
    ),
    note: reply.text('Why it says nothing, read today').nullable(),
    repeats: reply.integer('How often its sender sent it again after it was there'),
    lastRepeatAt: reply.instant('When it was last sent again; null: never').nullable(),
    runs: reply.listOf(DeliveryRunView),
    effects: reply.listOf(DeliveryEffectView),
    deferred: reply.listOf(DeferredEffectView, 'What of its effects is applied later, or was'),
  },
  OmitType(DeliveryView, ['events']),
) {}

export class ReplayedEffectView extends ObjectOf({
  rule: reply.text(),
  step: reply.text("The step's id in the rule"),
  key: reply.text('Business key'),
  operation: reply.text(),
  state: reply.oneOf([
    'applied',
    'absent',
    'refused',
    'intended',
    'unknown',
    'abandoned',
    'deferred',
    'cancelled',
    'waiting',
    'declined',
  ]),
}) {}

export class RefusedPlanView extends ObjectOf({
  rule: reply.text('Null: the delivery as a whole').nullable(),
  step: reply.text('Null: the rule as a whole').nullable(),
  reason: reply.text(),
}) {}

/** What a replay finds done, what it does, and what it cannot do. */
export class ReplayView extends ObjectOf({
  dryRun: reply.flag(),
  applied: reply.listOf(ReplayedEffectView),
  missing: reply.listOf(ReplayedEffectView),
  deferred: reply.listOf(
    ReplayedEffectView,
    'Applied later, given up, or for an operator to approve: a replay leaves them as they are',
  ),
  refused: reply.listOf(RefusedPlanView),
  queued: reply.flag('Whether the delivery waits to be worked on'),
}) {}
