import type { EffectOutput } from '../../api/effects/effect';
import { isUuid } from '../../../kernel/identifier';
import { operation, type OperationId } from '../../api/operations/operations';
import { type AttemptOutcome, type RemoteProblem, wordsOf } from '../client/finance-client';
import type { CallContent, CallName, CallResult, Evidence, Finding } from './call';
import { type CallState, next, transition } from './call-machine';

/* What becomes of a call by an outcome and by what reading back says: pure. */

/** A call as it is stored. */
export interface StoredCall extends CallName {
  readonly id: string;
  readonly content: CallContent;
  readonly evidence: Evidence;
  readonly state: CallState;
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly reconcileAttempts: number;
  /** What it was when it was abandoned: `planned` by a person, `rejected` when it was left out, or `unknown`; else null. */
  readonly abandonedFrom: 'planned' | 'rejected' | 'unknown' | null;
  readonly reason: string | null;
  readonly output: EffectOutput;
  readonly deliveryId: string | null;
  readonly updatedAt: Date;
}

/** One sending of a call and what came of it; null: nobody knows yet, or ever. */
export interface Try {
  readonly number: number;
  readonly outcome: AttemptOutcome['kind'] | null;
}

/** What changes in a stored call; what is not named stays. */
export interface CallChange {
  readonly state?: CallState;
  readonly nextAt?: Date | null;
  readonly abandonedFrom?: StoredCall['abandonedFrom'];
  readonly reconcileAttempts?: number;
  readonly reason?: string | null;
  readonly output?: EffectOutput;
}

/** What came of an outcome. An alarm is for the log: something happened that must not. */
export interface Settling {
  readonly change?: CallChange;
  readonly alarm?: string;
}

/** When the outcome is written down, and when the call may be tried again or read back. */
export interface Moments {
  readonly now: Date;
  /** After an outcome `not-sent`. */
  readonly retryAt: Date;
  /** After an outcome `unknown`: until then the service may still take effect of it. */
  readonly settledAt: Date;
}

/** Milliseconds; shorter waits than this are of no use to whoever asks. */
const SHORTEST_WAIT_MS = 1_000;

const FIRST_READ_BACK_MS = 5_000;
const LONGEST_READ_BACK_MS = 2 * 60_000;

/** The result that the stored call already has for whoever wants it made; undefined: it is theirs to send. */
export function storedResult(call: StoredCall, now: Date): CallResult | undefined {
  const { id: callId, state } = call;
  const reason = call.reason ?? '';
  if (state === 'applied') return { state, output: call.output, earlier: true };
  if (call.abandonedFrom) return { state: 'abandoned', reason, callId };
  switch (state) {
    case 'rejected':
      return undefined;
    case 'planned':
      return call.nextAt && call.nextAt > now ? { state, until: call.nextAt, reason } : undefined;
    case 'sending':
      return { state, until: whileSent(call, now), reason: 'it is being sent', callId };
    case 'unknown':
      return { state, until: notBefore(call.nextAt?.getTime() ?? 0, now), reason, callId };
    case 'needs-review':
    case 'abandoned':
      return { state, reason, callId };
  }
}

/**
 * Of several that wait for one call only the last to ask is woken when it is settled. The others ask again after as
 * long as it has been on its way: soon for a call like most, and seldom for one that hangs.
 */
function whileSent({ nextAt, updatedAt: sentAt }: StoredCall, now: Date): Date {
  const again = 2 * now.getTime() - sentAt.getTime();
  return notBefore(Math.min(nextAt?.getTime() ?? again, again), now);
}

function notBefore(instant: number, now: Date): Date {
  return new Date(Math.max(instant, now.getTime() + SHORTEST_WAIT_MS));
}

/** Whether a call may be in effect, and only a person decides or has decided about it. */
export function isLeftToPerson({
  state,
  abandonedFrom,
}: Pick<StoredCall, 'state' | 'abandonedFrom'>): boolean {
  return state === 'needs-review' || (state === 'abandoned' && abandonedFrom === 'unknown');
}

/** Whether a call was looked for since the database was put back to an earlier state. */
export function wasSearched({ evidence }: Pick<StoredCall, 'evidence'>, recoveredAt: Date): boolean {
  return evidence.lookedFor?.recoveredAt === recoveredAt.toISOString();
}

/** Whether it is only looked for: it was not sent since the database was put back. */
export function isOnlySearched({ evidence, attempts }: Pick<StoredCall, 'evidence' | 'attempts'>): boolean {
  return evidence.lookedFor?.attempts === attempts;
}

/** Receipts for one schedule are decided about one after another. */
export function isReceipt({ content }: Pick<StoredCall, 'content'>): boolean {
  return content.operation === 'receipts.registerForSchedule';
}

/** A creation that does not say what it made is a success that nobody can use: what it made is read back. */
export function understood({ operation: id }: CallContent, outcome: AttemptOutcome): AttemptOutcome {
  if (outcome.kind !== 'succeeded' || operation(id).response !== 'identifier') return outcome;
  const named = typeof outcome.value === 'string' && isUuid(outcome.value);
  if (named) return outcome;
  return { kind: 'unknown', reason: 'the reply named no record', status: outcome.status };
}

/**
 * What an outcome makes of a call.
 * @param call as it stands now, which may be long after the attempt was sent
 * @param tries all of the call's, before this outcome
 * @param number the attempt that the outcome is of
 */
