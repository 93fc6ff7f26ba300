import { DELIVERY_ORIGINS } from '../../deliveries/reserved-attributes';
import { COMPARED_KINDS } from '../../events/money-facts';
import { PageOf } from '../lists.dto';
import { ObjectOf, reply, request } from '../fields';
import { APART, ASPECTS, DIFFERENCE_CODES } from './differences';

export class TallyView extends ObjectOf({
  count: reply.integer(),
  value: reply.amount('The sum'),
}) {}

export class AspectTotalsView extends ObjectOf({
  aspect: reply.oneOf(
    ASPECTS,
    '`schedule`: orders and their receivables. `receipt`: payments of money and their receipts. `chargeback`: what disputes took. `chargeback-won`: what came back of them. `bill`: what was paid to suppliers. `other`: what rules book besides, of which the shop says nothing',
  ),
  shop: reply.object(TallyView, 'What the shop says, test orders left out'),
  booked: reply.object(TallyView, 'What Ponte booked, by the records of its effects'),
  inBooks: reply.object(TallyView, 'Of that, what stands in the books now'),
  later: reply.object(TallyView, 'What is to be booked on a day to come'),
  difference: reply.amount('What the shop says, less what is in the books'),
}) {}

export class RepairCallView extends ObjectOf({
  method: reply.oneOf(['GET', 'POST']),
  path: reply.text(),
  body: reply.json('Absent: it needs none').optional(),
}) {}

export class DifferenceView extends ObjectOf({
  code: reply.oneOf(DIFFERENCE_CODES),
  aspect: reply.oneOf(ASPECTS, 'Null: it is about a delivery as a whole').nullable(),
  expected: reply
    .text(
      'Decimal text, what it has to be; of a delivery as a whole, the largest sum of the order that is not booked. Null: no amount is known',
    )
    .nullable(),
  found: reply.text('Decimal text, what it is').nullable(),
  effect: reply.text('Business key of the effect; null: of several, or none').nullable(),
  delivery: reply.uuid('The delivery that stands for it, or has to be worked on again').nullable(),
  cause: reply.text('A sentence'),
  repair: reply
    .object(RepairCallView, 'The call that repairs or shows it; null: by hand, in the books')
    .nullable(),
  repairable: reply.flag('Whether `POST …/completeness/repair` does it'),
}) {}

export class DifferingEntityView extends ObjectOf({
  businessKey: reply.text(),
  kind: reply.oneOf(COMPARED_KINDS),
  day: reply.day(
    "When an order was made, a payout or bill was paid, a dispute was opened, in the organization's time zone",
  ),
  currency: reply.text(
    'Of its own amounts, ISO 4217; those of its differences are in that of the organization',
  ),
  total: reply.amount('What the shop says that it comes to'),
  paid: reply.amount('What the shop says was paid for it'),
  refunded: reply.amount(
    'What the shop says was given back; of a dispute, what came back because it was won',
  ),
  fees: reply.amount('What gateway and marketplace keep, as far as the shop says'),
  test: reply.flag('Whether the shop calls it a test'),
  differences: reply.listOf(DifferenceView),
}) {}

export class UnattachedView extends ObjectOf({
  delivery: reply.uuid(),
  businessKey: reply.text('What it is about, as far as its address or its content says'),
  topic: reply.text(),
  receivedAt: reply.instant(),
  code: reply.oneOf(DIFFERENCE_CODES),
  cause: reply.text(),
  repair: reply.object(RepairCallView).nullable(),
}) {}

export class ApartView extends ObjectOf({
  why: reply.oneOf(
    APART,
    '`not-booked`: no rule books it, or a rule leaves it out. `given-up`, `declined`, `discarded`: a person decided so',
  ),
  count: reply.integer(),
  value: reply.amount('The sum'),
}) {}

export class CodeCountView extends ObjectOf({
  code: reply.oneOf(DIFFERENCE_CODES),
  count: reply.integer(),
}) {}

export class ArrivalView extends ObjectOf({
  origin: reply.oneOf(DELIVERY_ORIGINS),
  count: reply.integer('Orders and payouts that first became known by it'),
}) {}

export class MissedView extends ObjectOf({
  businessKey: reply.text(),
  day: reply.day(),
}) {}

export class ListStateView extends ObjectOf({
  isWhole: reply.flag(
    "Whether all that changed in the shop since the first day was compared with the shop's own list, so that no order is missing here",
  ),
  comparedFrom: reply.instant().nullable(),
  comparedUntil: reply.instant().nullable(),
  obstacle: reply.text('Why it is not whole; null: it is').nullable(),
  repair: reply
    .object(RepairCallView, 'What makes it whole; null: nothing has to be done, or can be')
    .nullable(),
}) {}

