import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { DELIVERY_STATES } from '../../deliveries/deliveries.repository';
import { DELIVERY_ORIGINS } from '../../deliveries/reserved-attributes';
import { APPROVAL_STATES } from '../approvals/approvals.dto';
import { ObjectOf, reply } from '../fields';
import { CALL_STATES } from '../finance/effects-admin.dto';

/** Of every item. */
const at = reply.instant();

/** A message about it came in. */
export class TimelineWebhook extends ObjectOf({
  at,
  kind: reply.oneOf(['webhook'] as const),
  delivery: reply.uuid(),
  source: reply.text("The source's slug"),
  origin: reply.oneOf(DELIVERY_ORIGINS),
  topic: reply.text(),
  state: reply.oneOf(DELIVERY_STATES),
  outcome: reply.text('In a few words what came of it, once done').nullable(),
  reason: reply.text('Why it is dead, or why it is tried again').nullable(),
  body: reply.oneOf(['kept', 'purged'], 'Whether it can be shown and worked on again'),
  repeats: reply.integer('How often its sender sent it again after it was there'),
  lastRepeatAt: reply.instant('When it was last sent again; null: never').nullable(),
}) {}

/** What a step of a rule came to. */
export class TimelineStep extends ObjectOf({
  id: reply.text("The step's id in the rule"),
  action: reply.text('Such as `customer.ensure`'),
  state: reply.text('As the delivery shows it: `applied`, `existing`, `deferred`, `refused`, …'),
  effects: reply.texts('Business keys of its effects'),
  note: reply.text('Why it stands so, where there is anything to say').nullable(),
}) {}

/** A rule worked on a message: its last run, which replaces earlier ones. */
export class TimelineRun extends ObjectOf({
  at: reply.instant('When it ended; while it is under way: when its delivery was received'),
  kind: reply.oneOf(['run'] as const),
  delivery: reply.uuid(),
  event: reply.text('Type of the event'),
  rule: reply.text(),
  version: reply.integer(),
  state: reply.oneOf(['running', 'done', 'refused']),
  reason: reply.text().nullable(),
  steps: reply.listOf(TimelineStep),
}) {}

/** What was asked of a remote finance service for an effect. */
export class TimelineCall extends ObjectOf({
  id: reply.uuid('By which `…/effects/{id}` shows it'),
  state: reply.oneOf(CALL_STATES),
}) {}

/** Something was changed in the books, or was to be. */
export class TimelineEffect extends ObjectOf({
  at: reply.instant('When its state was written last'),
  kind: reply.oneOf(['effect'] as const),
  key: reply.text('Business key'),
  operation: reply.text(),
  state: reply.text(
    '`intended`, `applied`, `refused`, `unknown`, `abandoned` (given up by a person), `deferred` (to be applied later) or `cancelled`',
  ),
  value: reply.text('Decimal text; null where no amount is part of it').nullable(),
  reason: reply.text().nullable(),
  output: reply.json('Identifiers of the records it made or found'),
  call: reply
    .object(TimelineCall, 'Of several calls, the first that is not applied; null: no other service was asked')
    .nullable(),
  deferredTo: reply.day('The day on which it is applied, or was; null: at once').nullable(),
}) {}

export class TimelineAccount extends ObjectOf({ id: reply.uuid(), name: reply.text() }) {}

/** What stands in Ponte's own books. */
export class TimelineEntry extends ObjectOf({
  at,
  kind: reply.oneOf(['entry'] as const),
  type: reply.oneOf(
    ['schedule', 'receipt', 'payment', 'transfer', 'discount', 'reversal'] as const,
    '`schedule`: a receivable, due on `date`',
  ),
  record: reply.uuid(),
  effect: reply.text('Business key of the effect that made it; null: somebody else did').nullable(),
  account: reply.object(TimelineAccount, 'Of a transfer: where the money went').nullable(),
  fromAccount: reply.object(TimelineAccount, 'Of a transfer: where it came from').nullable(),
  value: reply.text('Decimal text, above zero'),
  date: reply.day(),
  description: reply.text().nullable(),
  takesBack: reply.uuid('Of a reversal: the entry that it takes back').nullable(),
}) {}

/** A person had to look at something although nothing failed. */
export class TimelineAttention extends ObjectOf({
  at,
  kind: reply.oneOf(['attention'] as const),
  id: reply.uuid(),
  code: reply.text(),
  detail: reply.text(),
  value: reply.text('Decimal text'),
  currency: reply.text(),
  resolvedAt: reply.instant().nullable(),
}) {}