export function afterOutcome(
  call: StoredCall,
  tries: readonly Try[],
  number: number,
  outcome: AttemptOutcome,
  moments: Moments,
): Settling {
  if (outcome.kind === 'succeeded') return afterSuccess(call, tries, number, outcome.value);
  if (number !== call.attempts) return {};
  const doubled = tries.some((other) => other.number !== number && other.outcome === 'succeeded');
  if (doubled && outcome.kind !== 'unknown') return { change: applied(call.output) };
  if (call.state === 'applied' && outcome.kind !== 'unknown')
    return withAlarm(`it was taken to be in effect, but attempt ${number} was surely not (${outcome.kind})`);
  // A part that was left out is read back like any other when it may be in effect after all.
  const before = call.abandonedFrom === 'rejected' ? 'rejected' : call.state;
  const state = transition(before, outcome.kind);
  return state ? { change: ofCurrent(call, tries, outcome, state, moments) } : {};
}

function afterSuccess(call: StoredCall, tries: readonly Try[], number: number, value: unknown): Settling {
  const output = outputOf(value);
  const twice = tries.filter((other) => other.number !== number && isSecond(other, number));
  if (twice.length > 0) {
    const others = twice.map((other) => other.number).join(', ');
    const reason =
      `attempt ${number} took effect after it had been taken for lost, and so did or may attempt ${others}: ` +
      'the finance service may hold it twice';
    const state = next(call.state, 'doubled');
    const change: CallChange = { state, nextAt: null, reason, output };
    return {
      change: state === 'abandoned' ? { ...change, abandonedFrom: 'unknown' } : change,
      alarm: reason,
    };
  }
  if (call.state === 'applied' && call.output.id !== output.id) {
    return withAlarm(
      `attempt ${number} made ${output.id}, but ${call.output.id} had been taken for its record`,
    );
  }
  return call.state === 'applied' ? {} : { change: applied(output) };
}

/** Whether another attempt was, or may be, in effect beside one that is. An earlier one was read back already. */
function isSecond(other: Try, number: number): boolean {
  if (other.outcome === 'succeeded') return true;
  return other.number > number && (other.outcome === null || other.outcome === 'unknown');
}

function ofCurrent(
  call: StoredCall,
  tries: readonly Try[],
  outcome: Exclude<AttemptOutcome, { kind: 'succeeded' }>,
  state: CallState,
  { retryAt, settledAt }: Moments,
): CallChange {
  switch (outcome.kind) {
    case 'refused': {
      if (isGone(call, tries, outcome.problem.status)) return applied({});
      return { state, nextAt: null, reconcileAttempts: 0, reason: refusalOf(outcome) };
    }
    case 'not-sent':
      return { state, nextAt: retryAt, reconcileAttempts: 0, reason: outcome.reason };
    case 'unknown':
      return { state, nextAt: settledAt, reconcileAttempts: 0, reason: outcome.reason };
  }
}

/** What is to be removed and is not there was removed by the attempt whose outcome nobody knows. */
function isGone(call: StoredCall, tries: readonly Try[], status: number): boolean {
  const before = tries.filter(({ number }) => number < call.attempts);
  const maybe = before.some(({ outcome }) => outcome === null || outcome === 'unknown');
  return call.content.operation === 'payments.remove' && status === 404 && maybe;
}

/** For a person. */
export function refusalOf({ problem }: { readonly problem: RemoteProblem }): string {
  return `the finance service refused it: ${wordsOf(problem)}`;
}

function applied(output: EffectOutput): CallChange {
  return { state: 'applied', nextAt: null, reason: null, output };
}

function withAlarm(reason: string): Settling {
  return { change: { reason }, alarm: reason };
}

/** A creating operation answers with an identifier, the others with nothing. */
function outputOf(value: unknown): EffectOutput {
  return typeof value === 'string' ? { id: value } : {};
}

/**
 * What reading back makes of a call whose outcome is not known.
 * @param random from 0 to 1
 * @param backoffMs milliseconds for which the service is left alone: what could not be read then does not count as an attempt
 */
export function afterReadBack(
  call: StoredCall,
  finding: Finding,
  now: Date,
  random: number,
  backoffMs = 0,
): CallChange {
  const { reason } = finding;
  switch (finding.state) {
    case 'applied':
      return { state: next(call.state, 'found'), nextAt: null, reason, output: finding.output };
    case 'planned':
      return { ...repeated(call, now), reason };
    case 'needs-review':
      return { state: next(call.state, 'undecided'), nextAt: null, reason };
    case 'unknown': {
      if (backoffMs > 0) return { state: 'unknown', nextAt: new Date(now.getTime() + backoffMs), reason };
      const { reconcileAttempts } = call;
      const ceiling = Math.min(
        LONGEST_READ_BACK_MS,
        FIRST_READ_BACK_MS * 2 ** Math.min(reconcileAttempts, 20),
      );
      const nextAt = new Date(now.getTime() + Math.round(ceiling * (1 - random / 2)));
      return { state: 'unknown', nextAt, reconcileAttempts: reconcileAttempts + 1, reason };
    }
  }
}

/** What becomes of a call that is not in effect. Whoever sent a request to `/v1` decides whether to send it again. */
export function repeated(call: StoredCall, now: Date): CallChange {
  return isRequest(call)
    ? { state: next(call.state, 'returned'), nextAt: null, reconcileAttempts: 0 }
    : { state: next(call.state, 'repeatable'), nextAt: now, reconcileAttempts: 0 };
}

/** Whether the call is a request to `/v1`, of which nobody but its sender knows what it is for. */
export function isRequest({ effectKey }: Pick<StoredCall, 'effectKey'>): boolean {
  return effectKey.startsWith('v1/');
}

/** The operations of calls that make records. */
export const CREATING: ReadonlySet<OperationId> = new Set([
  'customers.create',
  'schedules.createCredit',
  'accounts.create',
]);
