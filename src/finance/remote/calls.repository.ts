import { Injectable } from '@nestjs/common';
import { Prisma } from '../../database/client/client';
import type { Database, HotStatement } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { queryWithin } from '../../database/transaction-statements';
import { appendChanges } from '../../feed/changes/changes.repository';
import { newId } from '../../kernel/identifier';
import type { EffectOutput } from '../effects/effect';
import type { OperationId } from '../operations';
import type { WireOutcome } from '../wire/finance-wire';
import { changeOfCall } from './announced-call';
import type { CallContent, CallName, Evidence } from './call';
import {
  type Beside,
  dueCalls,
  makersOf,
  organizationsToLook,
  type OtherReceiptRow,
  receiptsSince,
  recordsIn,
  twinOnItsWay,
  unsettledReceipt,
} from './call-lookups.repository';
import type { CallChange, StoredCall, Try } from './call-states';

/** A call on its way in. */
export interface NewCall extends CallName {
  content: CallContent;
  evidence?: Evidence;
  deliveryId?: string;
}

/** An attempt that is over. */
export interface EndedTry {
  number: number;
  outcome: WireOutcome;
}

interface CallRow {
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

const CALL_COLUMNS = `c.id::text as id, c.organization_id::text as "organizationId",
  c.effect_key as "effectKey", c.part, c.operation, c.request, c.evidence, c.state::text as state, c.attempts,
  c.next_at as "nextAt", c.looks, c.parked_at as "parkedAt", c.abandoned_at as "abandonedAt", c.reason, c.output,
  c.delivery_id::text as "deliveryId", c.updated_at as "updatedAt"`;
const COLUMNS = Prisma.raw(CALL_COLUMNS);

/** While the intent is committed the service has nothing to do: one statement, which is its own transaction. */
const INTEND_NEW: HotStatement = {
  name: 'intend-new-call',
  text: `
    with made as (
      insert into finance_call (id, organization_id, effect_key, part, operation, request, evidence, state, attempts,
        next_at, delivery_id, created_at, updated_at)
      values ($1::uuid, $2::uuid, $3::text, $4::int, $5::text, $6::jsonb, $7::jsonb, 'intended', 1, $8::timestamptz,
        $9::uuid, $10::timestamptz, $10::timestamptz)
      on conflict (organization_id, effect_key, part) do nothing
      returning id
    ), attempt as (
      insert into finance_attempt (call_id, number, sent_at) select id, 1, $10::timestamptz from made
    )
    select id::text as id from made`,
};

/**
 * What an attempt came to, what becomes of its call, and whom the schedules are about that the call made. What
 * others made is not remembered.
 */
const WRITE = `
  with before as (
    select announced_at from finance_call where id = $1::uuid
  ), ended as (
    update finance_attempt set ended_at = $12::timestamptz, outcome = $14::text, status = $15::int, reply = $16::text
    where call_id = $1::uuid and number = $13::int
  ), changed as (
    update finance_call set state = $3::finance_call_state, next_at = $4::timestamptz, parked_at = $5::timestamptz,
      abandoned_at = $6::timestamptz, looks = $7::int, reason = $8::text, output = $9::jsonb,
      announced_at = case when $10::boolean then coalesce(announced_at, $12::timestamptz) else announced_at end,
      updated_at = $12::timestamptz
    where id = $1::uuid and $2::boolean
    returning *
  ), remembered as (
    insert into remote_schedule (organization_id, schedule_id, stakeholder_id)
    select s.organization_id, made.id::uuid, (s.request #>> '{body,stakeholderId}')::uuid
    from changed s, jsonb_array_elements_text(jsonb_path_query_array(s.output, '$.*[*]')) as made(id)
    where $10::boolean and s.operation = 'schedules.createCredit'
      and made.id ~ $11::text and s.request #>> '{body,stakeholderId}' ~ $11::text
    on conflict do nothing
  )
  select ${CALL_COLUMNS} from changed c, before where $10::boolean and before.announced_at is null`;

const UUID_FORM = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** Calls to remote finance services and their attempts. */
@Injectable()
export class CallsRepository {
  /** Stores calls that are to be sent, now or later; those that exist already stay as they are. */
  async plan(tx: Transaction, calls: readonly NewCall[], now: Date): Promise<void> {
    await tx.financeCall.createMany({
      data: calls.map((call) => ({
        id: newId(),
        organizationId: call.organizationId,
        effectKey: call.effectKey,
        part: call.part,
        ...contentOf(call),
        state: 'planned',
        nextAt: now,
        createdAt: now,
        updatedAt: now,
      })),
      skipDuplicates: true,
    });
  }

