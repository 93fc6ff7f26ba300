import type { Organization } from '../../kernel/organization';
import { type FollowedCustomer, readFollowed } from '../api/effects/customer-ensure';
import type { EffectRequest, EffectResult } from '../api/effects/effect';
import { attempt } from '../api/effects/effect-input';
import { isRefused } from '../api/ports/outcome';

/** A customer who follows what an event says. */
export interface CustomerFollower extends FollowedCustomer {
  organization: Organization;
  /** UUID */
  customerId: string;
}

/** Whether a request asks for a customer who follows the shop. */
export function isFollowing({ effect }: EffectRequest): boolean {
  return effect.operation === 'customer.ensure' && effect.input.update !== undefined;
}

/** Undefined where nobody follows: the customer is another than the event names, or there is none. */
export function followerOf(
  { organization, effect }: EffectRequest,
  result: EffectResult | undefined,
): CustomerFollower | undefined {
  if (effect.operation !== 'customer.ensure' || !result || !('output' in result)) return undefined;
  const isAnother = result.attention.some(({ code }) => code === 'customer-differs');
  const { id: customerId } = result.output;
  if (isAnother || customerId === undefined) return undefined;
  const followed = attempt(() => readFollowed(effect.input));
  return followed && !isRefused(followed) ? { organization, customerId, ...followed } : undefined;
}
