/** What a success answers with: an identifier alone, one record, a page, a plain array, or nothing. */
export type ResponseKind = 'identifier' | 'record' | 'page' | 'array' | 'none';

/**
 * What repeating the request would do, had the first try taken effect: a `read` harms nothing, a `replace`
 * ends in the same state, a `create` makes a second record, a `post` moves money a second time, and a
 * `reverse` finds nothing left to reverse.
 */
export type EffectKind = 'read' | 'replace' | 'create' | 'post' | 'reverse';

/** One operation of the finance interface, as its specification numbers and describes it, or an extension of it. */
export interface Operation {
  readonly id: string;
  /** Number in the specification's table; null: an extension. */
  readonly number: number | null;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/v1`; parameters in braces. The documented spelling, even where others are taken as well. */
  readonly path: string;
  /** Name of the request body's shape; null: no body. */
  readonly request: string | null;
  readonly response: ResponseKind;
  /** Name of the record that is answered, listed or paged; null where none is. */
  readonly record: string | null;
  readonly status: 200 | 204;
  readonly effect: EffectKind;
}

/** The nineteen operations, in the order of the specification. */
export const OPERATIONS = [
  writing(1, 'customers.create', 'POST', '/customers', 'Customer', 'identifier', 'create'),
  writing(
    2,
    'schedules.createCredit',
    'POST',
    '/schedules/credit/FormatType=json',
    'CreditSchedule',
    'identifier',
    'create',
  ),
  writing(3, 'payments.register', 'POST', '/payments', 'DirectRegistration', 'identifier', 'post'),
  writing(4, 'receipts.register', 'POST', '/receipts', 'DirectRegistration', 'identifier', 'post'),
  writing(
    5,
    'receipts.registerForSchedule',
    'POST',
    '/schedules/credit/{ScheduleId}/receipts',
    'ScheduledReceipt',
    'none',
    'post',
  ),
  writing(6, 'costCenters.update', 'PUT', '/costcenters/{CostCenterId}', 'CostCenter', 'none', 'replace'),
  writing(7, 'accounts.transfer', 'POST', '/accounts/transfer', 'Transfer', 'none', 'post'),
  writing(
    8,
    'payments.remove',
    'DELETE',
    '/schedules/debit/{ScheduleId}/payments/{PaymentId}',
    'PaymentDeletion',
    'none',
    'reverse',
  ),
  writing(9, 'accounts.update', 'PUT', '/accounts/{AccountId}', 'AccountUpdate', 'none', 'replace'),
  writing(10, 'accounts.create', 'POST', '/accounts', 'Account', 'identifier', 'create'),
  reading(11, 'schedules.listDebit', '/schedules/debit', 'page', 'ScheduleFullView'),
  reading(12, 'schedules.listOverdueCredit', '/schedules/credit/dued', 'page', 'ScheduleEntry'),
  reading(13, 'schedules.listOfCustomer', '/customers/{CustomerId}/schedules', 'array', 'ScheduleFullView'),
  reading(14, 'costCenters.list', '/costcenters', 'page', 'CostCenter'),
  reading(15, 'accounts.listBalances', '/accounts/views/balance', 'page', 'AccountBalance'),
  reading(16, 'accounts.list', '/accounts', 'page', 'AccountListing'),
  reading(17, 'categories.get', '/schedules/categories/{CategoryId}', 'record', 'Category'),
  reading(18, 'schedules.nextOpenDebit', '/schedules/debit/opened', 'record', 'ScheduleFullView'),
  reading(19, 'suppliers.list', '/suppliers', 'page', 'Supplier'),
] as const satisfies readonly Operation[];

/**
 * What whole clients of such interfaces read besides, in the same shapes. A remote service need not have them: what
 * it does not have is `501`.
 */
export const EXTENSIONS = [
  reading(null, 'customers.list', '/customers', 'page', 'Customer'),
  reading(null, 'customers.get', '/customers/{CustomerId}', 'record', 'Customer'),
  writing(null, 'customers.update', 'PUT', '/customers/{CustomerId}', 'CustomerUpdate', 'none', 'replace'),
  reading(null, 'schedules.listCredit', '/schedules/credit', 'page', 'ScheduleFullView'),
  reading(null, 'schedules.listOpenCredit', '/schedules/credit/opened', 'page', 'ScheduleFullView'),
  reading(null, 'schedules.getCredit', '/schedules/credit/{ScheduleId}', 'record', 'ScheduleFullView'),
  reading(null, 'schedules.getDebit', '/schedules/debit/{ScheduleId}', 'record', 'ScheduleFullView'),
  reading(null, 'categories.list', '/schedules/categories', 'page', 'Category'),
  reading(null, 'costCenters.get', '/costcenters/{CostCenterId}', 'record', 'CostCenter'),
  reading(null, 'receipts.list', '/receipts', 'page', 'Movement'),
  reading(null, 'payments.list', '/payments', 'page', 'Movement'),
  reading(null, 'receipts.listDiscounts', '/discounts', 'page', 'Movement'),
  reading(null, 'accounts.listTransfers', '/transfers', 'page', 'TransferEntry'),
  reading(null, 'organizations.list', '/organizations', 'page', 'OrganizationListing'),
] as const satisfies readonly Operation[];

/** A row of the table that harms nothing and has no body. @param number null: an extension */
function reading<
  const Id extends string,
  const Number extends number | null,
  const Response extends ResponseKind,
>(number: Number, id: Id, path: string, response: Response, record: string) {
  const reads = { method: 'GET', request: null, status: 200, effect: 'read' } as const;
  return { id, number, path, response, record, ...reads } as const;
}

/** A row of the table that changes something; what makes a record answers with its identifier. */
function writing<
  const Id extends string,
  const Number extends number | null,
  const Effect extends EffectKind,
>(
  number: Number,
  id: Id,
  method: Operation['method'],
  path: string,
  request: string,
  response: 'identifier' | 'none',
  effect: Effect,
) {
  const status = response === 'none' ? 204 : 200;
  return { id, number, method, path, request, response, record: null, status, effect } as const;
}

/** Everything that `/v1` serves. */
export const SERVED: readonly ServedOperation[] = [...OPERATIONS, ...EXTENSIONS];

export type OperationId = (typeof OPERATIONS)[number]['id'] | (typeof EXTENSIONS)[number]['id'];
export type ServedOperation = Operation & { readonly id: OperationId };

const BY_ID: ReadonlyMap<string, Operation> = new Map(SERVED.map((row) => [row.id, row]));

export function operation(id: OperationId): Operation {
  const row = BY_ID.get(id);
  if (!row) throw new Error(`there is no operation ${id}`);
  return row;
}
