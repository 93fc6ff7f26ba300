import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { DeliveryBodies, type StoredBody } from './delivery-bodies.repository';
import { SourceDirectory } from './source-directory';
import { normalizeDelivery, type NormalizedDelivery } from './normalize-delivery';

/** A stored delivery with what it says, as its source's provider reads it today. */
export interface StoredEvents {
  readonly delivery: StoredBody;
  /** Each event stands in `work`, in order. */
  readonly normalized: NormalizedDelivery;
}

/**
 * What stored deliveries say. Events are not stored: they are read from the bytes again by the code that works on
 * deliveries, so a preview or a plan of today speaks of what would happen today.
 */
@Injectable()
export class EventsOfDeliveries {
  constructor(
    private readonly bodies: DeliveryBodies,
    private readonly sources: SourceDirectory,
    private readonly database: Database,
  ) {}

  /**
   * @param tx absent: outside of any transaction
   * @throws Problem not-found; body-purged where nothing is left to be read
   */
  async read(
    organization: Organization,
    deliveryId: string,
    tx: Transaction = this.database.prisma,
  ): Promise<StoredEvents> {
    const delivery = await this.bodies.find(tx, organization, deliveryId);
    if (!delivery) throw new Problem('not-found', 'There is no such delivery');
    if (delivery.bodyPurgedAt) throw bodyPurged(delivery.bodyPurgedAt);
    return { delivery, normalized: this.normalizeDelivery(delivery) };
  }

  /** What a delivery says whose bytes are at hand. Never throws for what they say. */
  normalizeDelivery(delivery: StoredBody): NormalizedDelivery {
    return normalizeDelivery(delivery, this.sources.findById(delivery.sourceId));
  }
}

/** Nothing can be read of the delivery any more. */
export function bodyPurged(at: Date): Problem {
  return new Problem(
    'body-purged',
    `The body was removed on ${at.toISOString().slice(0, 10)}, as old as the organization keeps bodies; what came of the delivery is still there`,
  );
}
