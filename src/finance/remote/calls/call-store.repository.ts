import { Injectable } from '@nestjs/common';
import { Prisma } from '../../../database/client/client';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { newId } from '../../../kernel/identifier';
import type { EffectOutput } from '../../api/effects/effect';
import type { Organization } from '../../../kernel/organization';
import type { CallName, Evidence } from './call';
import {
  type Beside,
  costCenterUpdate,
  dueCalls,
  madeAt,
  makersOf,
  organizationsToReconcile,
  type OtherReceiptRow,
  otherReceiptsOf,
  ownReceipts,
  type OwnReceiptRow,
  receiptsSince,
  recordsIn,
  twinOnItsWay,
  unsettledReceipt,
} from './call-lookups.repository';
import { next } from './call-machine';
import { CALL_COLUMNS, type CallRow, type NewCall, requestOf, storedState, toCall } from './call-rows.sql';
import type { StoredCall, Try } from './call-states';
import { digestOfReceipts, type OwnReceipt, type SentReceipt } from './own-receipts';
import { moneyOf } from '../reads/remote-reads';

const COLUMNS = Prisma.raw(CALL_COLUMNS);

/** Calls that are not decided, by the label of their metric. */
type OpenCounts = Record<'intended' | 'unknown' | 'parked', number>;

/** What is counted for metrics is counted no further than this. */
const MOST_COUNTED = 10_000;

/** Calls to remote finance services, their attempts, and the schedules that they made. */
@Injectable()
export class CallStore {
  constructor(private readonly database: Database) {}

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

  async find(tx: Transaction, name: CallName): Promise<StoredCall | undefined> {
    return (await select(tx, named(name)))[0];
  }

  /** The call, and nobody else changes it until the transaction ends. */
  async lock(tx: Transaction, name: CallName): Promise<StoredCall | undefined> {
    return (await select(tx, Prisma.sql`${named(name)} for update`))[0];
  }

  /** As {@link lock}, by its identifier. @param organizationId the call of another organization is not found */
  async lockById(tx: Transaction, id: string, organizationId?: string): Promise<StoredCall | undefined> {
    const own = Prisma.sql`c.organization_id = coalesce(${organizationId ?? null}::uuid, c.organization_id)`;
    return (await select(tx, Prisma.sql`c.id = ${id}::uuid and ${own} for update`))[0];
  }

  /** All calls of an effect, by part. */
  async ofEffect(tx: Transaction, organizationId: string, effectKey: string): Promise<StoredCall[]> {
    return select(tx, Prisma.sql`${ofEffect(organizationId, effectKey)} order by c.part`);
  }

  /** As {@link ofEffect}, and nobody else plans for the effect or changes its calls until the transaction ends. */
  async lockEffect(tx: Transaction, organizationId: string, effectKey: string): Promise<StoredCall[]> {
    await lockName(tx, `finance-plan/${organizationId}/${effectKey}`);
    return select(tx, Prisma.sql`${ofEffect(organizationId, effectKey)} order by c.part for update`);
  }

