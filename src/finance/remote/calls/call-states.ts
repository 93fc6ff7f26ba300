import type { EffectOutput } from '../../api/effects/effect';
import { isUuid } from '../../../kernel/identifier';
import { operation, type OperationId } from '../../api/operations/operations';
import type { WireOutcome } from '../client/finance-client';
import type { CallContent, CallName, CallResult, Evidence, Finding } from './call';

/*
 * What may become of a call: pure, so that every row of the table can be tested. Nothing here decides from the
 * absence of knowledge: what is not surely without effect is unknown, and only reading back or a person ends that.
 */

export type CallState = 'planned' | 'intended' | 'applied' | 'refused' | 'unknown';

/** A call as it is stored. */
export interface StoredCall extends CallName {
  readonly id: string;
  readonly content: CallContent;
  readonly evidence: Evidence;
  readonly state: CallState;
  readonly attempts: number;
  readonly nextAt: Date | null;
  readonly looks: number;
  readonly parkedAt: Date | null;
  readonly abandonedAt: Date | null;
  readonly reason: string | null;
  readonly output: EffectOutput;
  readonly deliveryId: string | null;
  readonly updatedAt: Date;
}

/** One sending of a call and what came of it; null: nobody knows yet, or ever. */
export interface Try {
  readonly number: number;
  readonly outcome: WireOutcome['kind'] | null;
}

/** What changes in a stored call; what is not named stays. */
export interface CallChange {
  readonly state?: CallState;
  readonly nextAt?: Date | null;
  readonly parkedAt?: Date | null;
  readonly abandonedAt?: Date | null;
  readonly looks?: number;
  readonly reason?: string | null;
  readonly output?: EffectOutput;
}

/** What came of an outcome. An alarm is for the log: something happened that must not. */
export interface Settling {
  readonly change?: CallChange;
  readonly alarm?: string;
}

/** When the outcome is written down, and when the call may be tried again or looked for. */
export interface Moments {
  readonly now: Date;
  /** After an outcome `not-arrived`. */
  readonly retryAt: Date;
  /** After an outcome `unknown`: until then the service may still take effect of it. */
  readonly settledAt: Date;
}

/** Milliseconds; shorter waits than this are of no use to whoever asks. */
const SHORTEST_WAIT_MS = 1_000;

const FIRST_LOOK_MS = 5_000;
const LONGEST_LOOK_MS = 2 * 60_000;

