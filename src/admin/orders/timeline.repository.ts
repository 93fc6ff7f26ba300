import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../../database/along-an-index';
import type { DeliveryState } from '../../database/client/client';
import type { Transaction } from '../../database/transaction';
import { type DeliveryOrigin, ORIGIN } from '../../deliveries/reserved-attributes';
import type { RunSnapshot } from '../../deliveries/delivery-requeue.repository';
import { MONEY_FACTS } from '../../deliveries/money-facts.repository';
import type { MoneyFacts } from '../../events/money-facts';
import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import type { StepRecord } from '../../workflows/step-record';

/** A message about it. */
export interface TimelineDelivery {
  readonly id: string;
  readonly sourceId: string;
  readonly origin: DeliveryOrigin;
  readonly topic: string;
  readonly state: DeliveryState;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly receivedAt: Date;
  readonly hasBody: boolean;
  /** How often its sender sent it again, and when last. */
  readonly repeats: number;
  readonly lastRepeatAt: Date | null;
}

/** A rule's last run on one of them. */
export interface TimelineRunRow {
  readonly id: string;
  readonly deliveryId: string;
  readonly eventIndex: number;
  readonly event: string;
  readonly rule: string;
  readonly version: number;
  readonly state: 'running' | 'done' | 'refused';
  readonly reason: string | null;
  readonly finishedAt: Date | null;
  readonly steps: readonly StepRecord[];
  /** Business keys of what it planned. */
  readonly planned: readonly string[];
}

/** An effect's record. */
export interface TimelineEffectRow {
  readonly key: string;
  readonly operation: string;
  readonly state: string;
  readonly amountMinor: bigint | null;
  readonly output: { readonly id?: string; readonly all?: readonly string[] };
  readonly runId: string;
  readonly reason: string | null;
  readonly updatedAt: Date;
}

/** A record of an order in Ponte's own books. */
export interface BookedRow {
  readonly id: string;
  readonly type: 'schedule' | 'receipt' | 'payment' | 'transfer' | 'discount' | 'reversal';
  readonly minor: bigint;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly description: string | null;
  readonly createdAt: Date;
  /** Of a schedule. */
  readonly openMinor: bigint | null;
  readonly reversesId: string | null;
  readonly toAccount: { id: string; name: string } | null;
  readonly fromAccount: { id: string; name: string } | null;
}

export interface AuditRow {
  readonly at: Date;
  readonly action: string;
  readonly subject: string;
  readonly actor: string;
  readonly reason: string | null;
  /** Of a delivery that was put back to work: how its runs stood. */
  readonly runs: readonly RunSnapshot[];
}

/** Reads the life of an order or payout, each kind of record along an index, and no more than is asked for. */
@Injectable()
export class TimelineReads {
  /** What the sources say of its money; of several, the newest first. */
  async facts(tx: Transaction, sourceIds: readonly string[], key: string): Promise<MoneyFacts[]> {
    await alongAnIndex(tx);
    return tx.$queryRaw<MoneyFacts[]>`
      select ${MONEY_FACTS} from money_facts where source_id = any(${[...sourceIds]}::uuid[]) and key = ${key}
      order by as_of desc, source_id`;
  }

  /** The newest deliveries that speak of it, newest first. @param limit how many are read, also of those that no longer do */
  deliveries(
    tx: Transaction,
    { id }: Organization,
    key: string,
    limit: number,
  ): Promise<(TimelineDelivery & { stillSpeaks: boolean })[]> {
    return tx.$queryRaw<(TimelineDelivery & { stillSpeaks: boolean })[]>`
      select d.id::text as id, d.source_id::text as "sourceId", coalesce(d.attributes ->> ${ORIGIN}, 'webhook') as origin,
        d.topic, d.state::text as state, d.outcome, d.reason, d.received_at as "receivedAt",
        coalesce(d.business_key = ${key}, false) as "stillSpeaks",
        exists (select from delivery_body b where b.organization_id = d.organization_id and b.id = d.id) as "hasBody",
        coalesce(r.count, 0) as repeats, r.last_at as "lastRepeatAt"
      from (
        select e.id, e.received_at from entity_delivery e
        where e.organization_id = ${id}::uuid and e.business_key = ${key}
        order by e.received_at desc, e.id desc limit ${limit}
      ) e
      cross join lateral (select * from delivery d where d.id = e.id offset 0) d
      left join lateral (select * from delivery_repeat r where r.delivery_id = e.id offset 0) r on true
      order by e.received_at desc, e.id desc`;
  }

  runs(
    tx: Transaction,
    deliveryIds: readonly string[],
    key: string,
    limit: number,
  ): Promise<TimelineRunRow[]> {
    return tx.$queryRaw<TimelineRunRow[]>`
      select id::text as id, delivery_id::text as "deliveryId", event_index as "eventIndex", event_type as event, rule, rule_version as version,
        state::text as state, reason, finished_at as "finishedAt", steps,
        jsonb_path_query_array(plan, '$.steps[*].effects[*].key') as planned
      from run where delivery_id = any(${[...deliveryIds]}::uuid[]) and business_key = ${key}
      order by delivery_id desc, event_index, rule limit ${limit}`;
  }

