import type { Prisma } from '../../../database/client/client';
import { failureCodes } from '../../../database/failure-codes';
import type { Transaction } from '../../../database/transaction';
import type { KeyedRequest } from '../../api/idempotency/keyed-request';

/** How long a request waits for another with its key to commit, as PostgreSQL spells it. */
const LOCK_TIMEOUT = '2s';
const LOCK_NOT_AVAILABLE = '55P03';

/** The record of a key that was there before. */
export interface EarlierAnswer {
  readonly request: Uint8Array;
  readonly result: Prisma.JsonValue;
}

/**
 * Takes the key for this transaction, or finds who took it. Waits for a transaction that has it.
 * @returns undefined: taken now; `in-use`: still being worked on elsewhere; else the record that is there
 */
export async function takeKey(
  tx: Transaction,
  { organizationId, key, digest }: KeyedRequest,
): Promise<'in-use' | EarlierAnswer | undefined> {
  const [before] = await tx.$queryRaw<{ limit: string }[]>`
    select current_setting('lock_timeout') as "limit", set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
  const taken = await takeOrFind(tx, organizationId, key, digest);
  if (taken === 'in-use') return taken;
  await tx.$executeRaw`select set_config('lock_timeout', ${before?.limit ?? '0'}, true)`;
  return taken;
}

/** What was there may have been removed because of its age when it is read: then the key is free again. */
async function takeOrFind(
  tx: Transaction,
  organizationId: string,
  key: string,
  digest: Buffer,
): Promise<'in-use' | EarlierAnswer | undefined> {
  for (;;) {
    const taken = await insert(tx, organizationId, key, digest);
    if (taken === 'in-use') return taken;
    if (taken > 0) return undefined;
    const found = await tx.idempotencyRecord.findUnique({
      where: { organizationId_key: { organizationId, key } },
      select: { request: true, result: true },
    });
    if (found) return found;
  }
}

/** Writes down what is answered. */
export async function keepAnswer(
  tx: Transaction,
  { organizationId, key }: KeyedRequest,
  result: object | string,
): Promise<void> {
  await tx.idempotencyRecord.update({
    where: { organizationId_key: { organizationId, key } },
    data: { result: result },
    select: { key: true },
  });
}

async function insert(
  tx: Transaction,
  organizationId: string,
  key: string,
  digest: Buffer,
): Promise<number | 'in-use'> {
  try {
    return await tx.$executeRaw`
      insert into idempotency_record (organization_id, key, request)
      values (${organizationId}::uuid, ${key}, ${digest})
      on conflict do nothing`;
  } catch (error) {
    if (failureCodes(error).includes(LOCK_NOT_AVAILABLE)) return 'in-use';
    throw error;
  }
}
