import type { Prisma } from '../../../database/client/client';
import type { Transaction } from '../../../database/transaction';
import { next } from './call-machine';
import { type NewCall, requestOf, storedState } from './call-rows.sql';
import type { StoredCall } from './call-states';
import { isSentAnew } from './settled-content';

/**
 * Has the reconciler look for a call, which must be locked, as if its outcome was unknown: the database was put back, and
 * a state that is lost may have sent it.
 * @param wanted as it is asked for now
 * @returns what is changed in the call
 */
export async function searchFirst(
  tx: Transaction,
  call: StoredCall,
  wanted: NewCall,
  recoveredAt: Date,
  now: Date,
): Promise<Pick<StoredCall, 'state' | 'nextAt' | 'reason'>> {
  const content = isSentAnew(call) ? wanted.content : call.content;
  const lookedFor = { recoveredAt: recoveredAt.toISOString(), attempts: call.attempts };
  const reason = `Ponte's database was put back on ${lookedFor.recoveredAt}: the finance service may have this already`;
  const change = { state: next(call.state, 'recovered'), nextAt: now, reason };
  const data = {
    ...{ ...change, state: storedState({ ...call, ...change }), reconcileAttempts: 0, updatedAt: now },
    ...{ operation: content.operation, request: requestOf(content) },
    evidence: { ...call.evidence, lookedFor } as Prisma.InputJsonObject,
    deliveryId: wanted.deliveryId ?? call.deliveryId,
  };
  await tx.financeCall.update({ where: { id: call.id }, data });
  return change;
}
