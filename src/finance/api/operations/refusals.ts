import { KEYED_PROBLEMS } from '../../../http/api';
import type { ProblemCode } from '../../../kernel/problem';
import type { Operation, OperationId } from './operations';

const OF_BODIES: readonly ProblemCode[] = ['body-too-large', 'media-type-unsupported', 'validation-failed'];
const OF_WRITES: readonly ProblemCode[] = ['idempotency-key-in-use', 'idempotency-key-reused'];

/** Beside an organization or a record that is not there: `not-found`. */
const OF_ONE_OPERATION: Partial<Record<OperationId, readonly ProblemCode[]>> = {
  'customers.create': ['customer-exists'],
  'customers.update': ['customer-exists'],
  'schedules.createCredit': ['instalments-mismatch'],
  'payments.register': ['before-opening-date'],
  'receipts.register': ['before-opening-date'],
  'receipts.registerForSchedule': ['exceeds-open-value', 'before-opening-date'],
  'costCenters.update': ['conflict'],
  'payments.remove': ['entry-reconciliated'],
  'schedules.nextOpenDebit': ['no-open-schedule'],
};

/** What comes of the finance service being elsewhere. */
const OF_A_SERVICE: readonly ProblemCode[] = [
  'finance-not-connected',
  'finance-misbehaved',
  'finance-unreachable',
];
/** Whether a write took effect may be unknown; and services refuse some with 409 where Ponte's own books would not. */
const OF_WRITES_TO_A_SERVICE: readonly ProblemCode[] = ['outcome-unknown', 'conflict'];

/** Every problem an operation may answer with, as its description lists them; `internal-error` goes unsaid. */
export function problemsOf(row: Operation): ProblemCode[] {
  return [
    ...KEYED_PROBLEMS,
    ...(mayMiss(row) ? (['not-found'] as const) : []),
    ...(row.request === null ? [] : OF_BODIES),
    ...(row.effect === 'read' ? [] : OF_WRITES),
    ...(OF_ONE_OPERATION[row.id as OperationId] ?? []),
  ];
}

/** What an operation may answer with besides {@link problemsOf} where a remote service keeps the books. */
export function remoteProblemsOf(row: Operation): ProblemCode[] {
  const codes = [
    ...OF_A_SERVICE,
    ...(row.number === null ? (['not-implemented'] as const) : []),
    ...(row.effect === 'read' ? [] : OF_WRITES_TO_A_SERVICE),
  ];
  const others = problemsOf(row);
  return codes.filter((code) => !others.includes(code));
}

/** What a remote service may say of an operation's request, which Ponte has let in. */
export function relayedProblemsOf(row: Operation): ReadonlySet<ProblemCode> {
  return new Set([
    'malformed-request',
    ...(mayMiss(row) ? (['not-found'] as const) : []),
    ...(row.request === null ? [] : (['body-too-large', 'validation-failed'] as const)),
    ...(row.effect === 'read' ? [] : (['conflict'] as const)),
    ...(OF_ONE_OPERATION[row.id as OperationId] ?? []),
  ]);
}

/** An account is opened with a key, which is of an organization that exists, and its address names no record. */
function mayMiss({ id }: Operation): boolean {
  return id !== 'accounts.create';
}
