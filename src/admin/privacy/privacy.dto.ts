import { ERASURE_STATES } from '../../privacy/erasure-list.repository';
import { ObjectOf, reply, request } from '../fields';

/** A list of objects whose members are not described: they are copies of what is stored. */
const listOfObjects = (description: string) =>
  reply.other<unknown[]>({ type: 'array', items: { type: 'object' } }, description);

/** Who is meant: exactly one of the four. */
class PersonBody extends ObjectOf({
  /** CPF, CNPJ or another number, with or without punctuation. */
  document: request.text({ max: 40 }).optional(),
  /** In whatever letter case. */
  email: request.text({ max: 320 }).optional(),
  /** A customer's identifier in the finance interface. */
  customer: request.uuid().optional(),
  /** The identifier of a webhook by which a shop asked. */
  delivery: request.text({ max: 36 }).optional(),
  /** Why; stands in the audit log, without what names the person. */
  reason: request.text({ max: 500 }),
}) {}

export class PrivacyExportBody extends ObjectOf(
  {
    /** As the page before has it; absent: the first page. */
    after: request.text({ max: 36 }).optional(),
  },
  PersonBody,
) {}

export class PrivacyEraseBody extends ObjectOf(
  {
    /** `true` unless said otherwise: only says what would be erased. */
    dryRun: request.flag().optional(),
    /** As the plan before named itself; needed to erase. */
    plan: request.text({ max: 64 }).optional(),
    /** Whether dead letters about the person are given up; else they are waited for. */
    discardDead: request.flag().optional(),
  },
  PersonBody,
) {}

class ExportedAnswerView extends ObjectOf({
  name: reply.text(),
  status: reply.integer(),
  text: reply.text('As it came'),
}) {}

class ExportedDeliveryView extends ObjectOf({
  id: reply.uuid(),
  source: reply.text(),
  topic: reply.text(),
  receivedAt: reply.instant(),
  businessKey: reply.text().nullable(),
  body: reply.text('As received; null: it is no longer kept, or no text').nullable(),
  base64: reply.text('The body, where it is no text').optional(),
  fetched: reply.listOf(ExportedAnswerView, 'What the shop’s API said about it'),
}) {}

export class PrivacyExportView extends ObjectOf({
  madeAt: reply.instant(),
  customers: listOfObjects('the records of the person'),
  schedules: listOfObjects('what they owe or are owed; amounts in minor units, as text'),
  entries: listOfObjects('what was booked on these'),
  changes: listOfObjects('what the feed said about them'),
  notifications: listOfObjects(
    'what was sent or is to be sent because of their orders, and what is to be booked later',
  ),
  requests: listOfObjects('earlier exports and erasures of the same person, asked for in the same way'),
  complete: reply.flag('False: one of these lists was cut off at 10,000'),
  deliveries: reply.listOf(
    ExportedDeliveryView,
    'Webhooks that mention them, oldest first: 50, or 8 MB, a page',
  ),
  deliveriesInAll: reply.integer(),
  after: reply
    .uuid('What to send as `after` for the next page, which has deliveries alone; null: there is none')
    .nullable(),
}) {}

export class PrivacyEraseView extends ObjectOf({
  dryRun: reply.flag(),
  plan: reply.text('Names whose data would be erased: to be sent to do it'),
  customers: reply.other<string[]>(
    { type: 'array', items: { type: 'string', format: 'uuid' } },
    'The records that are overwritten',
  ),
  records: reply.integer('Schedules and entries whose texts are searched; amounts, dates and keys stay'),
  deliveries: reply.integer('Deliveries whose bodies are removed'),
  waiting: reply.integer('Deliveries that have to be worked on before'),
  dead: reply.integer(
    'Dead letters that have to be retried or discarded before; with `discardDead` they are discarded',
  ),
  approvals: reply.integer('Effects that have to be approved or declined before'),
  unknownCalls: reply.integer('Calls to the finance service whose outcome has to be known before'),
  eraseElsewhere: reply.other<string[]>(
    { type: 'array', items: { type: 'string' } },
    'Identifiers of customers that the finance service has, and that have to be erased there by hand',
  ),
  erasure: reply.uuid('Under which its progress is asked for; null: nothing was begun').nullable(),
}) {}

export class ErasureView extends ObjectOf({
  id: reply.uuid(),
  state: reply.oneOf(ERASURE_STATES),
  requestedBy: reply.text('Identifier of an API key, or `source/` and the slug of a source whose shop asked'),
  reason: reply.text().nullable(),
  delivery: reply.uuid('The webhook that asked; null: an operator did').nullable(),
  person: reply.text(
    'Names the person without saying who it is: equal where they were asked for in the same way',
  ),
  requestedAt: reply.instant(),
  finishedAt: reply.instant().nullable(),
  step: reply.text('What is done next'),
  note: reply.text('What it waits for; null: nothing').nullable(),
  customers: reply.other<string[]>(
    { type: 'array', items: { type: 'string', format: 'uuid' } },
    'The records that were overwritten: what has to be erased again after a restore of an older backup',
  ),
  counts: reply.json('How many rows were changed or removed, by table'),
}) {}

export class ErasurePage extends ObjectOf({
  items: reply.listOf(ErasureView),
  after: reply.uuid('What to send as `after` for the next page; null on the last').nullable(),
}) {}