  async find(
    tx: Transaction,
    { organizationId, effectKey, part }: CallName,
  ): Promise<StoredCall | undefined> {
    const [row] = await tx.$queryRaw<CallRow[]>`
      select ${COLUMNS} from finance_call c
      where c.organization_id = ${organizationId}::uuid and c.effect_key = ${effectKey} and c.part = ${part}`;
    return row && toCall(row);
  }

  /** The call, and nobody else changes it until the transaction ends. */
  async lock(
    tx: Transaction,
    { organizationId, effectKey, part }: CallName,
  ): Promise<StoredCall | undefined> {
    const [row] = await tx.$queryRaw<CallRow[]>`
      select ${COLUMNS} from finance_call c
      where c.organization_id = ${organizationId}::uuid and c.effect_key = ${effectKey} and c.part = ${part}
      for update`;
    return row && toCall(row);
  }

  /** As {@link lock}, by its identifier. @param organizationId the call of another organization is not found */
  async lockById(tx: Transaction, id: string, organizationId?: string): Promise<StoredCall | undefined> {
    const [row] = await tx.$queryRaw<CallRow[]>`
      select ${COLUMNS} from finance_call c
      where c.id = ${id}::uuid and c.organization_id = coalesce(${organizationId ?? null}::uuid, c.organization_id)
      for update`;
    return row && toCall(row);
  }

  /** All calls of an effect, by part. */
  async ofEffect(tx: Transaction, organizationId: string, effectKey: string): Promise<StoredCall[]> {
    const rows = await tx.$queryRaw<CallRow[]>`
      select ${COLUMNS} from finance_call c
      where c.organization_id = ${organizationId}::uuid and c.effect_key = ${effectKey}
      order by c.part`;
    return rows.map(toCall);
  }

  /** As {@link ofEffect}, and nobody else plans for the effect or changes its calls until the transaction ends. */
  async lockEffect(tx: Transaction, organizationId: string, effectKey: string): Promise<StoredCall[]> {
    await tx.$executeRaw`
      select pg_advisory_xact_lock(hashtextextended(${`finance-plan/${organizationId}/${effectKey}`}, 0))`;
    const rows = await tx.$queryRaw<CallRow[]>`
      select ${COLUMNS} from finance_call c
      where c.organization_id = ${organizationId}::uuid and c.effect_key = ${effectKey} order by c.part for update`;
    return rows.map(toCall);
  }

  /** Puts calls in the place of those that surely are not in effect; attempts at those stay on record. */
  async replace(
    tx: Transaction,
    before: readonly StoredCall[],
    calls: readonly NewCall[],
    now: Date,
  ): Promise<void> {
    const states = { looks: 0, reason: null, parkedAt: null, updatedAt: now };
    for (const { id, part } of before) {
      const call = calls.find((candidate) => candidate.part === part);
      const data = call
        ? { ...contentOf(call), ...states, state: 'planned' as const, nextAt: now, abandonedAt: null }
        : { ...states, state: 'refused' as const, nextAt: null, abandonedAt: now };
      await tx.financeCall.update({ where: { id }, data });
    }
    await this.plan(tx, calls, now);
  }

  /** Writes the intent to send a call: it may be in effect from now on. @returns the number of the attempt */
  async intend(
    tx: Transaction,
    call: StoredCall,
    sending: Pick<NewCall, 'content' | 'evidence' | 'deliveryId'> & { now: Date; nextAt: Date },
  ): Promise<number> {
    const { content, evidence, deliveryId, now, nextAt } = sending;
    const number = call.attempts + 1;
    // The service has nothing to do meanwhile: one statement.
    await tx.$executeRaw`
      with intended as (
        update finance_call
        set state = 'intended', attempts = ${number}::int, next_at = ${nextAt}, looks = 0, reason = null,
          operation = ${content.operation}, request = ${JSON.stringify(requestOf(content))}::jsonb,
          evidence = coalesce(${evidence ? JSON.stringify(evidence) : null}::jsonb, evidence),
          delivery_id = coalesce(${deliveryId ?? null}::uuid, delivery_id), updated_at = ${now}
        where id = ${call.id}::uuid
        returning id
      )
      insert into finance_attempt (call_id, number, sent_at) select id, ${number}::int, ${now} from intended`;
    return number;
  }

