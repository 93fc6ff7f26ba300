import { Injectable, Logger } from '@nestjs/common';
import type { ClaimedDelivery } from './delivery-queue.repository';
import { SourceDirectory } from './source-directory';

/** Characters of a reason that a log line repeats; `ponte deliveries show` has all of it. */
const MOST_OF_REASON = 500;

/** Logs each dead letter, once it is committed, as a warning, for nothing is wrong with Ponte: a line with its organization, its source and the reason. */
@Injectable()
export class DeadLetterLog {
  private readonly logger = new Logger('dead-letter');

  constructor(private readonly sources: SourceDirectory) {}

  /** That a delivery waits for a record: nobody need do anything, so it is no warning. @param keys business keys */
  waits(
    { id, organizationId, sourceId }: Pick<ClaimedDelivery, 'id' | 'organizationId' | 'sourceId'>,
    keys: readonly string[],
  ): void {
    const source = this.sources.findById(sourceId);
    this.logger.log({
      msg: 'dead letters: a delivery waits for a record; it is worked on again by itself when the record is there',
      organization: source?.organization.slug ?? organizationId,
      source: source?.slug ?? sourceId,
      delivery: id,
      waitsFor: keys,
    });
  }

  /** @param reason as the delivery has it, which repeats nothing of a person */
  write(
    { id, organizationId, sourceId }: Pick<ClaimedDelivery, 'id' | 'organizationId' | 'sourceId'>,
    reason: string,
    error?: unknown,
  ): void {
    const source = this.sources.findById(sourceId);
    this.logger.warn({
      msg: 'dead letters: a delivery became a dead letter; read it with `ponte deliveries show`, correct the cause, then retry or discard it',
      organization: source?.organization.slug ?? organizationId,
      source: source?.slug ?? sourceId,
      delivery: id,
      reason: reason.length > MOST_OF_REASON ? `${reason.slice(0, MOST_OF_REASON)}…` : reason,
      ...(error !== undefined && { err: error }),
    });
  }
}
