import type { Transaction } from '../../../database/transaction';
import type { Attention } from '../../api/effects/attention';
import type { EffectRequest, EffectResult } from '../../api/effects/effect';
import { type CustomerFollower, followerOf } from '../../effects/customer-followers';
import {
  digestOf,
  isNewer,
  type KnownField,
  lockKnownFields,
  noteField,
} from '../../effects/followed-fields.repository';
import type { StoredCall } from '../calls/call-states';
import { digestsOf } from '../calls/settled-content';
import type { RemoteEffectTools } from './remote-effect';

/**
 * The interface has no operation that changes a customer: nothing is called, and a person is asked where the newest
 * event says something else of one than the finance service was given. What was said is noted with the run that said it:
 * a run that was interrupted says it again.
 */
export async function followShop(
  { database, store }: RemoteEffectTools,
  request: EffectRequest,
  result: EffectResult,
): Promise<EffectResult> {
  const follower = followerOf(request, result);
  if (!follower || !('attention' in result)) return result;
  const { organization, effect, runId } = request;
  const calls = await store.ofEffect(database.prisma, organization.id, effect.key);
  const given = givenBy(organization.id, calls, follower.customerId);
  const differing = await database.transaction((tx) => noteAll(tx, follower, given, runId));
  if (differing.length === 0) return result;
  return { ...result, attention: [...result.attention, notUpdated(follower, differing)] };
}

/**
 * Digests of what the service was given of a customer when Ponte made them; undefined: Ponte did not make them; `removed`:
 * it is no longer kept.
 */
function givenBy(
  organizationId: string,
  calls: readonly StoredCall[],
  customerId: string,
): Readonly<Record<string, string>> | 'removed' | undefined {
  const made = calls.find(({ state, output }) => state === 'applied' && output.id === customerId);
  const { body, said, removedAt } = made?.content ?? {};
  if (said) return said;
  return removedAt === undefined ? body && digestsOf(organizationId, { ...body }) : 'removed';
}

/** @returns the fields of which the service was given another value, or nobody knows */
async function noteAll(
  tx: Transaction,
  { organization, customerId: recordId, asOf, values }: CustomerFollower,
  given: ReturnType<typeof givenBy>,
  runId: string,
): Promise<string[]> {
  const organizationId = organization.id;
  const known = await lockKnownFields(tx, organizationId, recordId);
  const differing: string[] = [];
  for (const [field, value] of Object.entries(values)) {
    const said = { field, asOf, digest: digestOf({ organizationId, value }), runId };
    const before = known.get(field);
    if (before && !isNewer(said, before)) {
      if (isAgain(said, before) && before.differs) differing.push(field);
      continue;
    }
    // Of what is no longer kept, nobody is asked to look for differences: what is said first is taken for what was given.
    const earlier = before?.digest ?? (given === 'removed' ? said.digest : given?.[field]);
    const differs = earlier !== said.digest;
    await noteField(tx, { organizationId, recordId }, { ...said, differs });
    if (differs) differing.push(field);
  }
  return differing;
}

/** Whether a run says again what it has said already. */
function isAgain(said: Omit<KnownField, 'differs'>, before: KnownField): boolean {
  return before.runId === said.runId && before.digest === said.digest;
}

function notUpdated({ customerId, asOf }: CustomerFollower, fields: readonly string[]): Attention {
  const detail =
    `the shop says otherwise of ${fields.join(', ')} of the customer ${customerId} since ${asOf.toISOString()}, ` +
    'and the finance interface has no operation that changes a customer: enter it in the finance service';
  return { code: 'customer-not-updated', detail, amount: '0' };
}
