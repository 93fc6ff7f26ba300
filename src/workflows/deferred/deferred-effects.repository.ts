import { Injectable } from '@nestjs/common';
import { plainArray } from '../../database/plain-array';
import type { Transaction } from '../../database/transaction';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import type { EffectOperation } from '../../finance/api/effects/registry';
import type { Organization } from '../../kernel/organization';
import type { DeferredEffect, DeferredState } from './deferred-effect';

/** A deferred effect on its way in. */
export interface NewDeferredEffect extends Omit<DeferredEffect, 'attempts' | 'createdAt'> {
  /** When it may be applied. */
  dueAt: Date;
}

/** A deferred effect as far as a later request under its key is compared with it. */
export interface StoredDeferral {
  organizationId: string;
  key: string;
  state: DeferredState;
  /** With `removedAt` it has lost its input because of its age, and only key, operation, amount and day can be compared. */
  effect: PlannedEffect & { readonly removedAt?: string };
  rule: string;
  ruleVersion: number;
  datesKnown: boolean;
  /** Whether one of the organization's rules, lookup tables or settings was put since it was stored. */
  rulesPut: boolean;
}

/** What became of a deferred effect that is not tried again by itself. */
export interface DeferredConclusion {
  id: string;
  state: 'applied' | 'refused';
  reason: string | null;
  /** As it is kept from now on: whole where it may be tried again. */
  effect: PlannedEffect;
}

interface ClaimedRow extends Organization {
  deferredId: string;
  effect: PlannedEffect;
  rule: string;
  ruleVersion: number;
  datesKnown: boolean;
  runId: string;
  step: string;
  deliveryId: string | null;
  businessKey: string;
  attempts: number;
  createdAt: Date;
}

/** How much is claimed at once, and of which operations. */
export interface DueQuery {
  limit: number;
  /** The only operations, or all but these. */
  only?: readonly EffectOperation[];
  except?: readonly EffectOperation[];
}

/** Where effects are kept that are applied after their deliveries. What is due is decided by the database's clock. */
@Injectable()
export class DeferredEffects {
  /**
   * Stores each, unless its key is stored already or its effect was begun. A key that another transaction is storing
   * just now is waited for; keys are taken in one order, so that two transactions never wait for each other.
   */
  async store(tx: Transaction, effects: readonly NewDeferredEffect[], now: Date): Promise<void> {
    if (effects.length === 0) return;
    const rows = effects.map(({ organization, effect, rule, dueAt, ...own }) => ({
      ...own,
      organizationId: organization.id,
      ...{ effect, key: effect.key, operation: effect.operation, notBefore: effect.notBefore ?? null },
      ...{ rule: rule.name, ruleVersion: rule.version, dueAt: dueAt.toISOString() },
    }));
    await tx.$executeRaw`
      insert into deferred_effect (id, organization_id, key, operation, not_before, due_at, ready_at, effect, rule,
        rule_version, dates_known, run_id, step, delivery_id, business_key, created_at)
      select r.id, r."organizationId", r.key, r.operation, r."notBefore", r."dueAt", r."dueAt", r.effect, r.rule,
        r."ruleVersion", r."datesKnown", r."runId", r.step, r."deliveryId", r."businessKey", ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
        id uuid, "organizationId" uuid, key text, operation text, "notBefore" date, "dueAt" timestamptz, effect jsonb,
        rule text, "ruleVersion" int, "datesKnown" boolean, "runId" uuid, step text, "deliveryId" uuid,
        "businessKey" text)
      where not exists (select from effect e
        where e.organization_id = r."organizationId" and e.key = r.key and e.state <> 'refused')
      order by r."organizationId", r.key
      on conflict (organization_id, key) do nothing`;
  }

