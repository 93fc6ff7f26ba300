import { ACCOUNT_ENTRY_KINDS } from '../../finance/api/ports/book-details.port';
import { ObjectOf, reply } from '../fields';
import { PageOf } from '../lists.dto';

export const RECEIVABLE_STATES = ['open', 'overdue', 'paid', 'all'] as const;
export const ACCOUNT_KINDS = ['ordinary', 'virtual'] as const;
export const STATEMENT_LINES = ['receivable', 'receipt', 'discount', 'difference'] as const;

/** Somebody by name. */
class PersonView extends ObjectOf({ id: reply.uuid(), name: reply.text() }) {}

/** What links a record of the books with Ponte's work. */
export const ORIGIN = {
  businessKey: reply
    .text('Of the order or payout that a rule booked it for; null: none that is known')
    .nullable(),
  delivery: reply.uuid('The delivery that it was booked for').nullable(),
};

/** An account and what is in it. */
export class BooksAccountView extends ObjectOf({
  id: reply.uuid(),
  name: reply.text(),
  kind: reply.oneOf(ACCOUNT_KINDS, 'null: the finance service does not say').nullable(),
  balance: reply.amount('Opening balance and every entry since; below zero where it is overdrawn'),
  currency: reply.text('ISO 4217'),
  isDefault: reply
    .flag('Whether it is the one taken where none is named; null: the finance service does not say')
    .nullable(),
}) {}

/** What moved the balance of an account. */
export class BooksEntryView extends ObjectOf({
  id: reply.uuid(),
  date: reply.day(),
  type: reply.oneOf(ACCOUNT_ENTRY_KINDS),
  description: reply.text('Empty: none'),
  value: reply.amount('Below zero where money left the account'),
  customerOrSupplier: reply.object(PersonView).nullable(),
  schedule: reply.uuid('The receivable or payable that it settles').nullable(),
  ...ORIGIN,
}) {}

export class BooksReceivableView extends ObjectOf({
  id: reply.uuid(),
  description: reply.text('Empty: none'),
  customer: reply.object(PersonView).nullable(),
  value: reply.amount('What was booked'),
  open: reply.amount('What is not settled yet'),
  dueDate: reply.day(),
  overdueDays: reply.integer("Days since the due date, in the organization's zone; 0: not overdue"),
  instalment: reply
    .text('Which of how many, `2/3`; null: one alone, or the finance service does not say')
    .nullable(),
  ...ORIGIN,
}) {}

const MASKED = {
  document: reply.text('The last four characters behind `***`; null: none').nullable(),
  email: reply.text('The first character and the domain; null: none').nullable(),
};

export class BooksCustomerView extends ObjectOf({ id: reply.uuid(), name: reply.text(), ...MASKED }) {}

/** Sums over all receivables of a customer: `booked` is `received`, `discounts` and `open` together. */
export class StatementTotals extends ObjectOf({
  booked: reply.amount('Values of the receivables'),
  received: reply.amount('Receipts, those of write-offs included'),
  discounts: reply.amount(
    'Given up when a receivable was closed, or settled without a receipt that is listed',
  ),
  open: reply.amount('Not settled yet'),
  overdue: reply.amount("What of it was due before today in the organization's zone"),
}) {}

/** A receivable that was booked, or what settled one. */
class StatementLine extends ObjectOf({
  id: reply.text('Of the receivable or the receipt; of a difference, of its receivable'),
  type: reply.oneOf(
    STATEMENT_LINES,
    'difference: settled, and the finance service lists nothing that it was settled by',
  ),
  date: reply
    .day(
      'The day of booking, or of the first receipt where that was earlier; of a receipt, its day; null: the finance service does not say',
    )
    .nullable(),
  description: reply.text('Empty: none'),
  schedule: reply.uuid('The receivable'),
  dueDate: reply.day('Of a receivable').nullable(),
  value: reply.amount('Below zero where it settles'),
  open: reply.amount('What the customer owes after this line'),
  ...ORIGIN,
}) {}

const AFTER = reply.text('What to send as `after`; null on the last page').nullable();

/** A customer with sums and a statement. */
export class BooksStatementView extends ObjectOf(
  {
    currency: reply.text('ISO 4217'),
    today: reply.day("Today in the organization's zone"),
    isWhole: reply.flag(
      'false: there are more receivables or receipts than a statement is made of, so there are no totals and no items',
    ),
    totals: reply.object(StatementTotals).nullable(),
    items: reply.listOf(
      StatementLine,
      'The earliest first; what has one date with its receivable follows it',
    ),
    after: AFTER,
  },
  BooksCustomerView,
) {}

export class BooksAccountsPage extends PageOf(BooksAccountView) {}
export class BooksEntriesPage extends PageOf(BooksEntryView) {}
export class BooksReceivablesPage extends PageOf(BooksReceivableView) {}
export class BooksCustomersPage extends PageOf(BooksCustomerView) {}
