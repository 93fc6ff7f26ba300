import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import type { Plan } from '../../rules/plan';

/** A run as it was stored last. */
export interface StoredRun {
  id: string;
  deliveryId: string;
  eventIndex: number;
  businessKey: string;
  rule: string;
  plan: Plan;
}

/** Runs of many deliveries, with what they were planned to do. */
@Injectable()
export class StoredRuns {
  /** @returns by delivery */
  async of(tx: Transaction, deliveryIds: readonly string[]): Promise<Map<string, StoredRun[]>> {
    const runs = new Map<string, StoredRun[]>();
    if (deliveryIds.length === 0) return runs;
    const rows = await tx.$queryRaw<StoredRun[]>`
      select id::text as id, delivery_id::text as "deliveryId", event_index as "eventIndex",
        business_key as "businessKey", rule, plan
      from run where delivery_id = any(${deliveryIds}::uuid[]) order by delivery_id, event_index, rule`;
    for (const row of rows) {
      const own = runs.get(row.deliveryId);
      if (own) own.push(row);
      else runs.set(row.deliveryId, [row]);
    }
    return runs;
  }
}
