import { ORIGIN } from '../books/books.dto';
import { ObjectOf, reply } from '../fields';

const AT_LEAST = 'false: counting ended at its limit, and there are at least so many';

export class ReceivedView extends ObjectOf({
  accepted: reply.integer('Deliveries that were accepted on the day: all of those below together'),
  applied: reply.integer('Worked on by a rule, whether that changed something or was there before'),
  waiting: reply.integer('To be worked on, now or later'),
  waitingForRecord: reply.integer('Dead letters that wait for a record alone, and for no person'),
  dead: reply.integer('Dead letters that need a person'),
  ignored: reply.integer('Done, and no rule had to do with them'),
  discarded: reply.integer('Given up'),
  complete: reply.flag(AT_LEAST),
}) {}

export class OpenCountsView extends ObjectOf({
  deadLetters: reply.integer('Dead letters that need a person'),
  unknownEffects: reply.integer('Calls to a remote finance service that may be in effect or not'),
  attention: reply.integer(),
  approvals: reply.integer('Effects that an operator has to approve'),
  deferred: reply.integer('Effects that are applied later'),
  complete: reply.flag(AT_LEAST),
}) {}

export class HourView extends ObjectOf({
  hour: reply.integer("0 to 23, as clocks of the organization's time zone show it"),
  from: reply.instant('When it begins: distinguishes an hour that clocks show twice'),
  accepted: reply.integer('Deliveries that were accepted in it'),
  applied: reply.integer('How many of those are applied now'),
  dead: reply.integer('How many of those need a person now'),
}) {}

export class SourceMoneyView extends ObjectOf({
  source: reply
    .text("The source's slug; null: by hand, by the finance interface, or by keys that name no source")
    .nullable(),
  value: reply.amount('The sum'),
  payments: reply.integer(),
}) {}

export class MoneyAccountView extends ObjectOf({
  id: reply.uuid("The finance service's identifier, where that is a remote one"),
  name: reply.text('Null: Ponte has not seen the account').nullable(),
}) {}

export class AccountMoneyView extends ObjectOf({
  account: reply.object(MoneyAccountView),
  value: reply.amount('The sum'),
  payments: reply.integer(),
}) {}

export class GatewayMoneyView extends ObjectOf({
  gateway: reply
    .text(
      'As the shop spells it; null: nobody said, as of what is booked by hand or by the finance interface',
    )
    .nullable(),
  value: reply.amount('The sum'),
  payments: reply.integer(),
}) {}

export class MoneyView extends ObjectOf({
  books: reply.oneOf(
    ['ledger', 'applied'],
    "`ledger`: receipts in Ponte's own books with the date of the day. `applied`: receipts that Ponte asked a remote finance service for on the day, and that are in effect, whatever their date",
  ),
  bySource: reply.listOf(SourceMoneyView, 'The largest sum first'),
  byAccount: reply.listOf(AccountMoneyView, 'The largest sum first'),
  byGateway: reply.listOf(GatewayMoneyView, 'The largest sum first'),
  complete: reply.flag('false: there were too many, and not all are in the sums'),
}) {}

/** The day at a glance. */
export class OverviewView extends ObjectOf({
  date: reply.day('In the time zone'),
  timeZone: reply.text(),
  currency: reply.text('Of all amounts, ISO 4217'),
  received: reply.object(ReceivedView, 'Deliveries accepted on the day, by what they are now'),
  lagSeconds: reply
    .integer('Age of the oldest delivery that waits to be worked on, whatever the day; null: none waits')
    .nullable(),
  open: reply.object(OpenCountsView, 'What is open now, whatever the day'),
  flow: reply.listOf(HourView, 'The hours of the day: 24, or 23 or 25 where clocks are changed'),
  money: reply.object(MoneyView, 'What came in on the day; what was taken back is left out'),
}) {}

/** One payment of a day in one account. */
export class PaymentOfDayView extends ObjectOf({
  payment: reply.text('The key on its receipts, or the identifier of its receipt where it has none'),
  account: reply.object(MoneyAccountView),
  source: reply.text('As in the overview').nullable(),
  gateway: reply.text('As in the overview').nullable(),
  value: reply.amount('What came in'),
  receipts: reply.integer('How many receivables it settled'),
  ...ORIGIN,
}) {}

export class PaymentsOfDayPage extends ObjectOf({
  items: reply.listOf(PaymentOfDayView),
  after: reply.text('What to send as `after`; null on the last page').nullable(),
  complete: reply.flag('false: there were too many, and not all are listed'),
}) {}
