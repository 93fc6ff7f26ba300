import { ObjectOf, reply, request } from '../fields';
import { BacktestView, PeriodBody } from './backtest.dto';

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
