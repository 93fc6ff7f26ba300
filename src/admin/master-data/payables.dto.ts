import { ObjectOf, request } from '../fields';

const CURRENCY = { form: /^[A-Z]{3}$/, message: 'must be three capital letters' };

class AmountBody extends ObjectOf({
  value: request.amount(),
  /** The organization's, where it is there. */
  currency: request.text({ pattern: CURRENCY }).nullable(),
  reason: request.reason(),
  description: request.text().nullable(),
}) {}

export class NewDebitScheduleBody extends ObjectOf(
  {
    /** A supplier or partner. */
    stakeholderId: request.uuid(),
    dueDate: request.day(),
    /** Absent: today. */
    scheduleDate: request.day().nullable(),
    reference: request.text().nullable(),
    /** Of type `out`. */
    categoryId: request.uuid().nullable(),
    costCenterId: request.uuid().nullable(),
    isFlagged: request.flag().nullable(),
  },
  AmountBody,
) {}

export class NewPaymentBody extends ObjectOf(
  {
    accountId: request.uuid(),
    date: request.day(),
    identifier: request.text().nullable(),
    payingType: request.text().nullable(),
  },
  AmountBody,
) {}