  /**
   * Replaces those that wait by what is asked for of a later instant. Those that get another day are from then on those of the run
   * that says it. One that a worker has is left as it is.
   * @returns those that were replaced, as organization and key
   */
  async replace(tx: Transaction, effects: readonly NewDeferredEffect[]): Promise<Set<string>> {
    if (effects.length === 0) return new Set();
    const rows = effects.map(({ organization, effect, rule, dueAt, runId, step, deliveryId }) => ({
      ...{ organizationId: organization.id, key: effect.key, effect, runId, step, deliveryId },
      ...{ notBefore: effect.notBefore ?? null, dueAt: dueAt.toISOString() },
      ...{ rule: rule.name, ruleVersion: rule.version },
    }));
    const replaced = await tx.$queryRaw<{ organizationId: string; key: string }[]>`
      with asked as (
        select d.id, d.not_before <> r."notBefore" as moves, r.*
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
          "organizationId" uuid, key text, effect jsonb, "runId" uuid, step text, "deliveryId" uuid,
          "notBefore" date, "dueAt" timestamptz, rule text, "ruleVersion" int)
        join deferred_effect d on d.organization_id = r."organizationId" and d.key = r.key
        where d.state = 'waiting' and (d.lease_id is null or d.ready_at <= clock_timestamp())
        for update of d skip locked)
      update deferred_effect d
      set effect = a.effect, not_before = a."notBefore", lease_id = null,
        due_at = case when a.moves then a."dueAt" else d.due_at end,
        ready_at = case when a.moves then a."dueAt" else d.ready_at end,
        run_id = case when a.moves then a."runId" else d.run_id end,
        step = case when a.moves then a.step else d.step end,
        delivery_id = case when a.moves then a."deliveryId" else d.delivery_id end,
        rule = case when a.moves then a.rule else d.rule end,
        rule_version = case when a.moves then a."ruleVersion" else d.rule_version end
      from asked a
      where d.id = a.id
      returning d.organization_id::text as "organizationId", d.key`;
    return new Set(replaced.map(({ organizationId, key }) => `${organizationId}/${key}`));
  }

  /** Those that are stored under these keys, whatever has become of them. */
  async find(
    tx: Transaction,
    keys: readonly { organizationId: string; key: string }[],
  ): Promise<StoredDeferral[]> {
    if (keys.length === 0) return [];
    return tx.$queryRaw<StoredDeferral[]>`
      select d.organization_id::text as "organizationId", d.key, d.state::text as state, d.effect, d.rule,
        d.rule_version as "ruleVersion", d.dates_known as "datesKnown", coalesce(o.rules_put_at > d.created_at, false) as "rulesPut"
      from unnest(${plainArray(keys.map(({ organizationId }) => organizationId))}::uuid[],
        ${keys.map(({ key }) => key)}::text[]) as k(organization_id, key)
      join deferred_effect d on d.organization_id = k.organization_id and d.key = k.key
      join organization o on o.id = d.organization_id`;
  }

  /** Those of an organization's effects that are stored, by key. */
  async byKey(
    tx: Transaction,
    organizationId: string,
    keys: readonly string[],
  ): Promise<Map<string, StoredDeferral>> {
    const rows = await this.find(
      tx,
      keys.map((key) => ({ organizationId, key })),
    );
    return new Map(rows.map((row) => [row.key, row]));
  }

  /** Locks what is due until the transaction ends, the first due first; what others have locked is left to them. */
  async claim(tx: Transaction, { limit, only, except = [] }: DueQuery): Promise<DeferredEffect[]> {
    const rows = await tx.$queryRaw<ClaimedRow[]>`
      select d.id::text as "deferredId", d.effect, d.rule, d.rule_version as "ruleVersion",
        d.dates_known as "datesKnown", d.run_id::text as "runId", d.step, d.delivery_id::text as "deliveryId",
        d.business_key as "businessKey", d.attempts, d.created_at as "createdAt", o.id::text as id, o.slug, o.name, o.time_zone as "timeZone",
        o.currency
      from deferred_effect d join organization o on o.id = d.organization_id
      where d.state = 'waiting' and d.due_at <= clock_timestamp() and d.ready_at <= clock_timestamp()
        and (${only === undefined} or d.operation = any(${[...(only ?? [])]}::text[]))
        and d.operation <> all(${[...except]}::text[])
      order by d.due_at, d.id
      limit ${limit}
      for update of d skip locked`;
    return rows.map(deferredOf);
  }