export class EntityCountsView extends ObjectOf({
  orders: reply.integer(),
  payouts: reply.integer(),
  disputes: reply.integer('Chargebacks'),
  bills: reply.integer("Suppliers' bills that were paid"),
  tests: reply.integer('Of those, how many the shop calls tests'),
  otherCurrency: reply.integer(
    "Of those, how many are not in the organization's currency: their amounts are not compared",
  ),
  differing: reply.integer('How many have a difference'),
}) {}

export class CompletenessView extends ObjectOf({
  source: reply.text("The source's slug"),
  from: reply.day(),
  to: reply.day('The last day of the period'),
  timeZone: reply.text('Of the days'),
  currency: reply.text('Of all amounts, ISO 4217'),
  asOf: reply.instant('When the comparison began'),
  books: reply.oneOf(
    ['ledger', 'observed'],
    "`ledger`: `inBooks` was read from Ponte's own books. `observed`: it is what Ponte booked in the finance service, and of schedules as change detection saw them last",
  ),
  list: reply.object(ListStateView, "How far the shop's own list was compared with what came in"),
  knownSince: reply
    .instant(
      'Orders of which nothing was worked on since then are not in the report: the version before kept nothing to compare with. Null: all are',
    )
    .nullable(),
  entities: reply.object(EntityCountsView, 'What was made in the period'),
  totals: reply.listOf(AspectTotalsView, 'Side by side'),
  apart: reply.listOf(ApartView, 'What is no difference, and explains that sums differ'),
  arrivals: reply.listOf(ArrivalView),
  missedByWebhooks: reply.listOf(
    MissedView,
    'The first 100 that no webhook brought: a comparison with the shop found them, and they were worked on',
  ),
  differences: reply.integer('How many there are'),
  repairable: reply.integer('How many deliveries `POST …/completeness/repair` works on again'),
  codes: reply.listOf(CodeCountView, 'How many there are of each code'),
  items: reply.listOf(DifferingEntityView, 'Those that differ, the first made first; at most `limit`'),
  after: reply
    .text(
      'What to send as `after` of `GET …/completeness/differing` for the next ones; null: these are the last',
    )
    .nullable(),
  unattached: reply.listOf(
    UnattachedView,
    'Messages received since the first day that are not done and are about no order that is known; the first 1000',
  ),
}) {}

export class DifferingEntitiesPage extends PageOf(DifferingEntityView) {}

export class CompletenessRepairBody extends ObjectOf({
  /** A day in the organization's time zone. */
  from: request.text({ max: 10 }),
  /** A day, which is part of the period. */
  to: request.text({ max: 10 }),
  /** A source's slug. */
  source: request.text({ max: 63 }),
  /** Only differences of these codes; absent: all that can be repaired. */
  codes: request.words(DIFFERENCE_CODES).optional(),
  /** `true` unless said otherwise: only says what would be done. */
  dryRun: request.flag().optional(),
  /** As the plan before named itself; needed to carry it out. */
  plan: request.text({ max: 64 }).optional(),
  reason: request.reason(),
}) {}

export class RepairedDeliveryView extends ObjectOf({
  delivery: reply.uuid(),
  businessKey: reply.text('The order or payout; null: it is not known').nullable(),
  codes: reply.texts('Of the differences'),
  effects: reply.texts('Business keys of what is missing; none: all of the delivery'),
}) {}

export class CompletenessRepairView extends ObjectOf({
  dryRun: reply.flag(),
  plan: reply.text('Names exactly what would be done: to be sent to carry it out'),
  differences: reply.integer('How many differences there are'),
  byPerson: reply.integer(
    'Of those, how many a repair leaves: a person decides, or they go on by themselves',
  ),
  deliveries: reply.integer('Deliveries that have to be worked on again'),
  more: reply.flag('Whether there are more than one repair takes: ask again when this one is done'),
  listed: reply.listOf(RepairedDeliveryView, 'The first 500 of them'),
  compareFrom: reply
    .instant(
      "From when on the source is compared with its provider's list again; null: that is not needed, or cannot be",
    )
    .nullable(),
  queued: reply.integer('How many were put back to work; the others wait already, or lost their body'),
  repair: reply
    .uuid('Under which `GET …/repairs/{id}` says how far it is; null: nothing was queued')
    .nullable(),
}) {}