  effects(tx: Transaction, { id }: Organization, keys: readonly string[]): Promise<TimelineEffectRow[]> {
    return tx.$queryRaw<TimelineEffectRow[]>`
      select key, operation, state::text as state, amount_minor as "amountMinor", output, run_id::text as "runId", reason,
        updated_at as "updatedAt"
      from effect where organization_id = ${id}::uuid and key = any(${[...keys]}::text[])`;
  }

  calls(tx: Transaction, { id }: Organization, keys: readonly string[]) {
    return tx.financeCall.findMany({
      where: { organizationId: id, effectKey: { in: [...keys] } },
      select: { id: true, effectKey: true, part: true, state: true, abandonedAt: true, announcedAt: true },
      orderBy: [{ effectKey: 'asc' }, { part: 'asc' }],
    });
  }

  approvals(tx: Transaction, { id }: Organization, keys: readonly string[]) {
    return tx.approval.findMany({
      where: { organizationId: id, effectKey: { in: [...keys] } },
      omit: { plan: true },
    });
  }

  /** In no order: asked for one, the database may walk through those of all others by their identifiers. */
  attention(tx: Transaction, { id }: Organization, key: string, limit: number) {
    return tx.attention.findMany({ where: { organizationId: id, businessKey: key }, take: limit });
  }

  /** Newest first. @param subjects what it was done to */
  audit(
    tx: Transaction,
    { id }: Organization,
    subjects: readonly string[],
    limit: number,
  ): Promise<AuditRow[]> {
    return tx.$queryRaw<AuditRow[]>`
      select a.at, a.action, a.subject, a.actor, a.reason, coalesce(a.before -> 'runs', '[]') as runs
      from unnest(${[...subjects]}::text[]) as s(subject)
      cross join lateral (
        select * from audit_entry a where a.organization_id = ${id}::uuid and a.subject = s.subject
        order by a.at desc, a.id desc limit ${limit}
      ) a
      order by a.at desc, a.id desc limit ${limit}`;
  }

  /**
   * What stands in Ponte's own books: the records that effects made, what was booked on those that are schedules, whoever did
   * it, and what takes any of that back.
   * @returns newest first
   */
  booked(
    tx: Transaction,
    { id }: Organization,
    records: readonly string[],
    limit: number,
  ): Promise<BookedRow[]> {
    const ids = [...records];
    return tx.$queryRaw<BookedRow[]>`
      with s as materialized (
        select * from schedule where id = any(${ids}::uuid[]) and organization_id = ${id}::uuid
      ), found as materialized (
        select e.id from entry e where e.id = any(${ids}::uuid[])
        union select e.id from s join entry e on e.debit_id = s.id
        union select e.id from s join entry e on e.credit_id = s.id
      ), e as materialized (
        select * from entry e where e.id in (select id from found)
        union select r.* from found f join entry r on r.reverses_id = f.id
      ), booked as (
        select s.id, 'schedule' as type, s.value_minor as minor, s.due_date as date, s.description, s.created_at, s.open_minor,
          null::uuid as reverses_id, null::uuid as debit_account, null::uuid as credit_account
        from s
        union all
        select e.id, e.kind::text, e.amount_minor, e.date, e.description, e.created_at, null, e.reverses_id,
          case when e.debit_book = 'account' then e.debit_id end, case when e.credit_book = 'account' then e.credit_id end
        from e where e.organization_id = ${id}::uuid and e.kind not in ('opening', 'receivable', 'payable')
      )
      select b.id::text as id, b.type, b.minor, to_char(b.date, 'YYYY-MM-DD') as date, b.description,
        b.created_at as "createdAt", b.open_minor as "openMinor", b.reverses_id::text as "reversesId",
        case when d.id is not null then jsonb_build_object('id', d.id, 'name', d.name) end as "toAccount",
        case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end as "fromAccount"
      from booked b left join account d on d.id = b.debit_account left join account c on c.id = b.credit_account
      order by b.created_at desc, b.id desc limit ${limit}`;
  }

  /** What is open of a remote service's schedules, in minor units, as change detection saw them last; undefined: not all were seen. */
  async observedOpen(
    tx: Transaction,
    { id, currency }: Organization,
    schedules: readonly string[],
  ): Promise<bigint | undefined> {
    const decimals = Money.exponentOf(currency);
    const rows = await tx.$queryRaw<{ open: bigint }[]>`
      select case when gone then 0::bigint
        else round((data ->> 'openValue')::numeric * power(10::numeric, ${decimals}::int))::bigint end as open
      from watch_record
      where organization_id = ${id}::uuid and kind = 'customer-schedules' and record_id = any(${[...schedules]}::uuid[])
        and (data ->> 'openValue') ~ '^[0-9]{1,15}([.][0-9]{1,6})?$'`;
    if (schedules.length === 0 || rows.length < new Set(schedules).size) return undefined;
    return rows.reduce((sum, { open }) => sum + open, 0n);
  }

  /** The name of a customer in Ponte's own books. */
  async customerName(tx: Transaction, { id }: Organization, customer: string): Promise<string | undefined> {
    const row = await tx.stakeholder.findFirst({
      where: { id: customer, organizationId: id },
      select: { name: true },
    });
    return row?.name;
  }
}
