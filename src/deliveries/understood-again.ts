import { Injectable } from '@nestjs/common';
import type { Organization } from '../kernel/organization';
import { DeliveriesRepository } from './deliveries.repository';
import { SourceDirectory } from './source-directory';
import { type Understood, understand } from './understand';

/** Reads stored deliveries once more, with the code that works on them. Nothing is done. */
@Injectable()
export class UnderstoodAgain {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly sources: SourceDirectory,
  ) {}

  /** What a delivery says, by how its source is set now; undefined when the organization has no such delivery. */
  async of(organization: Organization, deliveryId: string): Promise<Understood | undefined> {
    const stored = await this.deliveries.stored(organization, deliveryId);
    return stored && understand(stored, this.sources.findById(stored.sourceId));
  }
}
