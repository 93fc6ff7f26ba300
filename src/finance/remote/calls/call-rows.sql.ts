import type { Prisma } from '../../../database/client/client';
import type { EffectOutput } from '../../api/effects/effect';
import type { OperationId } from '../../api/operations/operations';
import type { CallContent, CallName, Evidence } from './call';
import type { StoredCall } from './call-states';

/** A call on its way in. */
export interface NewCall extends CallName {
  content: CallContent;
  evidence?: Evidence;
  deliveryId?: string;
}

/** A call as it comes from the database, by {@link CALL_COLUMNS}. */
export interface CallRow {
  id: string;
  organizationId: string;
  effectKey: string;
  part: number;
  operation: string;
  request: Omit<CallContent, 'operation'>;
  evidence: Evidence | null;
  state: StoredCall['state'];
  attempts: number;
  nextAt: Date | null;
  looks: number;
  parkedAt: Date | null;
  abandonedAt: Date | null;
  reason: string | null;
  output: EffectOutput;
  deliveryId: string | null;
  updatedAt: Date;
}

/** Of `finance_call c`. */
export const CALL_COLUMNS = `c.id::text as id, c.organization_id::text as "organizationId",
  c.effect_key as "effectKey", c.part, c.operation, c.request, c.evidence, c.state::text as state, c.attempts,
  c.next_at as "nextAt", c.looks, c.parked_at as "parkedAt", c.abandoned_at as "abandonedAt", c.reason, c.output,
  c.delivery_id::text as "deliveryId", c.updated_at as "updatedAt"`;

export function toCall({ operation, request, evidence, ...row }: CallRow): StoredCall {
  const content: CallContent = { operation: operation as OperationId, ...request };
  return { ...row, content, evidence: evidence ?? {} };
}

/** As JSON data: what is undefined is not there. */
export function requestOf({ path, body, digest }: CallContent): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify({ path, body, digest })) as Prisma.InputJsonObject;
}
