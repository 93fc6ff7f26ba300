import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import type { EffectResult } from '../../api/effects/effect';
import { allocate, type AllocationOrder } from '../../effects/allocation';
import type { CallContent, CallResult, Evidence } from '../calls/call';
import type { StoredCall } from '../calls/call-states';
import type { CallOptions, PlannedCall } from '../calls/calls';
import { isReplaceable } from '../calls/effect-parts';
import { moneyOf, Unreadable } from '../reads/remote-reads';
import { nameOf, type RemoteEffect, stalled } from './remote-effect';

/*
 * Effects that settle schedules, a receipt for each: which calls they are is decided and written down before the first
 * is sent, and what surely is not in effect is decided anew where less is open than was planned for.
 */

/** Milliseconds after which what is open on a schedule is read again before a receipt is sent. */
const EVIDENCE_MS = 10_000;

type Effect = RemoteEffect<unknown>;

/** Less is open on a schedule than a receipt for it would settle. */
class LessOpen extends Unreadable {}

/** Decides on the calls to be made, given those that are, or may be, in effect. */
export type Decide = (kept: readonly StoredCall[]) => Promise<PlannedCall[]>;

/** What is to be sent in the place of a call that is no receipt and was refused: what a person corrected counts. */
export type Correct = (refused: CallContent) => Promise<CallContent>;

/**
 * Makes the calls of an effect, one after another.
 * @param decide asked where nothing is decided yet, or less is open than was planned for
 * @param correct asked for a refused call that is no receipt; absent: it is sent as it was
 * @returns all of them, each applied; else how far the effect has come
 */
export async function makeParts(
  effect: Effect,
  decide: Decide,
  correct?: Correct,
): Promise<StoredCall[] | EffectResult> {
  const before = await effect.tools.calls.planned(effect.organization.id, effect.key);
  const parts = before.length > 0 ? before : await plan(effect, decide);
  try {
    return await makeAll(effect, parts, correct);
  } catch (error) {
    if (!(error instanceof LessOpen)) throw error;
    return makeAll(effect, await planRest(effect, decide), correct);
  }
}

/** What receipts for schedules have in common. */
export interface ReceiptFields {
  readonly accountId: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly identifier: string;
}

/**
 * Spreads an amount over what is open of schedules (operation 13), as one receipt a schedule (operation 5).
 * @param minorUnits undefined: all that is open
 * @param recorded whether what others received counts as open
 */
export async function receiptsFor(
  { connection, organization, tools }: Effect,
  scheduleIds: readonly string[],
  minorUnits: bigint | undefined,
  fields: ReceiptFields,
  order: AllocationOrder,
  recorded = false,
): Promise<PlannedCall[]> {
  const open = await tools.open.of(connection, organization, scheduleIds, recorded);
  const schedules = open.map(({ schedule, evidence }) => ({ ...schedule, evidence }));
  const all = schedules.reduce((sum, { openMinor }) => sum + (openMinor > 0n ? openMinor : 0n), 0n);
  return allocate(minorUnits ?? all, schedules, order).map(({ schedule, minor }) => ({
    content: {
      operation: 'receipts.registerForSchedule',
      path: { ScheduleId: schedule.id },
      body: {
        scheduleId: schedule.id,
        ...fields,
        value: Number(Money.ofMinor(minor, organization.currency).toString()),
      },
    },
    evidence: schedule.evidence,
  }));
}

export function isReceiptPart({ content }: Pick<PlannedCall, 'content'>): boolean {
  return content.operation === 'receipts.registerForSchedule';
}

/** Minor units that calls, as they were written down, move together. */
export function sumOf(organization: Organization, calls: readonly Pick<PlannedCall, 'content'>[]): bigint {
  return calls.reduce((sum, { content }) => sum + minorOf(content, organization), 0n);
}

/** @throws LessOpen before a receipt is sent that would settle more than is open */
async function makeAll(
  effect: Effect,
  parts: readonly StoredCall[],
  correct?: Correct,
): Promise<StoredCall[] | EffectResult> {
  const made: StoredCall[] = [];
  for (const part of parts) {
    const result = await make(effect, part, correct);
    if (result.state !== 'applied') return stalled(result);
    made.push({ ...part, state: 'applied', output: result.output });
  }
  return made;
}

/** What is open is read again where that was long ago, or where another receipt was made since. */
async function make(effect: Effect, part: StoredCall, correct?: Correct): Promise<CallResult> {
  const { connection, deliveryId, tools } = effect;
  const isCorrected = part.state === 'rejected' && !isReceiptPart(part);
  const content = isCorrected && correct ? await correct(part.content) : part.content;
  const ask = (options: CallOptions): Promise<CallResult> =>
    tools.calls.make(connection, nameOf(effect, part.part), content, options);
  if (!isReceiptPart(part)) return ask({ deliveryId });
  const anew = { deliveryId, evidence: () => evidenceOf(effect, part) };
  const result = await ask(isStale(effect, part) ? anew : { deliveryId });
  return result.state === 'planned' && result.queued ? ask(anew) : result;
}

async function plan({ organization, key, deliveryId, tools }: Effect, decide: Decide): Promise<StoredCall[]> {
  const parts = await decide([]);
  return parts.length === 0 ? [] : tools.calls.plan(organization.id, key, parts, deliveryId);
}

/** Decides anew on what is not made yet. */
async function planRest(
  { organization, key, deliveryId, tools }: Effect,
  decide: Decide,
): Promise<StoredCall[]> {
  const before = await tools.calls.planned(organization.id, key);
  const kept = before.filter((part) => !isReplaceable(part));
  return tools.calls.plan(organization.id, key, await decide(kept), deliveryId, kept);
}

/** Whether a part that may be sent now was weighed too long ago. */
function isStale({ tools: { clock } }: Effect, part: StoredCall): boolean {
  if (!isReplaceable(part)) return false;
  const readAt = new Date(part.evidence.readAt ?? 0);
  return clock.now().getTime() - readAt.getTime() > EVIDENCE_MS;
}

/**
 * What is open on a part's schedule now: others may have settled it since the last attempt.
 * @throws LessOpen
 */
async function evidenceOf(
  { connection, organization, tools }: Effect,
  { content }: StoredCall,
): Promise<Evidence> {
  const [open] = await tools.open.of(connection, organization, [content.path?.['ScheduleId'] ?? '']);
  if (!open) throw new Error('a schedule was read and is gone');
  if (open.schedule.openMinor < minorOf(content, organization))
    throw new LessOpen('less is open on a schedule than just before: it is read again');
  return open.evidence;
}

function minorOf({ body }: CallContent, { currency }: Organization): bigint {
  const value = moneyOf((body as { value?: unknown } | undefined)?.value, currency);
  if (!value) throw new Error('a planned receipt has no value');
  return value.minor;
}
