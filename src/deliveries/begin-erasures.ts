import type { Transaction } from '../database/transaction';
import type { ErasureRequests } from '../privacy/requests/erasures.repository';
import type { NormalizedDelivery } from './normalize-delivery';

/** Begins the erasures that webhooks ask for and that need no person, in the transaction that completes the webhooks. */
export async function beginErasures(
  tx: Transaction,
  erasures: ErasureRequests,
  items: readonly Omit<NormalizedDelivery, 'work'>[],
  now: Date,
): Promise<void> {
  for (const { id: deliveryId, privacy } of items) {
    if (privacy?.event.type !== 'privacy.erase' || privacy.event.byPerson) continue;
    const { organizationId, source, event } = privacy;
    const requestedBy = `source/${source}`;
    await erasures.add(tx, { organizationId, person: event.person, requestedBy, deliveryId }, now);
  }
}
