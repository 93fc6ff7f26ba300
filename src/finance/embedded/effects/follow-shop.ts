import type { Transaction } from '../../../database/transaction';
import type { EffectRequest, EffectResult } from '../../api/effects/effect';
import { followerOf } from '../../effects/customer-followers';
import type { CausedChange } from '../changes/announce';
import { followCustomers } from '../customers/followed-customers.repository';

/** What came of requests after the customers who follow the shop were changed. */
interface Followed {
  results: EffectResult[];
  changes: CausedChange[];
}

/**
 * Changes the customers of effects to what the newest event says of them, whether an effect made or found them.
 * @param results of the requests, in their order
 */
export async function followShop(
  tx: Transaction,
  requests: readonly EffectRequest[],
  results: readonly EffectResult[],
): Promise<Followed> {
  const followers = requests.map((request, index) => followerOf(request, results[index]));
  const changed = await followCustomers(
    tx,
    followers.filter((follower) => follower !== undefined),
  );
  const changes: CausedChange[] = [];
  const after = results.map((result, index): EffectResult => {
    const [request, id] = [requests[index], followers[index]?.customerId];
    if (!request || id === undefined || !changed.delete(id)) return result;
    const { organization, effect, deliveryId } = request;
    changes.push({
      ...{ type: 'customer.updated', id, organization },
      ...{ businessKey: effect.key, deliveryId },
    });
    return result.state === 'existing' ? { ...result, state: 'applied' } : result;
  });
  return { results: after, changes };
}
