import { VirtualAccountDetailsShape } from '../../finance/api/shapes/accounts.dto';
import { ENTRY_BOOKS, ENTRY_KINDS } from '../../finance/embedded/entries/entries.repository';
import { ObjectOf, reply } from '../fields';

/** An account with everything that is stored of it. */
export class AccountRecordView extends ObjectOf({
  id: reply.uuid(),
  code: reply.text('What rules and tables call it').nullable(),
  name: reply.text(),
  bankId: reply.uuid().nullable(),
  openBalance: reply.amount('Decimal text'),
  currency: reply.text('ISO 4217'),
  dateOfOpenBalance: reply.day(),
  bankAgency: reply.text().nullable(),
  bankAccount: reply.text().nullable(),
  bankAccountVerificationNumber: reply.integer().nullable(),
  type: reply.text().nullable(),
  virtualAccountDetails: reply
    .object(VirtualAccountDetailsShape, 'As it was sent; null: not a virtual account')
    .nullable(),
  createdAt: reply.instant(),
}) {}

/** One side of a movement. */
class SideView extends ObjectOf({
  book: reply.oneOf(ENTRY_BOOKS),
  id: reply.uuid('All zeros: income or expense without a category'),
}) {}

class EntryNameView extends ObjectOf({
  id: reply.uuid(),
  name: reply.text(),
  isDeleted: reply.flag(),
}) {}

/** One movement of the ledger. */
export class EntryView extends ObjectOf({
  id: reply.uuid(),
  kind: reply.oneOf(ENTRY_KINDS),
  date: reply.day(),
  value: reply.amount('Decimal text. Seen from an account: negative where money left it. Else above zero'),
  currency: reply.text('ISO 4217'),
  debit: reply.object(SideView, 'Where the value went'),
  credit: reply.object(SideView, 'Where it came from'),
  stakeholder: reply.object(EntryNameView).nullable(),
  category: reply.object(EntryNameView).nullable(),
  costCenterId: reply.uuid().nullable(),
  description: reply.text().nullable(),
  reference: reply.text().nullable(),
  identifier: reply.text().nullable(),
  payingType: reply.text().nullable(),
  isReconciliated: reply.flag(),
  isTransfer: reply.flag(),
  isFlagged: reply.flag(),
  reversesId: reply.uuid('The entry it takes back').nullable(),
}) {}
