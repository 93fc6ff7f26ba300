import type { Transaction } from '../../database/transaction';
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
 * Appends changes to the feed, to be committed with what they tell of. To be called after the records were
 * written, never before: the batch's number is drawn here, and it tells the order of commit of a record only
 * because whoever draws it holds the record's lock. One statement, whatever the number of changes.
 */
export async function appendChanges(tx: Transaction, changes: readonly Change[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const counts = new Map<string, number>();
  const rows = changes.map((change) => {
    const number = (counts.get(change.organizationId) ?? 0) + 1;
    counts.set(change.organizationId, number);
    return toRow(change, number);
  });
  const batches = [...counts].map(([organization_id, count]) => ({
    key: newId(),
    organization_id,
    changes: count,
  }));
  await tx.$executeRaw`
    with batch as (
      insert into feed_waiting (key, organization_id, changes, at)
      select key, organization_id, changes, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(batches)}::json) as b(key uuid, organization_id uuid, changes int)
      returning id, organization_id
    )
    insert into feed_change (batch_id, number, type, subject, business_key, delivery_id, data)
    select batch.id, c.number, c.type, c.subject, c.business_key, c.delivery_id, c.data
    from json_to_recordset(${JSON.stringify(rows)}::json) as c(
      organization_id uuid, number int, type text, subject text, business_key text, delivery_id uuid, data json)
    join batch on batch.organization_id = c.organization_id`;
}

function toRow({ organizationId, type, recordId, ...change }: Change, number: number) {
  return {
    organization_id: organizationId,
    number,
    type,
    subject: subjectOf(type, recordId),
    business_key: change.businessKey,
    delivery_id: change.deliveryId,
    data: change.data,
  };
}