  /**
   * As {@link intend}, for a call that is not stored yet; committed when it returns.
   * @returns the call's identifier, of which this is the first attempt; undefined when there is one of that name
   */
  async intendNew(database: Database, call: NewCall, now: Date, nextAt: Date): Promise<string | undefined> {
    const { organizationId, effectKey, part, content, evidence, deliveryId } = call;
    const [made] = await database.query<{ id: string }>(INTEND_NEW, [
      newId(),
      organizationId,
      effectKey,
      part,
      content.operation,
      JSON.stringify(requestOf(content)),
      evidence ? JSON.stringify(evidence) : null,
      nextAt,
      deliveryId ?? null,
      now,
    ]);
    return made?.id;
  }

  /**
   * Writes what becomes of a call, which must be locked. One that is in effect now is told of in the feed, once for
   * ever.
   */
  change(tx: Transaction, call: StoredCall, change: CallChange, now: Date): Promise<void> {
    return this.write(tx, call, undefined, change, now);
  }

  /** Writes what came of an attempt, and what becomes of its call for it; see {@link change}. */
  endTry(
    tx: Transaction,
    call: StoredCall,
    ended: EndedTry,
    change: CallChange | undefined,
    now: Date,
  ): Promise<void> {
    return this.write(tx, call, ended, change, now);
  }

  private async write(
    tx: Transaction,
    call: StoredCall,
    ended: EndedTry | undefined,
    change: CallChange | undefined,
    now: Date,
  ): Promise<void> {
    const { state, nextAt, parkedAt, abandonedAt, looks, reason, output } = { ...call, ...change };
    const told = await queryWithin<CallRow>(tx, WRITE, [
      call.id,
      change !== undefined,
      state,
      nextAt,
      parkedAt,
      abandonedAt,
      looks,
      reason,
      JSON.stringify(output),
      change?.state === 'applied',
      UUID_FORM,
      now,
      ended?.number ?? null,
      ended?.outcome.kind ?? null,
      ended ? statusOf(ended.outcome) : null,
      ended ? replyOf(ended.outcome) : null,
    ]);
    await appendChanges(
      tx,
      told.map((row) => changeOfCall(toCall(row))),
      now,
    );
  }

  /** The delivery that waits for the call from now on. */
  async waitFor(tx: Transaction, id: string, deliveryId: string): Promise<void> {
    await tx.financeCall.update({ where: { id }, data: { deliveryId } });
  }

  /** The attempts at a call, which must be locked, and what is known to have come of them. */
  async tries(tx: Transaction, { id: callId, attempts }: StoredCall): Promise<Try[]> {
    // That of the only one is what is to be written.
    if (attempts === 1) return [{ number: 1, outcome: null }];
    const rows = await tx.financeAttempt.findMany({
      where: { callId },
      select: { number: true, outcome: true },
      orderBy: { number: 'asc' },
    });
    return rows.map(({ number, outcome }) => ({ number, outcome: outcome as Try['outcome'] }));
  }

  /**
   * Only one transaction at a time decides about receipts for one schedule, because what one of them does shows
   * in what is open for the next.
   */
  async lockReceipts(tx: Transaction, call: Beside): Promise<void> {
    const schedule = call.content.path?.['ScheduleId'] ?? '';
    await tx.$executeRaw`
      select pg_advisory_xact_lock(hashtextextended(${`finance-receipt/${call.organizationId}/${schedule}`}, 0))`;
  }

  /**
   * As it is now; for a decision {@link lockReceipts} first.
   * @returns when the other receipt for the schedule that is on its way or not settled may be; undefined: there is none
   */
  async otherReceipt(tx: Transaction, call: Beside): Promise<Date | undefined> {
    const [row] = await tx.$queryRaw<{ nextAt: Date }[]>(unsettledReceipt(call));
    return row?.nextAt;
  }

  /** @returns those of the records that other calls of the operation made */
  async claimed(tx: Transaction, call: Beside, ids: readonly string[]) {
    if (ids.length === 0) return new Set<string>();
    return recordsIn(await tx.$queryRaw<{ output: EffectOutput }[]>(makersOf(call, ids)));
  }

  /**
   * Other receipts for the schedule of a receipt, since what is open on it was read.
   * @returns values of those in effect since then; `unclear` when one may have been at work at that moment, or
   *   may be in effect
   */
  async otherReceipts(tx: Transaction, call: StoredCall): Promise<{ values: unknown[]; unclear: boolean }> {
    const readAt = new Date(call.evidence.readAt ?? 0);
    const rows = await tx.$queryRaw<OtherReceiptRow[]>(receiptsSince(call, readAt));
    const unclear = rows.some(({ state, sentAt }) => state !== 'applied' || !sentAt || sentAt <= readAt);
    return { values: rows.map(({ value }) => value), unclear };
  }

