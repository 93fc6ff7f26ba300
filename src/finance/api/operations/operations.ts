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
  {
    id: 'customers.create',
    number: 1,
    method: 'POST',
    path: '/customers',
    request: 'Customer',
    response: 'identifier',
    record: null,
    status: 200,
    effect: 'create',
  },
  {
    id: 'schedules.createCredit',
    number: 2,
    method: 'POST',
    path: '/schedules/credit/FormatType=json',
    request: 'CreditSchedule',
    response: 'identifier',
    record: null,
    status: 200,
    effect: 'create',
  },
  {
    id: 'payments.register',
    number: 3,
    method: 'POST',
    path: '/payments',
    request: 'DirectRegistration',
    response: 'identifier',
    record: null,
    status: 200,
    effect: 'post',
  },
  {
    id: 'receipts.register',
    number: 4,
    method: 'POST',
    path: '/receipts',
    request: 'DirectRegistration',
    response: 'identifier',
    record: null,
    status: 200,
    effect: 'post',
  },
  {
    id: 'receipts.registerForSchedule',
    number: 5,
    method: 'POST',
    path: '/schedules/credit/{ScheduleId}/receipts',
    request: 'ScheduledReceipt',
    response: 'none',
    record: null,
    status: 204,
    effect: 'post',
  },
  {
    id: 'costCenters.update',
    number: 6,
    method: 'PUT',
    path: '/costcenters/{CostCenterId}',
    request: 'CostCenter',
    response: 'none',
    record: null,
    status: 204,
    effect: 'replace',
  },
  {
    id: 'accounts.transfer',
    number: 7,
    method: 'POST',
    path: '/accounts/transfer',
    request: 'Transfer',
    response: 'none',
    record: null,
    status: 204,
    effect: 'post',
  },
  {
    id: 'payments.remove',
    number: 8,
    method: 'DELETE',
    path: '/schedules/debit/{ScheduleId}/payments/{PaymentId}',
    request: 'PaymentDeletion',
    response: 'none',
    record: null,
    status: 204,
    effect: 'reverse',
  },
  {
    id: 'accounts.update',
    number: 9,
    method: 'PUT',
    path: '/accounts/{AccountId}',
    request: 'AccountUpdate',
    response: 'none',
    record: null,
    status: 204,
    effect: 'replace',
  },
  {
    id: 'accounts.create',
    number: 10,
    method: 'POST',
    path: '/accounts',
    request: 'Account',
    response: 'identifier',
    record: null,
    status: 200,
    effect: 'create',
  },
  {
    id: 'schedules.listDebit',
    number: 11,
    method: 'GET',
    path: '/schedules/debit',
    request: null,
    response: 'page',
    record: 'ScheduleFullView',
    status: 200,
    effect: 'read',
  },
  {
    id: 'schedules.listOverdueCredit',
    number: 12,
    method: 'GET',
    path: '/schedules/credit/dued',
    request: null,
    response: 'page',
    record: 'ScheduleEntry',
    status: 200,
    effect: 'read',
  },
  {
    id: 'schedules.listOfCustomer',
    number: 13,
    method: 'GET',
    path: '/customers/{CustomerId}/schedules',
    request: null,
    response: 'array',
    record: 'ScheduleFullView',
    status: 200,
    effect: 'read',
  },
  {
    id: 'costCenters.list',
    number: 14,
    method: 'GET',
    path: '/costcenters',
    request: null,
    response: 'page',
    record: 'CostCenter',
    status: 200,
    effect: 'read',
  },
  {
    id: 'accounts.listBalances',
    number: 15,
    method: 'GET',
    path: '/accounts/views/balance',
    request: null,
    response: 'page',
    record: 'AccountBalance',
    status: 200,
    effect: 'read',
  },
  {
    id: 'accounts.list',
    number: 16,
    method: 'GET',
    path: '/accounts',
    request: null,
    response: 'page',
    record: 'AccountListing',
    status: 200,
    effect: 'read',
  },
  {
    id: 'categories.get',
    number: 17,
    method: 'GET',
    path: '/schedules/categories/{CategoryId}',
    request: null,
    response: 'record',
    record: 'Category',
    status: 200,
    effect: 'read',
  },
  {
    id: 'schedules.nextOpenDebit',
    number: 18,
    method: 'GET',
    path: '/schedules/debit/opened',
    request: null,
    response: 'record',
    record: 'ScheduleFullView',
    status: 200,
    effect: 'read',
  },
  {
    id: 'suppliers.list',
    number: 19,
    method: 'GET',
    path: '/suppliers',
    request: null,
    response: 'page',
    record: 'Supplier',
    status: 200,
    effect: 'read',
  },
] as const satisfies readonly Operation[];

/**
 * What whole clients of such interfaces read besides, in the same shapes. A remote service need not have them: what
 * it does not have is `501`.
 */
export const EXTENSIONS = [
  reading('customers.list', '/customers', 'page', 'Customer'),
  reading('customers.get', '/customers/{CustomerId}', 'record', 'Customer'),
  {
    id: 'customers.update',
    number: null,
    method: 'PUT',
    path: '/customers/{CustomerId}',
    request: 'CustomerUpdate',
    response: 'none',
    record: null,
    status: 204,
    effect: 'replace',
  },
  reading('schedules.listCredit', '/schedules/credit', 'page', 'ScheduleFullView'),
  reading('schedules.listOpenCredit', '/schedules/credit/opened', 'page', 'ScheduleFullView'),
  reading('schedules.getCredit', '/schedules/credit/{ScheduleId}', 'record', 'ScheduleFullView'),
  reading('schedules.getDebit', '/schedules/debit/{ScheduleId}', 'record', 'ScheduleFullView'),
  reading('categories.list', '/schedules/categories', 'page', 'Category'),
  reading('costCenters.get', '/costcenters/{CostCenterId}', 'record', 'CostCenter'),
  reading('receipts.list', '/receipts', 'page', 'Movement'),
  reading('payments.list', '/payments', 'page', 'Movement'),
  reading('organizations.list', '/organizations', 'page', 'Organization'),
] as const satisfies readonly Operation[];

function reading<const Id extends string>(id: Id, path: string, response: 'page' | 'record', record: string) {
  return {
    id,
    number: null,
    method: 'GET',
    path,
    request: null,
    response,
    record,
    status: 200,
    effect: 'read',
  } as const;
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
