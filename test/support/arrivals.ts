import type { Database } from '../../src/database/database';
import { storeDeliveries } from '../../src/database/statements/store-deliveries';
import { newId } from '../../src/kernel/identifier';

export interface ArrivalFields {
  organizationId?: string;
  sourceId?: string;
  receivedAt: Date;
}

/** Stores a delivery for each lane named, in this order. @returns their identifiers */
export async function arrive(
  database: Database,
  lanes: readonly string[],
  { organizationId, sourceId = newId(), receivedAt }: ArrivalFields,
): Promise<string[]> {
  const rows = lanes.map((lane, index) => ({
    id: newId(),
    organizationId: organizationId ?? newId(),
    sourceId,
    topic: 'orders/paid',
    dedupeKey: newId(),
    lane,
    attributes: { at: 'now' },
    body: Buffer.from(`body ${index}`),
    receivedAt,
    traceparent: null,
  }));
  return (await storeDeliveries(database, rows)).map(({ id }) => id);
}
