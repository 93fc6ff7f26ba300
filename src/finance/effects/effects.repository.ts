import { Prisma } from '../../database/client/client';
import type { Database, HotStatement } from '../../database/database';
import { rowsOf } from '../../database/rows-of';
import { packTexts } from '../../database/packed-texts';
import { bigintArray, intArray, textArray, uuidArray } from '../../database/binary-array';
import type { Transaction } from '../../database/transaction';
import { queryInTransaction } from '../../database/transaction-statements';
import type { Attention } from '../api/effects/attention';
import type { EffectOutput } from '../api/effects/effect';
import type { EffectOperation } from '../api/effects/registry';

export interface EffectKey {
  organizationId: string;
  key: string;
}

/** An idempotency record on the way in. */
export interface NewEffectRecord extends EffectKey {
  operation: EffectOperation;
  amountMinor: bigint | undefined;
  /** What the output will be unless something else comes of it. */
  output: EffectOutput;
  runId: string;
  step: string;
}

/** An idempotency record as it stands. */
export interface EffectRecord extends EffectKey {
  operation: string;
  state: 'intended' | 'applied' | 'refused' | 'unknown';
  amountMinor: bigint | null;
  output: EffectOutput;
  /** What it left to a person; kept for effects that are applied before their run is finished. */
  attention: Attention[] | null;
  /** The run and the step that applied it, or are at it. */
  runId: string;
  step: string;
}

/** What came of an intended effect. */
export interface EffectConclusion {
  state: 'applied' | 'refused' | 'unknown';
  output: EffectOutput;
  attention?: readonly Attention[];
  reason?: string;
}

/** What came of a reserved effect, where it is not what was written when it was reserved. */
export interface EffectCorrection extends EffectKey {
  state: 'applied' | 'refused';
  output: EffectOutput;
  reason?: string;
}

/** One text for one key of one organization. */
export function keyOf({ organizationId, key }: EffectKey): string {
  return `${organizationId}/${key}`;
}

/** In the order of {@link keyOf}: identifiers of organizations are of one length. */
function byKey(left: EffectKey, right: EffectKey): number {
  if (left.organizationId !== right.organizationId)
    return left.organizationId < right.organizationId ? -1 : 1;
  return left.key < right.key ? -1 : 1;
}

/** What {@link reserveEffects} sends of each record. */
const RESERVED = rowsOf(`
  organization_id uuid, key text, operation text, amount_minor bigint, run_id uuid, step text, start int,
  length int`);

/**
 * Writes the records as applied, ahead of the effects themselves: both are committed together or not at all. A
 * key that another transaction is writing right now is waited for. Keys are taken in one order everywhere, so
 * that two batches never wait for each other.
 * @param records of different keys
 * @returns the keys that are the caller's to apply: new ones, and those that were refused before; see {@link keyOf}
 */
export async function reserveEffects(
  tx: Transaction,
  records: readonly NewEffectRecord[],
  now: Date,
): Promise<Set<string>> {
  if (records.length === 0) return new Set();
  const sorted = [...records].sort(byKey);
  const outputs = packTexts(sorted.map(({ output }) => JSON.stringify(output)));
  const reserved = await queryInTransaction<EffectKey>(
    tx,
    `insert into effect (organization_id, key, operation, state, amount_minor, output, run_id, step, updated_at)
    select organization_id, key, operation, 'applied', amount_minor,
      convert_from(substring($9::bytea from start for length), 'UTF8')::jsonb, run_id, step, $10::timestamptz
    from ${RESERVED} r
    on conflict (organization_id, key) do update set operation = excluded.operation, state = excluded.state,
      amount_minor = excluded.amount_minor, output = excluded.output, run_id = excluded.run_id,
      step = excluded.step, reason = null, updated_at = excluded.updated_at
    where effect.state in ('refused', 'intended')
    returning organization_id as "organizationId", key`,
    [
      uuidArray(sorted.map(({ organizationId }) => organizationId)),
      textArray(sorted.map(({ key }) => key)),
      textArray(sorted.map(({ operation }) => operation)),
      bigintArray(sorted.map(({ amountMinor }) => amountMinor)),
      uuidArray(sorted.map(({ runId }) => runId)),
      textArray(sorted.map(({ step }) => step)),
      intArray(outputs.starts),
      intArray(outputs.lengths),
      outputs.bytes,
      now,
    ],
  );
  return new Set(reserved.map(keyOf));
}

const RECORD = `e.organization_id as "organizationId", e.key, e.operation, e.state::text as state,
  e.amount_minor as "amountMinor", e.output, e.attention, e.run_id::text as "runId", e.step`;

