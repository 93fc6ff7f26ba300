import type { OperationId } from '../../api/operations/operations';

/** In which order a listing is asked for where nobody says: Ponte's own, with the identifier that tells records apart. */
const ORDERS: Partial<Readonly<Record<OperationId, string>>> = {
  'schedules.listDebit': 'scheduleId',
  'schedules.listOverdueCredit': 'date,scheduleId',
  'schedules.listOfCustomer': 'dueDate,scheduleId',
  'costCenters.list': 'costCenterId',
  'accounts.listBalances': 'accountId',
  'schedules.listCredit': 'scheduleId',
  'schedules.listOpenCredit': 'dueDate,scheduleId',
  'receipts.list': 'entryId',
  'payments.list': 'entryId',
  'receipts.listDiscounts': 'entryId',
  'accounts.listTransfers': 'entryId',
};

/**
 * The `$orderby` of a listing. Services in the field answer 500 to a `$skip` without one; and pages of which some came
 * in another order would repeat records and miss others, so the first page needs it as well.
 */
export function orderOf(id: OperationId): string {
  return ORDERS[id] ?? 'id';
}

/** Options of a list with an order where they have a `$skip` and no order; names in any letter case. */
export function orderedSkip(
  query: Readonly<Record<string, string>>,
  order: string,
): Readonly<Record<string, string>> {
  const names = Object.keys(query).map((name) => name.toLowerCase());
  return names.includes('$skip') && !names.includes('$orderby') ? { ...query, $orderby: order } : query;
}
