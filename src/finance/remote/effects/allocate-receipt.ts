import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { leftOver, readAllocation, type ReceiptAllocationInput } from '../../api/effects/receipt-allocate';
import { allocate } from '../../effects/allocation';
import type { EffectResult } from '../../api/effects/effect';
import type { CallContent, CallResult, Evidence } from '../calls/call';
import type { StoredCall } from '../calls/call-states';
import type { CallOptions, PlannedCall } from '../calls/calls';
import { isReplaceable } from '../calls/effect-parts';
import { moneyOf, Unreadable } from '../reads/remote-reads';
import { nameOf, type RemoteEffect, type RemoteEffectHandler, stalled } from './remote-effect';

/** Milliseconds after which what is open on a schedule is read again before a receipt is sent. */
const EVIDENCE_MS = 10_000;

type Effect = RemoteEffect<ReceiptAllocationInput>;
type Allocation = ReturnType<typeof readAllocation>;

/** Less is open on a schedule than a receipt for it would settle. */
class LessOpen extends Unreadable {}

/**
 * Spreads a payment over schedules (operation 13), oldest due date first, and registers one receipt a schedule
 * (operation 5). How it is spread is decided and written down before the first receipt is sent; what surely is not in
 * effect is spread anew where less is open than was planned for.
 */
export const allocateReceipt: RemoteEffectHandler<ReceiptAllocationInput> = async (effect) => {
  const allocation = readAllocation(effect.input, effect.organization);
  const before = await effect.tools.calls.planned(effect.organization.id, effect.key);
  const parts = before.length > 0 ? before : await plan(effect, allocation);
  try {
    return await register(effect, allocation, parts);
  } catch (error) {
    if (!(error instanceof LessOpen)) throw error;
    return register(effect, allocation, await planRest(effect, allocation));
  }
};

/** @throws LessOpen before a receipt is sent that would settle more than is open */
async function register(
  effect: Effect,
  { value }: Allocation,
  parts: readonly StoredCall[],
): Promise<EffectResult> {
  for (const part of parts) {
    const result = await make(effect, part);
    if (result.state !== 'applied') return stalled(result);
  }
  const leftOverMinor = restOf(effect, value, parts);
  return {
    state: 'applied',
    output: { all: [] },
    attention: leftOver({ key: effect.key, value }, { leftOverMinor }),
  };
}

/** What is open is read again where that was long ago, or where another receipt was made since. */
async function make(effect: Effect, part: StoredCall): Promise<CallResult> {
  const { connection, deliveryId, tools } = effect;
  const anew = { deliveryId, evidence: () => evidenceOf(effect, part) };
  const ask = (options: CallOptions): Promise<CallResult> =>
    tools.calls.make(connection, nameOf(effect, part.part), part.content, options);
  const result = await ask(isStale(effect, part) ? anew : { deliveryId });
  return result.state === 'planned' && result.queued ? ask(anew) : result;
}

async function plan(effect: Effect, allocation: Allocation): Promise<StoredCall[]> {
  const { organization, key, deliveryId, tools } = effect;
  const parts = await spread(effect, allocation, allocation.value.minor);
  return parts.length === 0 ? [] : tools.calls.plan(organization.id, key, parts, deliveryId);
}

/** Spreads anew what is not received yet. */
async function planRest(effect: Effect, allocation: Allocation): Promise<StoredCall[]> {
  const { organization, key, deliveryId, tools } = effect;
  const before = await tools.calls.planned(organization.id, key);
  const kept = before.filter((part) => !isReplaceable(part));
  const parts = await spread(effect, allocation, restOf(effect, allocation.value, kept));
  return tools.calls.plan(organization.id, key, parts, deliveryId, kept);
}

async function spread(effect: Effect, allocation: Allocation, minorUnits: bigint): Promise<PlannedCall[]> {
  const { connection, organization, tools } = effect;
  const accountId = await tools.names.account(connection, organization, allocation.account);
  const open = await tools.open.of(connection, organization, allocation.schedules);
  const schedules = open.map(({ schedule, evidence }) => ({ ...schedule, evidence }));
  return allocate(minorUnits, schedules).map(({ schedule, minor }) => {
    const value = Money.ofMinor(minor, organization.currency).toString();
    return {
      content: {
        operation: 'receipts.registerForSchedule',
        path: { ScheduleId: schedule.id },
        body: {
          scheduleId: schedule.id,
          accountId,
          date: allocation.date.toString(),
          identifier: allocation.identifier,
          value: Number(value),
        },
      },
      evidence: schedule.evidence,
    };
  });
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

/** Minor units that receipts, as they were written down, leave over of a payment. */
function restOf({ organization }: Effect, value: Money, parts: readonly StoredCall[]): bigint {
  const spread = parts.reduce((sum, { content }) => sum + minorOf(content, organization), 0n);
  return value.minor > spread ? value.minor - spread : 0n;
}

function minorOf({ body }: CallContent, { currency }: Organization): bigint {
  const value = moneyOf((body as { value?: unknown } | undefined)?.value, currency);
  if (!value) throw new Error('a planned receipt has no value');
  return value.minor;
}
