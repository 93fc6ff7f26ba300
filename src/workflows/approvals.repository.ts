import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { textArray, uuidArray } from '../database/binary-array';
import type { Prisma } from '../database/client/client';
import type { Transaction } from '../database/transaction';
import { queryInTransaction } from '../database/transaction-statements';
import type { PlannedEffect } from '../finance/api/effects/effect';
import { EffectRecords, type RecordedEffect } from '../finance/api/effects/effect-records.port';
import { foundBy } from '../finance/api/effects/registry';
import { settledEffect } from '../finance/api/effects/settled-effect';
import { newId } from '../kernel/identifier';
import { resolveItemOf } from './approval-items.repository';
import type { Run } from './run';
import type { Held } from './step-record';

/** An effect as an operator approves it. References to outputs of earlier steps are not filled in. */
export type ApprovedPlan = Pick<PlannedEffect, 'operation' | 'input' | 'amount' | 'leftOut'>;

interface StoredApproval {
  id: string;
  effectKey: string;
  state: 'waiting' | 'approved' | 'declined';
  plan: unknown;
  deliveryId: string;
  reason: string | null;
}

/** An effect of a run that an operator has to approve, or was asked about before. */
interface Asked {
  readonly run: Run;
  readonly step: string;
  readonly effect: PlannedEffect;
  /** Whether the plan asks; else an operator was asked by another rule, or by another version of it. */
  readonly isNeeded: boolean;
}

/**
 * Approvals of effects: one row for each business key. What was approved is approved for exactly that plan: when another is
 * asked for under the key, the row waits again, under another identifier, so that nobody approves what they have not seen.
 * What an operator was asked about is for the operator to decide, whichever rule plans it by then.
 */
@Injectable()
export class Approvals {
  constructor(private readonly records: EffectRecords) {}

  /**
   * Asks for the approvals that runs need, and holds the effects back that are not approved as they are planned. What is
   * applied already needs none. To be called before anything of the runs is asked for.
   */
  async review(tx: Transaction, runs: readonly Run[], now: Date): Promise<void> {
    const needed = await this.open(tx, runs.filter(({ needsApproval }) => needsApproval).flatMap(askedBy));
    // One after another in one order, so that two that ask for the same do not wait for each other.
    for (const one of needed.toSorted(inOrder)) await ask(tx, one, now);
    const before = await askedBefore(tx, runs.flatMap(plannedWithout));
    for (const { run, effect } of before) run.decided.add(effect.key);
    const open = [...needed, ...(await this.open(tx, before))].toSorted(inOrder);
    for (const organizationId of organizationsOf(open))
      await this.reviewOf(
        tx,
        organizationId,
        open.filter(({ run }) => run.organization.id === organizationId),
        now,
      );
  }

  /** Those of an organization's effects that are held back: an operator has not decided yet, or declined them. */
  async heldBack(
    tx: Transaction,
    organizationId: string,
    keys: readonly string[],
  ): Promise<Map<string, 'waiting' | 'declined'>> {
    if (keys.length === 0) return new Map();
    const rows = await tx.$queryRaw<{ key: string; state: 'waiting' | 'declined' }[]>`
      select effect_key as key, state::text as state from approval
      where organization_id = ${organizationId}::uuid and effect_key = any(${keys}::text[])
        and state in ('waiting', 'declined')`;
    return new Map(rows.map(({ key, state }) => [key, state]));
  }

  /** Those of which nothing was made yet. */
  private async open(tx: Transaction, asked: readonly Asked[]): Promise<Asked[]> {
    const open: Asked[] = [];
    for (const organizationId of organizationsOf(asked)) {
      const own = asked.filter(({ run }) => run.organization.id === organizationId);
      const records = await this.records.find(tx, organizationId, [...new Set(own.map(keyOf))]);
      open.push(...own.filter((one) => isOpen(records.get(keyOf(one)))));
    }
    return open;
  }

  private async reviewOf(
    tx: Transaction,
    organizationId: string,
    open: readonly Asked[],
    now: Date,
  ): Promise<void> {
    const stored = await lockStored(tx, organizationId, open.map(keyOf));
    const reviewed = new Map<string, Held | undefined>();
    const held = new Map<Run, Map<string, Held>>();
    for (const one of open) {
      const key = keyOf(one);
      // A rule that asks nobody waits for what one that asks is told of the same.
      const isKnown = !one.isNeeded && reviewed.has(key);
      const why = isKnown ? reviewed.get(key) : await heldBecause(tx, one, stored, now);
      reviewed.set(key, why);
      if (why) held.set(one.run, (held.get(one.run) ?? new Map<string, Held>()).set(key, why));
    }
    for (const [run, effects] of held) run.holdBack(effects);
  }
}

/** Whether nothing was made of an effect yet. What is under way was approved when it was begun. */
function isOpen(record: RecordedEffect | undefined): boolean {
  return record === undefined || record.state === 'refused' || record.state === 'abandoned';
}

/**
 * Why an effect is held back; undefined: it is approved as it is planned.
 * @param stored locked rows by business key; what is asked anew stands in them afterwards
 */