/** What somebody who wants the call made is told; undefined: it is theirs to send. */
export function whenAsked(call: StoredCall, now: Date): CallResult | undefined {
  const callId = call.id;
  const reason = call.reason ?? '';
  const until = notBefore(call.nextAt?.getTime() ?? 0, now);
  if (call.state === 'applied') return { state: 'applied', output: call.output, earlier: true };
  if (call.abandonedAt) return { state: 'abandoned', reason, callId };
  switch (call.state) {
    case 'refused':
      return undefined;
    case 'planned':
      return call.nextAt && call.nextAt > now
        ? { state: 'not-arrived', until: call.nextAt, reason }
        : undefined;
    case 'intended':
      return {
        state: 'unknown',
        until: whileSent(call, now),
        reason: 'it is being sent',
        callId,
        underWay: true,
      };
    case 'unknown':
      return call.parkedAt
        ? { state: 'parked', reason, callId }
        : { state: 'unknown', until, reason, callId };
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

/** Receipts for one schedule are decided about one after another. */
export function isReceipt({ content }: Pick<StoredCall, 'content'>): boolean {
  return content.operation === 'receipts.registerForSchedule';
}

/** A creation that does not say what it made is a success that nobody can use: what it made is looked for. */
export function understood({ operation: id }: CallContent, outcome: WireOutcome): WireOutcome {
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
  outcome: WireOutcome,
  moments: Moments,
): Settling {
  if (outcome.kind === 'succeeded') return afterSuccess(call, tries, number, outcome.value, moments);
  if (number !== call.attempts) return {};
  const doubled = tries.some((other) => other.number !== number && other.outcome === 'succeeded');
  if (doubled && outcome.kind !== 'unknown') return { change: applied(call.output) };
  switch (call.state) {
    case 'intended':
      return { change: ofCurrent(call, tries, outcome, moments) };
    case 'unknown':
      return outcome.kind === 'unknown' || call.abandonedAt
        ? {}
        : { change: ofCurrent(call, tries, outcome, moments) };
    case 'planned':
      return outcome.kind === 'not-arrived' || call.abandonedAt
        ? {}
        : { change: ofCurrent(call, tries, outcome, moments) };
    case 'refused':
      return outcome.kind === 'unknown' ? { change: ofCurrent(call, tries, outcome, moments) } : {};
    case 'applied':
      return outcome.kind === 'unknown'
        ? {}
        : withAlarm(`it was taken to be in effect, but attempt ${number} was surely not (${outcome.kind})`);
  }
}

function afterSuccess(
  call: StoredCall,
  tries: readonly Try[],
  number: number,
  value: unknown,
  { now }: Moments,
): Settling {
  const output = outputOf(value);
  const twice = tries.filter((other) => other.number !== number && isSecond(other, number));
  if (twice.length > 0) {
    const others = twice.map((other) => other.number).join(', ');
    const reason =
      `attempt ${number} took effect after it had been taken for lost, and so did or may attempt ${others}: ` +
      'the finance service may hold it twice';
    const parked = { state: 'unknown', parkedAt: now, nextAt: null, reason, output } as const;
    return { change: parked, alarm: reason };
  }
  if (call.state === 'applied' && call.output.id !== output.id) {
    return withAlarm(
      `attempt ${number} made ${output.id}, but ${call.output.id} had been taken for its record`,
    );
  }
  return call.state === 'applied' ? {} : { change: applied(output) };
}

/** Whether another attempt was, or may be, in effect beside one that is. An earlier one was looked for already. */
function isSecond(other: Try, number: number): boolean {
  if (other.outcome === 'succeeded') return true;
  return other.number > number && (other.outcome === null || other.outcome === 'unknown');
}

function ofCurrent(
  call: StoredCall,
  tries: readonly Try[],
  outcome: Exclude<WireOutcome, { kind: 'succeeded' }>,
  { retryAt, settledAt }: Moments,
): CallChange {
  const unparked = { parkedAt: null, looks: 0 };
  switch (outcome.kind) {
    case 'refused': {
      if (isGone(call, tries, outcome.problem.status)) return applied({});
      return { ...unparked, state: 'refused', nextAt: null, reason: refusalOf(outcome) };
    }
    case 'not-arrived':
      return { ...unparked, state: 'planned', nextAt: retryAt, reason: outcome.reason };
    case 'unknown':
      return { ...unparked, state: 'unknown', nextAt: settledAt, reason: outcome.reason };
  }
}

/** What is to be removed and is not there was removed by the attempt whose outcome nobody knows. */
function isGone(call: StoredCall, tries: readonly Try[], status: number): boolean {
  const before = tries.filter(({ number }) => number < call.attempts);
  const maybe = before.some(({ outcome }) => outcome === null || outcome === 'unknown');
  return call.content.operation === 'payments.remove' && status === 404 && maybe;
}

/** For a person. */
export function refusalOf({ problem }: Extract<WireOutcome, { kind: 'refused' }>): string {
  const { status, code, detail } = problem;
  return `the finance service refused it: ${detail ?? code ?? `status ${status}`}`;
}

function applied(output: EffectOutput): CallChange {
  return { state: 'applied', nextAt: null, parkedAt: null, reason: null, output };
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
 * @param backoffMs milliseconds for which the service is left alone: what could not be read then was not looked for
 */
export function afterLook(
  call: StoredCall,
  finding: Finding,
  now: Date,
  random: number,
  backoffMs = 0,
): CallChange {
  const { because: reason } = finding;
  switch (finding.verdict) {
    case 'in-effect':
      return { ...applied(finding.output), reason };
    case 'repeatable':
      // Whoever sent a request to `/v1` decides whether to send it again.
      return isRequest(call)
        ? { state: 'refused', nextAt: null, reason }
        : { state: 'planned', nextAt: now, looks: 0, reason };
    case 'doubtful':
      return { state: 'unknown', parkedAt: now, nextAt: null, reason };
    case 'unreadable': {
      if (backoffMs > 0) return { state: 'unknown', nextAt: new Date(now.getTime() + backoffMs), reason };
      const ceiling = Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(call.looks, 20));
      const nextAt = new Date(now.getTime() + Math.round(ceiling * (1 - random / 2)));
      return { state: 'unknown', nextAt, looks: call.looks + 1, reason };
    }
  }
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