  /** Whether a call that makes records alike is on its way, so that what is found may be its own. */
  async twinOnItsWay(tx: Transaction, call: StoredCall): Promise<boolean> {
    const [row] = await tx.$queryRaw<{ found: boolean }[]>(twinOnItsWay(call));
    return row?.found === true;
  }

  /** Organizations with calls to be looked for. */
  async organizationsToLook(tx: Transaction, now: Date): Promise<string[]> {
    const rows = await tx.$queryRaw<{ id: string }[]>(organizationsToLook(now));
    return rows.map(({ id }) => id);
  }

  /**
   * Takes calls whose outcome nobody will tell any more, those that wait longest first. An intent whose sender
   * must have died becomes unknown. Nobody else takes them before `until`.
   */
  async takeToLook(
    tx: Transaction,
    organizationId: string,
    now: Date,
    until: Date,
    limit: number,
  ): Promise<StoredCall[]> {
    const rows = await tx.$queryRaw<CallRow[]>`
      with due as materialized (${dueCalls(organizationId, now, limit)})
      update finance_call c set state = 'unknown', next_at = ${until}, updated_at = ${now},
        reason = case when c.state = 'intended' then 'whoever sent it did not live to see what came of it'
          else c.reason end
      from due where c.id = due.id
      returning ${COLUMNS}`;
    return rows.map(toCall);
  }

  /** Only one transaction at a time takes records found for its own. */
  async lockFindings(tx: Transaction, organizationId: string): Promise<void> {
    await tx.$executeRaw`
      select pg_advisory_xact_lock(hashtextextended(${`finance-findings/${organizationId}`}, 0))`;
  }

  /** As {@link wake}; every delivery that was given up because of the call is to be worked on again. */
  async revive(
    tx: Transaction,
    {
      organizationId,
      effectKey,
      deliveryId,
    }: Pick<StoredCall, 'organizationId' | 'effectKey' | 'deliveryId'>,
    now: Date,
  ): Promise<void> {
    const refused = JSON.stringify([{ state: 'refused', effects: [effectKey] }]);
    await tx.$executeRaw`
      update delivery d set state = 'waiting', ready_at = ${now}, finished_at = null, lease_id = null
      where d.state = 'dead'
        and d.id = any(array(
          select id from open_delivery where organization_id = ${organizationId}::uuid and state = 'dead'))
        and (d.id = ${deliveryId}::uuid or exists (
          select 1 from run r where r.delivery_id = d.id and r.state = 'refused' and r.steps @> ${refused}::jsonb))`;
    await this.wake(tx, deliveryId, now);
  }

  /** Completes what an applied call is known to have made. */
  async complete(tx: Transaction, id: string, output: EffectOutput): Promise<void> {
    await tx.financeCall.updateMany({ where: { id, state: 'applied' }, data: { output: { ...output } } });
  }

  /** Lets the delivery that waits for a call be worked on now; where somebody is at it, once more afterwards. */
  async wake(tx: Transaction, deliveryId: string | null, now: Date): Promise<void> {
    if (deliveryId === null) return;
    await tx.$executeRaw`
      update delivery
      set woken = true, ready_at = case when lease_id is null then least(ready_at, ${now}) else ready_at end
      where id = ${deliveryId}::uuid and state = 'waiting'`;
  }
}

function toCall({ operation, request, evidence, ...row }: CallRow): StoredCall {
  const content: CallContent = { operation: operation as OperationId, ...request };
  return { ...row, content, evidence: evidence ?? {} };
}

function contentOf({ content, evidence, deliveryId }: NewCall) {
  return {
    operation: content.operation,
    request: requestOf(content),
    evidence: (evidence as Prisma.InputJsonObject | undefined) ?? Prisma.DbNull,
    deliveryId: deliveryId ?? null,
  };
}

/** As JSON data: what is undefined is not there. */
function requestOf({ path, body, digest }: CallContent): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify({ path, body, digest })) as Prisma.InputJsonObject;
}

function statusOf(outcome: WireOutcome): number | null {
  if (outcome.kind === 'refused') return outcome.problem.status;
  return outcome.kind === 'not-arrived' ? null : (outcome.status ?? null);
}

/** Without what the service says in its own words: those may hold personal data. */
function replyOf(outcome: WireOutcome): string | null {
  switch (outcome.kind) {
    case 'succeeded':
      return typeof outcome.value === 'string' ? outcome.value : null;
    case 'refused':
      return outcome.problem.code ?? null;
    case 'not-arrived':
    case 'unknown':
      return outcome.reason;
  }
}