async function heldBecause(
  tx: Transaction,
  one: Asked,
  stored: Map<string, StoredApproval>,
  now: Date,
): Promise<Held | undefined> {
  const before = stored.get(keyOf(one));
  if (!before) throw new Error('an approval was neither stored nor found');
  if (before.state === 'declined') return { state: 'skipped', reason: declined(before.reason) };
  const plan = planOf(one.effect);
  const isWhole = isDeepStrictEqual(before.plan, plan);
  // Of a settled one, what it said of people is not kept. It is approved only where it was whole when it was decided.
  const isSame = isWhole || isDeepStrictEqual(before.plan, planOf(settledEffect(one.effect)));
  if (isSame && before.state === 'approved') return undefined;
  const { deliveryId } = one.run;
  if (isWhole && before.deliveryId === deliveryId) return { state: 'waiting', approval: before.id };
  const id = isSame ? before.id : newId();
  await askAnew(tx, one, before.id, id, now);
  stored.set(keyOf(one), { ...before, id, state: 'waiting', plan, deliveryId });
  return { state: 'waiting', approval: id };
}

function keyOf({ effect }: Asked): string {
  return effect.key;
}

function askedBy(run: Run): Asked[] {
  return run.plan.steps
    .filter(({ approval }) => approval !== undefined)
    .flatMap(({ id: step, effects }) => effects.map((effect) => ({ run, step, effect, isNeeded: true })));
}

/** What is made without asking anybody. */
function plannedWithout(run: Run): Asked[] {
  return run.plan.steps
    .filter(({ approval }) => approval === undefined)
    .flatMap(({ id: step, effects }) => effects.map((effect) => ({ run, step, effect, isNeeded: false })))
    .filter(({ effect }) => foundBy(effect.operation) === undefined);
}

/** For every batch, so that it is prepared once. */
const ASKED_BEFORE = `
  select organization_id::text as "organizationId", effect_key as key from approval
  where organization_id = any($1::uuid[]) and effect_key = any($2::text[])`;

/** Those that an operator was asked about all the same. */
async function askedBefore(tx: Transaction, planned: readonly Asked[]): Promise<Asked[]> {
  if (planned.length === 0) return [];
  const rows = await queryInTransaction<{ organizationId: string; key: string }>(tx, ASKED_BEFORE, [
    uuidArray(organizationsOf(planned)),
    textArray([...new Set(planned.map(keyOf))]),
  ]);
  if (rows.length === 0) return [];
  const asked = new Set(rows.map(({ organizationId, key }) => `${organizationId} ${key}`));
  return planned.filter((one) => asked.has(`${one.run.organization.id} ${keyOf(one)}`));
}

/** In the order of their identifiers. */
function organizationsOf(asked: readonly Asked[]): string[] {
  return [...new Set(asked.map(({ run }) => run.organization.id))].sort();
}

/** By organization and key; of those that share a key, the ones first that need an approval. */
function inOrder(left: Asked, right: Asked): number {
  return (
    compared(left.run.organization.id, right.run.organization.id) ||
    compared(keyOf(left), keyOf(right)) ||
    Number(right.isNeeded) - Number(left.isNeeded)
  );
}

function compared(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** As it is when it has been stored as JSON. */
function planOf({ operation, input, amount, leftOut }: PlannedEffect): Prisma.JsonObject {
  return JSON.parse(JSON.stringify({ operation, input, amount, leftOut })) as Prisma.JsonObject;
}

function declined(reason: string | null): string {
  return reason === null ? 'an operator declined it' : `an operator declined it: ${reason}`;
}

/** @returns by business key; no decision is made about them until the transaction ends */
async function lockStored(
  tx: Transaction,
  organizationId: string,
  keys: readonly string[],
): Promise<Map<string, StoredApproval>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.$queryRaw<StoredApproval[]>`
    select id::text as id, effect_key as "effectKey", state::text as state, plan,
      delivery_id::text as "deliveryId", reason
    from approval
    where organization_id = ${organizationId}::uuid and effect_key = any(${keys}::text[])
    order by effect_key for update`;
  return new Map(rows.map((row) => [row.effectKey, row]));
}

/** Stores that the effect waits, unless something is stored under its key already. */
async function ask(tx: Transaction, { run, step, effect }: Asked, now: Date): Promise<void> {
  const { organization, deliveryId, plan } = run;
  await tx.$executeRaw`
    insert into approval (id, organization_id, effect_key, plan, rule, rule_version, step, delivery_id, requested_at)
    values (${newId()}::uuid, ${organization.id}::uuid, ${effect.key}, ${JSON.stringify(planOf(effect))}::jsonb,
      ${plan.rule}, ${plan.version}, ${step}, ${deliveryId}::uuid, ${now})
    on conflict (organization_id, effect_key) do nothing`;
}

/** Lets a locked row wait for the plan of this run, under another identifier where that is another plan. */
async function askAnew(
  tx: Transaction,
  { run, step, effect }: Asked,
  id: string,
  newIdOfPlan: string,
  now: Date,
): Promise<void> {
  const { deliveryId, plan } = run;
  await tx.$executeRaw`
    update approval
    set id = ${newIdOfPlan}::uuid, state = 'waiting', plan = ${JSON.stringify(planOf(effect))}::jsonb, rule = ${plan.rule},
      rule_version = ${plan.version}, step = ${step}, delivery_id = ${deliveryId}::uuid,
      requested_at = case when id = ${newIdOfPlan}::uuid then requested_at else ${now} end,
      decided_by = null, decided_at = null, reason = null, to_resume = false
    where id = ${id}::uuid`;
  if (newIdOfPlan === id) return;
  // Nobody can decide the one that was: its item would ask for nothing.
  await resolveItemOf(tx, run.organization.id, id, now);
}
