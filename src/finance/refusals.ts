import type { ProblemCode } from '../kernel/problem';
import type { Operation, OperationId } from './operations';

const OF_EVERY_REQUEST: readonly ProblemCode[] = [
  'malformed-request',
  'key-missing',
  'key-invalid',
  'organization-mismatch',
  'scope-missing',
  'not-acceptable',
  'too-many-requests',
  'saturated',
  'unavailable',
];
const OF_BODIES: readonly ProblemCode[] = ['body-too-large', 'media-type-unsupported', 'validation-failed'];
const OF_WRITES: readonly ProblemCode[] = ['idempotency-key-in-use', 'idempotency-key-reused'];

/** Beside an organization or a record that is not there: `not-found`. */
const OF_ONE_OPERATION: Partial<Record<OperationId, readonly ProblemCode[]>> = {
  'customers.create': ['customer-exists'],
  'schedules.createCredit': ['instalments-mismatch'],
  'payments.register': ['before-opening-date'],
  'receipts.register': ['before-opening-date'],
  'receipts.registerForSchedule': ['exceeds-open-value', 'before-opening-date'],
  'costCenters.update': ['conflict'],
  'payments.remove': ['entry-reconciliated'],
  'schedules.nextOpenDebit': ['no-open-schedule'],
};

/** Every problem an operation may answer with, as its description lists them; `internal-error` goes unsaid. */
export function problemsOf(row: Operation): ProblemCode[] {
  // An account is opened with a key, which is of an organization that exists, and its address names no record.
  const mayMiss = row.id !== 'accounts.create';
  return [
    ...OF_EVERY_REQUEST,
    ...(mayMiss ? (['not-found'] as const) : []),
    ...(row.request === null ? [] : OF_BODIES),
    ...(row.effect === 'read' ? [] : OF_WRITES),
    ...(OF_ONE_OPERATION[row.id as OperationId] ?? []),
  ];
}