/** An operator was asked to agree to an effect. */
export class TimelineApproval extends ObjectOf({
  at,
  kind: reply.oneOf(['approval'] as const),
  id: reply.uuid(),
  effect: reply.text('Business key'),
  state: reply.oneOf(APPROVAL_STATES),
  rule: reply.text(),
  step: reply.text(),
  decidedAt: reply.instant().nullable(),
  decidedBy: reply.text("Identifier of the operator's key").nullable(),
  reason: reply.text().nullable(),
}) {}

/** What a step of an earlier run had come to. */
export class TimelineEarlierStep extends ObjectOf({
  id: reply.text("The step's id in the rule"),
  state: reply.text('As a step of the item `run` has it'),
  effects: reply.texts('Business keys of its effects'),
}) {}

/** A run as it stood before its message was worked on again. */
export class TimelineEarlierRun extends ObjectOf({
  event: reply.text('Type of the event'),
  rule: reply.text(),
  version: reply.integer(),
  state: reply.oneOf(['running', 'done', 'refused']),
  steps: reply.listOf(TimelineEarlierStep),
}) {}

/** An operator did something to one of these, or a message was worked on again by itself. */
export class TimelineAudit extends ObjectOf({
  at,
  kind: reply.oneOf(['audit'] as const),
  action: reply.text('Such as `delivery.replay`; `delivery.resume`: it was worked on again by itself'),
  subject: reply.text('What it was done to'),
  actor: reply.text('Identifier of the API key that acted; `ponte`: nobody asked'),
  reason: reply.text().nullable(),
  runs: reply.listOf(TimelineEarlierRun, 'What rules had made of a message before it was worked on again'),
}) {}

/** A change that connectors can read in the feed. */
export class TimelineFeedChange extends ObjectOf({
  at: reply.instant('When it was appended'),
  kind: reply.oneOf(['feed'] as const),
  id: reply.text("The event's id in the feed"),
  cursor: reply.text('Of whoever has read the feed up to this change and no further'),
  type: reply.text('Such as `receipt.registered`'),
  subject: reply.text('Kind and identifier of the record'),
  effect: reply.text('`businesskey` of the event; null: it has none').nullable(),
  delivery: reply.uuid('The delivery that caused it; null: none did').nullable(),
}) {}

export type TimelineItem =
  | TimelineWebhook
  | TimelineRun
  | TimelineEffect
  | TimelineEntry
  | TimelineAttention
  | TimelineApproval
  | TimelineAudit
  | TimelineFeedChange;

const ITEMS: readonly Type<TimelineItem>[] = [
  TimelineWebhook,
  TimelineRun,
  TimelineEffect,
  TimelineEntry,
  TimelineAttention,
  TimelineApproval,
  TimelineAudit,
  TimelineFeedChange,
];

export class TimelineCustomer extends ObjectOf({
  id: reply.text('In the books'),
  name: reply.text('As the books have it; null: they are in another service').nullable(),
}) {}

const AMOUNT = 'decimal text; null: not known';

export class TimelineSummary extends ObjectOf({
  number: reply
    .text('What people call the order, without `#`; null: by its identifier, or it is not known')
    .nullable(),
  total: reply.text(`What the shop says that it comes to, ${AMOUNT}`).nullable(),
  received: reply.text(`What was received, or of a payout was transferred, ${AMOUNT}`).nullable(),
  refunded: reply.text(`What was paid back, ${AMOUNT}`).nullable(),
  open: reply.text(`What is still open of its receivables, ${AMOUNT}`).nullable(),
  customer: reply.object(TimelineCustomer).nullable(),
}) {}

/** All that happened to an order or a payout. */
@ApiExtraModels(...ITEMS)
export class TimelineView extends ObjectOf({
  key: reply.text('Business key'),
  source: reply.text('Slug of the source that the key names; null: it names none').nullable(),
  currency: reply.text('Of all amounts, unless an item says otherwise; ISO 4217'),
  summary: reply.object(TimelineSummary),
  items: reply.other<TimelineItem[]>(
    { type: 'array', items: { oneOf: ITEMS.map((item) => ({ $ref: getSchemaPath(item) })) } },
    'In the order of time; `kind` says what each is',
  ),
  complete: reply.flag('False: there is more than is shown, which is the newest of it'),
}) {}