  /** Leaves them to whoever has the lease, for so many milliseconds. */
  async lease(tx: Transaction, ids: readonly string[], leaseId: string, forMs: number): Promise<void> {
    await tx.$executeRaw`
      update deferred_effect set lease_id = ${leaseId}::uuid,
        ready_at = clock_timestamp() + ${forMs}::double precision * interval '1 millisecond'
      where id = any(${plainArray(ids)}::uuid[])`;
  }

  /** @returns false when somebody else has it, or it has ended */
  async renew(tx: Transaction, id: string, leaseId: string, forMs: number): Promise<boolean> {
    const renewed = await tx.$executeRaw`
      update deferred_effect
      set ready_at = clock_timestamp() + ${forMs}::double precision * interval '1 millisecond'
      where id = ${id}::uuid and lease_id = ${leaseId}::uuid and state = 'waiting'`;
    return renewed === 1;
  }

  /** Locks it until the transaction ends. @returns false when somebody else has it, or it has ended */
  async lockLeased(tx: Transaction, id: string, leaseId: string): Promise<boolean> {
    const locked = await tx.$queryRaw<object[]>`
      select 1 from deferred_effect where id = ${id}::uuid and lease_id = ${leaseId}::uuid and state = 'waiting'
      for update`;
    return locked.length === 1;
  }

  /** Writes what became of effects that the transaction has locked. */
  async conclude(tx: Transaction, conclusions: readonly DeferredConclusion[], now: Date): Promise<void> {
    if (conclusions.length === 0) return;
    await tx.$executeRaw`
      update deferred_effect d
      set state = r.state::deferred_state, reason = r.reason, effect = r.effect, lease_id = null, finished_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(conclusions)}::jsonb)
        as r(id uuid, state text, reason text, effect jsonb)
      where d.id = r.id`;
  }

  /** Writes the idempotency record of an effect that left the process. @param reason null: it is applied */
  async recordOutside(
    tx: Transaction,
    { organization, effect, runId, step }: DeferredEffect,
    reason: string | null,
    now: Date,
  ): Promise<void> {
    const state = reason === null ? 'applied' : 'refused';
    await tx.$executeRaw`
      insert into effect as e (organization_id, key, operation, state, output, run_id, step, reason, updated_at)
      values (${organization.id}::uuid, ${effect.key}, ${effect.operation}, ${state}::effect_state, '{}',
        ${runId}::uuid, ${step}, ${reason}, ${now})
      on conflict (organization_id, key) do update
      set state = excluded.state, reason = excluded.reason, updated_at = excluded.updated_at
      where e.state <> 'applied'`;
  }

  /** Puts it off for so many milliseconds. @param failed counted: it failed unexpectedly, or at the receiver */
  async tryLater(
    tx: Transaction,
    id: string,
    delayMs: number,
    { reason, failed }: { reason: string | null; failed: boolean },
  ): Promise<void> {
    await tx.$executeRaw`
      update deferred_effect
      set ready_at = clock_timestamp() + ${delayMs}::double precision * interval '1 millisecond', lease_id = null,
        reason = ${reason}, attempts = attempts + ${failed ? 1 : 0}
      where id = ${id}::uuid and state = 'waiting'`;
  }
}

function deferredOf({ deferredId, effect, rule, ruleVersion, ...row }: ClaimedRow): DeferredEffect {
  const { datesKnown, runId, step, deliveryId, businessKey, attempts, createdAt, ...organization } = row;
  return {
    ...{ id: deferredId, organization, effect, rule: { name: rule, version: ruleVersion } },
    ...{ datesKnown, runId, step, deliveryId, businessKey, attempts, createdAt },
  };
}
