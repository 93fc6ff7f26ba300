import { Prisma } from '../../../database/client/client';
import type { EffectOutput } from '../../api/effects/effect';
import type { StoredCall } from './call-states';
import type { SentReceipt } from './own-receipts';

/*
 * How calls are found by what they are about. An organization has made hundreds of thousands of calls when it has
 * been served for a year, and statistics are stale just when much is going on. So each statement first names, by
 * itself, what one partial index holds (see the migration `remote_call_lookups`): no other plan is worth considering.
 */

/** The call beside which others are searched. */
export type Beside = Pick<StoredCall, 'id' | 'organizationId' | 'content'>;

/** Receipts for the schedule of a receipt that are on their way or not settled, beside it; the last due first. */
export function unsettledReceipt(call: Beside): Prisma.Sql {
  return Prisma.sql`
    with alike as materialized (${receiptsOfSchedule(call)})
    select next_at as "nextAt" from alike
    where state in ('intended', 'unknown') and parked_at is null and abandoned_at is null
      and id <> ${call.id}::uuid
    order by next_at desc limit 1`;
}

export interface OtherReceiptRow {
  readonly value: unknown;
  readonly sentAt: Date | null;
  readonly state: string;
}

/** Receipts for the schedule of a receipt, beside it, that may be in effect and were touched since an instant. */
export function receiptsSince(call: Beside, since: Date): Prisma.Sql {
  return Prisma.sql`
    with alike as materialized (${receiptsOfSchedule(call)})
    select request #> '{body,value}' as value, state::text as state,
      (select sent_at from finance_attempt a where a.call_id = alike.id and a.number = alike.attempts) as "sentAt"
    from alike
    where state in ('intended', 'unknown', 'applied') and updated_at >= ${since} and id <> ${call.id}::uuid`;
}

function receiptsOfSchedule({ organizationId, content }: Beside): Prisma.Sql {
  return Prisma.sql`
    select * from finance_call
    where operation = 'receipts.registerForSchedule' and organization_id = ${organizationId}::uuid
      and request #>> '{path,ScheduleId}' = ${content.path?.['ScheduleId'] ?? ''}`;
}

export interface OwnReceiptRow extends SentReceipt {
  readonly scheduleId: string;
  readonly value: unknown;
  readonly state: 'intended' | 'unknown' | 'applied';
  readonly leftToPerson: boolean;
  readonly sentAt: Date;
  readonly endedAt: Date;
  readonly nextAt: Date | null;
  readonly openValue: string | null;
}

/**
 * All receipts for schedules that are, or may be, in effect, however long ago. Each schedule is looked up by itself:
 * for a list of them PostgreSQL 15 without statistics reads all calls of the organization.
 */
export function ownReceipts(organizationId: string, scheduleIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    with own as materialized (
      select receipt.* from unnest(${[...scheduleIds]}::text[]) as schedule(id)
      cross join lateral (
        select * from finance_call
        where operation = 'receipts.registerForSchedule' and organization_id = ${organizationId}::uuid
          and request #>> '{path,ScheduleId}' = schedule.id
        offset 0
      ) receipt
    )
    select id::text as id, attempts, request #>> '{path,ScheduleId}' as "scheduleId", request #> '{body,value}' as value, state::text as state,
      parked_at is not null or abandoned_at is not null as "leftToPerson",
      coalesce((select sent_at from finance_attempt a where a.call_id = own.id and a.number = own.attempts),
        updated_at) as "sentAt",
      coalesce((select ended_at from finance_attempt a where a.call_id = own.id and a.number = own.attempts),
        updated_at) as "endedAt",
      next_at as "nextAt", evidence ->> 'openValue' as "openValue"
    from own where state in ('intended', 'unknown', 'applied')`;
}

/** The receipts for the schedule of a receipt, beside it, that are or may be in effect: {@link SentReceipt}. */
export function otherReceiptsOf(call: Beside): Prisma.Sql {
  return Prisma.sql`
    with alike as materialized (${receiptsOfSchedule(call)})
    select id::text as id, attempts from alike
    where state in ('intended', 'unknown', 'applied') and id <> ${call.id}::uuid`;
}

/** When the call was over that made a schedule; found by the index of what calls made. */
export function madeAt(organizationId: string, scheduleId: string): Prisma.Sql {
  return Prisma.sql`
    with makers as materialized (
      select id, organization_id, attempts, updated_at from finance_call
      where state = 'applied' and operation in ('customers.create', 'schedules.createCredit', 'accounts.create')
        and jsonb_path_query_array(output, '$.*[*]') ?| ${[scheduleId]}
    )
    select coalesce((select ended_at from finance_attempt a where a.call_id = m.id and a.number = m.attempts),
      m.updated_at) as "madeAt"
    from makers m where m.organization_id = ${organizationId}::uuid
    order by 1 desc limit 1`;
}

/** Outputs of other calls of a call's operation that made one of the records. */
export function makersOf(call: Beside, recordIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    with makers as materialized (
      select id, organization_id, operation, output from finance_call
      where state = 'applied' and operation in ('customers.create', 'schedules.createCredit', 'accounts.create')
        and jsonb_path_query_array(output, '$.*[*]') ?| ${[...recordIds]}
    )
    select output from makers
    where organization_id = ${call.organizationId}::uuid and operation = ${call.content.operation}
      and id <> ${call.id}::uuid`;
}

/** All records that outputs name. */
export function recordsIn(outputs: readonly { readonly output: EffectOutput }[]): Set<string> {
  return new Set(
    outputs.flatMap(({ output: { id, all } }) => [...(id === undefined ? [] : [id]), ...(all ?? [])]),
  );
}

/** Whether another call of the operation, for the same customer where it is for one, is on its way. */
export function twinOnItsWay(call: Beside): Prisma.Sql {
  const customer = (call.content.body as { stakeholderId?: string } | undefined)?.stakeholderId ?? null;
  return Prisma.sql`
    with sent as materialized (
      select id, operation, request from finance_call
      where state = 'intended' and organization_id = ${call.organizationId}::uuid
    )
    select exists (
      select 1 from sent
      where operation = ${call.content.operation} and id <> ${call.id}::uuid
        and (request #>> '{body,stakeholderId}') is not distinct from ${customer}) as found`;
}

/** Whether a call of another effect that updates a cost center is sent, or may be in effect. */
export function costCenterUpdate(
  organizationId: string,
  costCenterId: string,
  effectKey: string,
): Prisma.Sql {
  return Prisma.sql`
    with unsettled as materialized (
      select operation, request, effect_key from finance_call
      where state in ('intended', 'unknown') and organization_id = ${organizationId}::uuid and abandoned_at is null
    )
    select exists (
      select 1 from unsettled
      where operation = 'costCenters.update' and effect_key <> ${effectKey}
        and request #>> '{path,CostCenterId}' = ${costCenterId}) as found`;
}

/** Organizations with calls to be read back. */
export function organizationsToReconcile(now: Date): Prisma.Sql {
  return Prisma.sql`
    with due as materialized (
      select organization_id from finance_call
      where state in ('intended', 'unknown') and parked_at is null and next_at <= ${now}
    )
    select distinct organization_id::text as id from due`;
}

/** Calls of an organization to be read back, those that wait longest first; nobody else takes them meanwhile. */
export function dueCalls(organizationId: string, now: Date, limit: number): Prisma.Sql {
  return Prisma.sql`
    select id from finance_call
    where state in ('intended', 'unknown') and parked_at is null and organization_id = ${organizationId}::uuid
      and next_at <= ${now}
    order by next_at limit ${limit} for update skip locked`;
}