  /** Puts calls in the place of those that surely are not in effect; attempts at those stay on record. */
  async replace(
    tx: Transaction,
    before: readonly StoredCall[],
    calls: readonly NewCall[],
    now: Date,
  ): Promise<void> {
    for (const { id, part, state } of before) {
      const call = calls.find((candidate) => candidate.part === part);
      const after = next(state, call ? 'replanned' : 'left-out');
      const fields = {
        state: storedState({ state: after, abandonedFrom: 'rejected' }),
        needsReviewAt: null,
        abandonedAt: call ? null : now,
        nextAt: call ? now : null,
        reconcileAttempts: 0,
        reason: null,
        updatedAt: now,
      };
      await tx.financeCall.update({ where: { id }, data: { ...fields, ...(call && contentOf(call)) } });
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
    const state = storedState({ ...call, state: next(call.state, 'sent') });
    // The service has nothing to do meanwhile: one statement.
    await tx.$executeRaw`
      with intended as (
        update finance_call
        set state = ${state}::finance_call_state, attempts = ${number}::int, next_at = ${nextAt}, looks = 0, reason = null,
          operation = ${content.operation}, request = ${JSON.stringify(requestOf(content))}::jsonb,
          evidence = coalesce(${evidence ? JSON.stringify(evidence) : null}::jsonb, evidence),
          delivery_id = coalesce(${deliveryId ?? null}::uuid, delivery_id), updated_at = ${now}
        where id = ${call.id}::uuid
        returning id
      )
      insert into finance_attempt (call_id, number, sent_at) select id, ${number}::int, ${now} from intended`;
    return number;
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
    return rows.map(({ number, outcome }) => ({
      number,
      outcome: outcome === 'not-arrived' ? 'not-sent' : (outcome as Try['outcome']),
    }));
  }

  /**
   * Only one transaction at a time decides about receipts for one schedule, because what one of them does shows
   * in what is open for the next.
   */
  async lockReceipts(tx: Transaction, call: Beside): Promise<void> {
    const schedule = call.content.path?.['ScheduleId'] ?? '';
    await lockName(tx, `finance-receipt/${call.organizationId}/${schedule}`);
  }

  /**
   * As it is now; for a decision {@link lockReceipts} first.
   * @returns when the other receipt for the schedule that is on its way or not settled may be; undefined: there is none
   */
  async otherReceipt(tx: Transaction, call: Beside): Promise<Date | undefined> {
    const [row] = await tx.$queryRaw<{ nextAt: Date }[]>(unsettledReceipt(call));
    return row?.nextAt;
  }

  /** Whether an update of a cost center by another effect is on its way, or may still take effect. */
  async isUpdated(
    tx: Transaction,
    organizationId: string,
    costCenterId: string,
    effectKey: string,
  ): Promise<boolean> {
    const [row] = await tx.$queryRaw<{ found: boolean }[]>(
      costCenterUpdate(organizationId, costCenterId, effectKey),
    );
    return row?.found === true;
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
    if (call.evidence.receipts !== undefined && (await this.isCurrent(tx, call, call.evidence)))
      return { values: [], unclear: false };
    const readAt = new Date(call.evidence.readAt ?? 0);
    const rows = await tx.$queryRaw<OtherReceiptRow[]>(receiptsSince(call, readAt));
    const unclear = rows.some(({ state, sentAt }) => state !== 'applied' || !sentAt || sentAt <= readAt);
    return { values: rows.map(({ value }) => value), unclear };
  }

  /**
   * Whether what was read before a receipt is sent is still the whole truth of Ponte's own receipts for its schedule;
   * for a decision {@link lockReceipts} first. What was read without regard to them counts as current.
   */
  async isCurrent(tx: Transaction, call: Beside, { receipts }: Evidence): Promise<boolean> {
    if (receipts === undefined) return true;
    return digestOfReceipts(await tx.$queryRaw<SentReceipt[]>(otherReceiptsOf(call))) === receipts;
  }

  /** Receipts by schedule that are, or may be, in effect. @param scheduleIds UUIDs in lower case */
  async ownReceipts(
    tx: Transaction,
    { id, currency }: Pick<Organization, 'id' | 'currency'>,
    scheduleIds: readonly string[],
  ): Promise<Map<string, OwnReceipt[]>> {
    const rows = await tx.$queryRaw<OwnReceiptRow[]>(ownReceipts(id, scheduleIds));
    const bySchedule = new Map<string, OwnReceipt[]>();
    for (const { scheduleId, value, openValue, ...receipt } of rows) {
      const minor = moneyOf(value, currency)?.minor ?? 0n;
      const others = bySchedule.get(scheduleId) ?? [];
      others.push({ ...receipt, minor, openMinorBefore: moneyOf(openValue, currency)?.minor });
      bySchedule.set(scheduleId, others);
    }
    return bySchedule;
  }

  /** When Ponte was done making a schedule; undefined when it did not make it. */
  async madeAt(tx: Transaction, organizationId: string, scheduleId: string): Promise<Date | undefined> {
    const [row] = await tx.$queryRaw<{ madeAt: Date }[]>(madeAt(organizationId, scheduleId));
    return row?.madeAt;
  }

  /** Whether a call that makes records alike is on its way, so that what is found may be its own. */
  async twinOnItsWay(tx: Transaction, call: StoredCall): Promise<boolean> {
    const [row] = await tx.$queryRaw<{ found: boolean }[]>(twinOnItsWay(call));
    return row?.found === true;
  }

  /** Organizations with calls to be read back. */
  async organizationsToReconcile(tx: Transaction, now: Date): Promise<string[]> {
    const rows = await tx.$queryRaw<{ id: string }[]>(organizationsToReconcile(now));
    return rows.map(({ id }) => id);
  }

  /**
   * Leases calls whose outcome no sender will report any more, those that wait longest first. An intent whose sender
   * must have died becomes unknown. Nobody else takes them before `until`.
   */
  async takeToReconcile(
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

  /** Renews the leases that {@link takeToReconcile} gave, where they still stand. @param held until when they did */
  async renewLeases(tx: Transaction, ids: readonly string[], held: Date, until: Date): Promise<void> {
    if (ids.length === 0) return;
    await tx.$executeRaw`
      update finance_call set next_at = ${until}
      where id = any(${[...ids]}::uuid[]) and state = 'unknown' and parked_at is null and next_at = ${held}`;
  }

  /** Only one transaction at a time takes records found for its own. */
  async lockFindings(tx: Transaction, organizationId: string): Promise<void> {
    await lockName(tx, `finance-findings/${organizationId}`);
  }

  /**
   * As {@link wake}; every delivery that was given up because of the call is to be worked on again, and a deferred effect
   * that was refused because of it is tried again.
   */
  async revive(tx: Transaction, { organizationId, effectKey, deliveryId }: StoredCall): Promise<void> {
    const refused = JSON.stringify([{ state: 'refused', effects: [effectKey] }]);
    await tx.$executeRaw`
      update delivery d set state = 'waiting', ready_at = date_trunc('milliseconds', clock_timestamp()), finished_at = null, lease_id = null
      where d.state = 'dead'
        and d.id = any(array(
          select id from open_delivery where organization_id = ${organizationId}::uuid and state = 'dead'))
        and (d.id = ${deliveryId}::uuid or exists (
          select 1 from run r where r.delivery_id = d.id and r.state = 'refused' and r.steps @> ${refused}::jsonb))`;
    await tx.$executeRaw`
      update deferred_effect
      set state = 'waiting', finished_at = null, ready_at = date_trunc('milliseconds', clock_timestamp())
      where organization_id = ${organizationId}::uuid and key = ${effectKey} and state = 'refused'`;
    await this.wake(tx, deliveryId);
  }

  /** Completes what an applied call is known to have made. */
  async complete(tx: Transaction, id: string, output: EffectOutput): Promise<void> {
    await tx.financeCall.updateMany({ where: { id, state: 'applied' }, data: { output: { ...output } } });
  }

  /**
   * Lets the delivery that waits for a call be worked on now, by the database's clock; where somebody is at it, once more
   * afterwards.
   */
  async wake(tx: Transaction, deliveryId: string | null): Promise<void> {
    if (deliveryId === null) return;
    await tx.$executeRaw`
      update delivery
      set woken = true, ready_at = case when lease_id is null then least(ready_at, date_trunc('milliseconds', clock_timestamp()))
          else ready_at end
      where id = ${deliveryId}::uuid and state = 'waiting'`;
  }

  /** Remembers whom schedules are about: the service lists schedules only by customer. */
  async putSchedules(
    tx: Transaction,
    organizationId: string,
    stakeholderId: string,
    scheduleIds: readonly string[],
  ): Promise<void> {
    await tx.remoteSchedule.createMany({
      data: scheduleIds.map((scheduleId) => ({ organizationId, scheduleId, stakeholderId })),
      skipDuplicates: true,
    });
  }

  /** @returns customers by schedule; without the schedules that Ponte does not know */
  async stakeholdersOf(organizationId: string, scheduleIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.prisma.remoteSchedule.findMany({
      where: { organizationId, scheduleId: { in: [...scheduleIds] } },
    });
    return new Map(rows.map(({ scheduleId, stakeholderId }) => [scheduleId, stakeholderId]));
  }

  /** How many calls of all organizations are not decided; {@link MOST_COUNTED}: at least so many. */
  async countOpen(): Promise<OpenCounts> {
    const upTo = (condition: Prisma.Sql): Prisma.Sql =>
      Prisma.sql`(select count(*)::int from (select from finance_call where ${condition} limit ${MOST_COUNTED}) c)`;
    const [row] = await this.database.prisma.$queryRaw<OpenCounts[]>`
      select
        ${upTo(Prisma.sql`state = 'intended'`)} as intended,
        ${upTo(Prisma.sql`state = 'unknown' and parked_at is null`)} as unknown,
        ${upTo(Prisma.sql`parked_at is not null and abandoned_at is null`)} as parked`;
    return row ?? { intended: 0, unknown: 0, parked: 0 };
  }
}

async function select(tx: Transaction, condition: Prisma.Sql): Promise<StoredCall[]> {
  const rows = await tx.$queryRaw<CallRow[]>`select ${COLUMNS} from finance_call c where ${condition}`;
  return rows.map(toCall);
}

function named({ organizationId, effectKey, part }: CallName): Prisma.Sql {
  return Prisma.sql`${ofEffect(organizationId, effectKey)} and c.part = ${part}`;
}

function ofEffect(organizationId: string, effectKey: string): Prisma.Sql {
  return Prisma.sql`c.organization_id = ${organizationId}::uuid and c.effect_key = ${effectKey}`;
}

/** Nobody else has the name until the transaction ends. */
async function lockName(tx: Transaction, name: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

function contentOf({ content, evidence, deliveryId }: NewCall) {
  return {
    operation: content.operation,
    request: requestOf(content),
    evidence: (evidence as Prisma.InputJsonObject | undefined) ?? Prisma.DbNull,
    deliveryId: deliveryId ?? null,
  };
}
