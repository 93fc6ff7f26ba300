import type { FinanceCallState, Prisma } from '../../../database/client/client';
import type { EffectOutput } from '../../api/effects/effect';
import type { OperationId } from '../../api/operations/operations';
import type { CallContent, CallName, Evidence } from './call';
import type { CallState } from './call-machine';
import { type CallChange, isLeftToPerson, type StoredCall } from './call-states';

/** A call on its way in. */
export interface NewCall extends CallName {
  content: CallContent;
  evidence?: Evidence;
  deliveryId?: string;
}

/** A call as it comes from the database, by {@link CALL_COLUMNS}. */
export interface CallRow {
  id: string;
  organizationId: string;
  effectKey: string;
  part: number;
  operation: string;
  request: Omit<CallContent, 'operation'>;
  evidence: Evidence | null;
  state: FinanceCallState;
  attempts: number;
  nextAt: Date | null;
  reconcileAttempts: number;
  needsReviewAt: Date | null;
  abandonedAt: Date | null;
  reason: string | null;
  output: EffectOutput;
  deliveryId: string | null;
  updatedAt: Date;
}

/** Of `finance_call c`. */
export const CALL_COLUMNS = `c.id::text as id, c.organization_id::text as "organizationId",
  c.effect_key as "effectKey", c.part, c.operation, c.request, c.evidence, c.state::text as state, c.attempts,
  c.next_at as "nextAt", c.looks as "reconcileAttempts", c.parked_at as "needsReviewAt", c.abandoned_at as "abandonedAt", c.reason, c.output,
  c.delivery_id::text as "deliveryId", c.updated_at as "updatedAt"`;

export function toCall(row: CallRow): StoredCall {
  const { operation, request, evidence, needsReviewAt, abandonedAt, ...columns } = row;
  const content: CallContent = { operation: operation as OperationId, ...request };
  const abandonedFrom = abandonedAt && abandonedIn(row.state);
  return { ...columns, content, evidence: evidence ?? {}, state: stateOf(row), abandonedFrom };
}

/*
 * The state of a call as the table has it: `needs-review` is `unknown` with `parked_at`, and `abandoned` is what the
 * call was before with `abandoned_at`. Replicas of earlier versions read and write the same columns.
 */

const STATES: Readonly<Record<FinanceCallState, CallState>> = {
  planned: 'planned',
  intended: 'sending',
  applied: 'applied',
  refused: 'rejected',
  unknown: 'unknown',
};

function stateOf({ state, needsReviewAt, abandonedAt }: CallRow): CallState {
  if (state === 'unknown' && !needsReviewAt) return 'unknown';
  if (abandonedAt && state !== 'applied') return 'abandoned';
  return needsReviewAt && state === 'unknown' ? 'needs-review' : STATES[state];
}

function abandonedIn(state: FinanceCallState): StoredCall['abandonedFrom'] {
  if (state === 'planned') return 'planned';
  return state === 'refused' ? 'rejected' : 'unknown';
}

const COLUMN: Readonly<Record<Exclude<CallState, 'abandoned'>, FinanceCallState>> = {
  planned: 'planned',
  sending: 'intended',
  applied: 'applied',
  rejected: 'refused',
  unknown: 'unknown',
  'needs-review': 'unknown',
};

/** A word of the column `state`. */
export type StoredState = FinanceCallState;

/** The word of the column `state` for the state of a call. */
export function storedState({
  state,
  abandonedFrom,
}: Pick<StoredCall, 'state' | 'abandonedFrom'>): FinanceCallState {
  return COLUMN[state === 'abandoned' ? (abandonedFrom ?? 'unknown') : state];
}

/** The columns of a state that is entered now. `abandoned_at` stays where a change does not speak of it. */
export function stateColumns(call: StoredCall, change: CallChange, now: Date) {
  const after = { ...call, ...change };
  return {
    state: storedState(after),
    needsReviewAt: isLeftToPerson(after) ? now : null,
    abandonedAt: after.state === 'abandoned' ? 'now' : change.abandonedFrom === null ? 'never' : 'as before',
  };
}

/** As JSON data: what is undefined is not there. */
export function requestOf({ operation: _operation, ...request }: CallContent): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(request)) as Prisma.InputJsonObject;
}