/** @returns by {@link keyOf} */
export async function findEffects(
  tx: Transaction,
  keys: readonly EffectKey[],
): Promise<Map<string, EffectRecord>> {
  if (keys.length === 0) return new Map();
  const found = await queryInTransaction<EffectRecord>(
    tx,
    `select ${RECORD}
    from ${rowsOf('organization_id uuid, key text')} r
    join effect e on e.organization_id = r.organization_id and e.key = r.key`,
    [uuidArray(keys.map(({ organizationId }) => organizationId)), textArray(keys.map(({ key }) => key))],
  );
  return new Map(found.map((record) => [keyOf(record), record]));
}

/** The identifier that an effect came to, outside of any transaction; undefined: it is not applied. */
export async function idOfApplied(
  { prisma }: Database,
  { organizationId, key }: EffectKey,
): Promise<string | undefined> {
  const where = { organizationId_key: { organizationId, key } };
  const found = await prisma.effect.findUnique({ where, select: { state: true, output: true } });
  return found?.state === 'applied' ? (found.output as EffectOutput).id : undefined;
}

/** What {@link correctEffects} sends of each correction. */
const CORRECTED = rowsOf(`
  organization_id uuid, key text, state effect_state, reason text, start int, length int`);

/** Writes what came of reserved effects after all: refusals, and records that were found instead of made. */
export async function correctEffects(
  tx: Transaction,
  corrections: readonly EffectCorrection[],
): Promise<void> {
  if (corrections.length === 0) return;
  const outputs = packTexts(corrections.map(({ output }) => JSON.stringify(output)));
  await queryInTransaction(
    tx,
    `update effect e set state = r.state, reason = r.reason,
      output = convert_from(substring($7::bytea from r.start for r.length), 'UTF8')::jsonb
    from ${CORRECTED} r
    where e.organization_id = r.organization_id and e.key = r.key`,
    [
      corrections.map(({ organizationId }) => organizationId),
      corrections.map(({ key }) => key),
      corrections.map(({ state }) => state),
      corrections.map(({ reason }) => reason ?? null),
      intArray(outputs.starts),
      intArray(outputs.lengths),
      outputs.bytes,
    ],
  );
}

/** Whether a call for the effect was sent that may be in effect. */
const MAY_BE_MADE = `exists (select 1 from finance_call c where c.organization_id = $1::uuid and c.effect_key = $2
  and c.state in ('intended', 'unknown', 'applied'))`;

const INTEND: HotStatement = {
  name: 'intend-effect',
  text: `
    with written as (
      insert into effect as e (organization_id, key, operation, state, amount_minor, output, run_id, step, updated_at)
      values ($1::uuid, $2::text, $3::text, 'intended', $4::bigint, '{}', $5::uuid, $6::text, $7::timestamptz)
      on conflict (organization_id, key) do update set state = 'intended', reason = null,
        operation = case when ${MAY_BE_MADE} then e.operation else excluded.operation end,
        amount_minor = case when ${MAY_BE_MADE} then e.amount_minor else excluded.amount_minor end,
        run_id = excluded.run_id, step = excluded.step, updated_at = excluded.updated_at
      where e.state = 'refused'
      returning ${RECORD}
    )
    select * from written
    union all
    select ${RECORD} from effect e
    where e.organization_id = $1::uuid and e.key = $2::text and not exists (select from written)`,
};

/**
 * Writes that an effect is intended, ahead of the calls that make it; committed when it returns. One that was refused
 * is intended anew, and keeps the amount of calls that may be in effect already; any other stays as it is.
 * @returns the record as it stands
 */
export async function intendEffect(
  database: Database,
  record: Omit<NewEffectRecord, 'output'>,
  now: Date,
): Promise<EffectRecord> {
  const { organizationId, key, operation, amountMinor = null, runId, step } = record;
  const values = [organizationId, key, operation, amountMinor, runId, step, now];
  // One that another wrote just now is neither written by the statement nor seen by it: the next one sees it.
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const [found] = await database.query<EffectRecord>(INTEND, values);
    if (found) return found;
  }
  throw new Error('an effect was neither stored nor found');
}

/** Writes what came of an intended effect. One that is applied stays so. */
export async function concludeEffect(
  tx: Transaction,
  { organizationId, key }: EffectKey,
  conclusion: EffectConclusion,
  now: Date,
): Promise<void> {
  const { state, output, attention = [], reason } = conclusion;
  await tx.effect.updateMany({
    where: { organizationId, key, state: { not: 'applied' } },
    data: {
      state,
      output: { ...output },
      attention: attention.length > 0 ? attention.map((item) => ({ ...item })) : Prisma.DbNull,
      reason: reason ?? null,
      updatedAt: now,
    },
  });
}
