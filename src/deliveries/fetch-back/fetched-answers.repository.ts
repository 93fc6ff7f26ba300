import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import type { FetchedAnswer } from '../../sources/source';
import type { ClaimedDelivery } from '../delivery-queue.repository';
import type { LeasedDelivery } from '../delivery-leases.repository';
import { UNTIL_FETCHED } from '../reserved-attributes';
import { encodeAnswers } from './fetched-answers';

/** What providers' APIs answered about deliveries, beside their bodies: it lives and goes with them. */
@Injectable()
export class FetchedAnswers {
  /** @returns by delivery; one about which nothing was fetched is left out */
  async of(
    tx: Transaction,
    deliveries: readonly Pick<ClaimedDelivery, 'id' | 'organizationId'>[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    if (deliveries.length === 0) return new Map();
    const rows = await tx.$queryRaw<{ id: string; fetched: Uint8Array }[]>`
      select b.id::text as id, b.fetched
      from jsonb_to_recordset(${JSON.stringify(deliveries.map(({ id, organizationId }) => ({ id, organization: organizationId })))}::jsonb)
        as d(id uuid, organization uuid)
      join delivery_body b on b.organization_id = d.organization and b.id = d.id
      where b.fetched is not null`;
    return new Map(rows.map(({ id, fetched }) => [id, fetched]));
  }

  /**
   * From now on the same notification again is a new delivery: it may speak of something that happens after the fetch.
   * Committed before anything is asked.
   */
  async begin(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await tx.$executeRaw`
      update delivery
      set dedupe_key = dedupe_key || '/' || id::text, attributes = attributes - ${UNTIL_FETCHED}::text
      where id = any(${ids}::uuid[]) and attributes ? ${UNTIL_FETCHED}::text`;
  }

  /**
   * Stores the answers of a delivery that is locked and leased, and makes it ready to be worked on: in its own lane, or
   * as the last in the lane of what it turned out to be about.
   * @param lane absent: its own
   */
  async store(
    tx: Transaction,
    { id, organizationId, lane: before }: LeasedDelivery,
    answers: readonly FetchedAnswer[],
    lane = before,
  ): Promise<void> {
    await tx.deliveryBody.updateMany({
      where: { organizationId, id },
      data: { fetched: encodeAnswers(answers) },
    });
    await tx.$executeRaw`
      update delivery
      set lane = ${lane}, attempts = 0, reason = null,
        seq = case when lane = ${lane} then seq else nextval(pg_get_serial_sequence('delivery', 'seq')) end
      where id = ${id}::uuid`;
  }
}
