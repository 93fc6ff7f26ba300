import { packTexts } from '../../database/packed-texts';
import { plainArray } from '../../database/plain-array';
import type { Transaction } from '../../database/transaction';
import { queryInTransaction } from '../../database/transaction-statements';
import { grouped } from '../../kernel/grouped';
import { newId } from '../../kernel/identifier';
import { type ChangeType, subjectOf } from './change-types';

/** What happened to one record. */
export interface Change {
  /** UUID */
  organizationId: string;
  type: ChangeType;
  /** UUID of the record. */
  recordId: string;
  /** Business key of the effect that did it, where one did. */
  businessKey?: string;
  /** UUID of the delivery that caused it, where one did. */
  deliveryId?: string;
  /** JSON data: the record as `/v1` shows it. */
  data: object;
}

/**
 * Appends changes to the feed, to be committed with the records. To be called after the records were
 * written, never before: the batch's number is drawn here, and it is in the order of commit of a record only
 * because whoever draws it has locked the record. One statement, whatever the number of changes.
 */
export async function appendChanges(tx: Transaction, changes: readonly Change[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const batches = [...grouped(changes, ({ organizationId }) => organizationId)];
  const numbered = batches.flatMap(([, own]) => own.map((change, index) => ({ change, number: index + 1 })));
  const { bytes, starts, lengths } = packTexts(numbered.map(({ change }) => JSON.stringify(change.data)));
  await queryInTransaction(
    tx,
    `with batch as (
      insert into feed_waiting (key, organization_id, changes, at)
      select key, organization_id, changes, $4::timestamptz
      from unnest($1::uuid[], $2::uuid[], $3::int[]) as b(key, organization_id, changes)
      returning id, organization_id
    )
    insert into feed_change (batch_id, number, type, subject, business_key, delivery_id, data)
    select (select id from batch where batch.organization_id = c.organization_id), c.number, c.type, c.subject,
      c.business_key, c.delivery_id, convert_from(substring($5::bytea from c.start for c.length), 'UTF8')::json
    from unnest($6::uuid[], $7::int[], $8::text[], $9::text[], $10::text[], $11::uuid[], $12::int[], $13::int[])
      as c(organization_id, number, type, subject, business_key, delivery_id, start, length)`,
    [
      batches.map(newId),
      batches.map(([organizationId]) => organizationId),
      batches.map(([, own]) => own.length),
      now,
      bytes,
      plainArray(numbered.map(({ change }) => change.organizationId)),
      plainArray(numbered.map(({ number }) => number)),
      plainArray(numbered.map(({ change }) => change.type)),
      numbered.map(({ change }) => subjectOf(change.type, change.recordId)),
      numbered.map(({ change }) => change.businessKey ?? null),
      plainArray(numbered.map(({ change }) => change.deliveryId ?? null)),
      plainArray(starts),
      plainArray(lengths),
    ],
  );
}
