import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { setReader, Refusal } from '../../http/field';
import { DIFFERENCE_KINDS } from '../../workflows/backtest/differences';
import { ObjectOf, reply, request } from '../fields';

const INSTANT_OR_DAY = { max: 40 };
/** Orders that are listed unless asked for more. */
export const DEFAULT_LISTED = 200;
/** Orders that are listed at most. */
const MOST_LISTED = 2_000;

/** Which deliveries: those received within a span of time. */
export class PeriodBody extends ObjectOf({
  /** A day in the organization's time zone, or an instant: received then or later. */
  from: request.text(INSTANT_OR_DAY),
  /** A day, which is part of the period, or an instant: received before it. */
  to: request.text(INSTANT_OR_DAY),
  /** A source's slug. */
  source: request.text({ max: 63 }).optional(),
  /** How many orders with differences are listed. */
  limit: request.integer({ min: 1, max: MOST_LISTED }).optional(),
}) {}

const RULE_TEXT = {
  version: request.integer({ min: 1 }).optional(),
  document: request
    .other<string>(
      setReader((json) => (typeof json === 'string' ? json : new Refusal('text', 'must be text'))),
      ApiProperty({ type: String, description: 'A rule that is not put yet, YAML or JSON' }),
      IsDefined({ message: 'is required' }),
    )
    .optional(),
};

/** Neither version nor document: the version in force, whether the rule is enabled or not. */
export class RuleBacktestBody extends ObjectOf(RULE_TEXT, PeriodBody) {}

/** A rule that takes the place of the one in force, or joins the rules in force. */
export class ReplacedRule extends ObjectOf({ name: request.text({ max: 63 }), ...RULE_TEXT }) {}

export class BacktestBody extends ObjectOf({ rule: request.object(ReplacedRule).optional() }, PeriodBody) {}

export class BacktestDeliveriesView extends ObjectOf({
  read: reply.integer('All that were received in the period'),
  compared: reply.integer('Of those, how many were compared: what was worked on and has its body'),
  waiting: reply.integer('How many wait to be worked on'),
  dead: reply.integer('How many are dead letters'),
  discarded: reply.integer('How many were given up'),
  bodiesGone: reply.integer('How many have no body any more, as old as the organization keeps them'),
}) {}

export class BacktestOrdersView extends ObjectOf({
  compared: reply.integer('Orders, and what else deliveries speak of'),
  differing: reply.integer('Of those, how many differ or are refused'),
}) {}

export class BacktestTotalView extends ObjectOf({
  kind: reply.oneOf(DIFFERENCE_KINDS),
  operation: reply.text(),
  count: reply.integer(),
  value: reply.amount('The sum; of what is `changed`, by how much it would be more than what was applied'),
}) {}

export class EffectDifferenceView extends ObjectOf({
  kind: reply.oneOf(
    DIFFERENCE_KINDS,
    '`missing`: planned and not applied. `changed`: applied with another amount or content. `unplanned`: applied for these deliveries and not planned any more. `undecided`: what came of it is not known, or a person gave it up',
  ),
  rule: reply.text(),
  step: reply.text("The step's id in the rule"),
  key: reply.text('Business key'),
  operation: reply.text(),
  state: reply.oneOf(['applied', 'absent', 'refused', 'intended', 'unknown', 'abandoned']),
  value: reply
    .text('Decimal text, as it is planned now, or was applied; null where no amount is part of it')
    .nullable(),
  applied: reply.text('Decimal text that it was applied with, where that differs').nullable(),
  date: reply.day('When the money moves, or is due').nullable(),
  content: reply.texts('What differs beside the amount'),
  delivery: reply.uuid('The delivery that plans it first, or for which it was applied'),
  advice: reply.text('What is to be done, where a repair does not do it').nullable(),
}) {}

export class BacktestRefusalView extends ObjectOf({
  rule: reply.text('Null: the delivery as a whole').nullable(),
  step: reply.text('Null: the rule as a whole').nullable(),
  reason: reply.text(),
}) {}

export class OrderDifferencesView extends ObjectOf({
  businessKey: reply.text('The order, or what else the deliveries speak of'),
  effects: reply.listOf(EffectDifferenceView),
  refused: reply.listOf(BacktestRefusalView, 'What the rules refuse to plan'),
}) {}

export class NamedDeliveryView extends ObjectOf({
  id: reply.uuid(),
  businessKey: reply.text().nullable(),
  receivedAt: reply.instant(),
  reason: reply.text('Why it needs a person, or is tried again').nullable(),
}) {}

export class BacktestView extends ObjectOf({
  from: reply.instant('Received at this instant or later'),
  to: reply.instant('Received before this instant'),
  source: reply.text("The source's slug; null: all sources").nullable(),
  rule: reply.text('The rule whose effects alone are compared; null: all rules').nullable(),
  version: reply
    .integer('The version of the chosen rule; null: it is not stored, or none was chosen')
    .nullable(),
  currency: reply.text('Of all amounts, ISO 4217'),
  deliveries: reply.object(BacktestDeliveriesView),
  orders: reply.object(BacktestOrdersView),
  effects: reply.integer('Effects that are planned, each key once'),
  totals: reply.listOf(BacktestTotalView, 'Of all orders, by kind and operation'),
  refusals: reply.integer('How many times a rule refuses, of all orders'),
  items: reply.listOf(OrderDifferencesView, 'Orders that differ, by their keys; at most `limit`'),
  notListed: reply.integer('How many more orders differ'),
  waiting: reply.listOf(NamedDeliveryView, 'The first 100 that wait; they are not compared'),
  dead: reply.listOf(NamedDeliveryView, 'The first 100 dead letters; they are not compared'),
  bodiesGone: reply.listOf(NamedDeliveryView, 'The first 100 without a body; they can be compared no more'),
}) {}

export class RepairBody extends ObjectOf(
  {
    /** `true` unless said otherwise: only says what would be done. */
    dryRun: request.flag().optional(),
    /** As the plan before named itself; needed to carry it out. */
    plan: request.text({ max: 64 }).optional(),
    reason: request.reason(),
  },
  PeriodBody,
) {}

/** What is missing, and what is done about it. */
export class RepairView extends ObjectOf({
  dryRun: reply.flag(),
  plan: reply.text('Names exactly what is missing: to be sent to carry it out'),
  deliveries: reply.integer('Deliveries that have to be worked on again'),
  queued: reply.integer(
    'Of those, how many were put back to work; the others wait already, or lost their body',
  ),
  repair: reply.uuid('Under which its progress is asked for; null: nothing was queued').nullable(),
  backtest: reply.object(
    BacktestView,
    'What would be done otherwise than was done, before anything was queued',
  ),
}) {}

/** How far the deliveries are that a repair has queued. */
export class RepairProgressView extends ObjectOf({
  repair: reply.uuid(),
  from: reply.instant(),
  to: reply.instant(),
  source: reply.text().nullable(),
  plan: reply.text(),
  queuedAt: reply.instant(),
  queued: reply.integer('Deliveries that were put back to work'),
  waiting: reply.integer('Of those, how many are still to be worked on'),
  done: reply.integer(),
  dead: reply.integer('How many need a person: see the dead letters'),
  discarded: reply.integer('How many were given up'),
}) {}
