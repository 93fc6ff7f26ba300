import { Injectable } from '@nestjs/common';
import { Prisma } from '../database/client/client';
import type { Transaction } from '../database/transaction';
import { lowestIdAt } from '../kernel/identifier';
import { BodyMonth } from './body-month';

/** Any number; nothing else takes the same. */
const LOCK = 72_707_370;
/** Bodies that are carried over when their month is dropped: so few that intake need not notice. */
export const MOST_CARRIED = 10_000;

/**
 * The tables of months that `delivery_body` consists of. Making and dropping one takes locks that intake waits for, so
 * each is a short transaction of its own, which gives up when it does not get them soon. Replicas do it one after another.
 */
@Injectable()
export class BodyMonths {
  /** The months there are, oldest first. */
  async existing(tx: Transaction): Promise<BodyMonth[]> {
    const rows = await tx.$queryRaw<{ table: string }[]>`
      select c.relname::text as "table" from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'delivery_body'::regclass order by 1`;
    return rows.flatMap(({ table }) => BodyMonth.ofTable(table) ?? []);
  }

  /**
   * Makes the table of a month unless it is there. What arrived in that month before stands with what has no month;
   * it moves in.
   * @returns whether this call made it
   */
  async make(tx: Transaction, month: BodyMonth): Promise<boolean> {
    await this.lockUpkeep(tx);
    const existing = await this.existing(tx);
    if (existing.some(({ name }) => name === month.name)) return false;
    const table = Prisma.raw(month.table);
    const [low, high] = [lowestIdAt(month.start), lowestIdAt(month.end)];
    await tx.$executeRaw`create table ${table} (like delivery_body including all)`;
    await tx.$executeRaw`lock table delivery_body_default in access exclusive mode`;
    await tx.$executeRaw`
      with moved as (
        delete from delivery_body_default where id >= ${low}::uuid and id < ${high}::uuid
        returning organization_id, id, body
      )
      insert into ${table} (organization_id, id, body) select * from moved`;
    await tx.$executeRaw`
      alter table delivery_body attach partition ${table}
      for values from (${Prisma.raw(`'${low}'`)}) to (${Prisma.raw(`'${high}'`)})`;
    return true;
  }

  /**
   * Drops the table of a month with everything in it, but for the bodies of deliveries that are not settled: those go on
   * with what has no month.
   * @returns how many bodies went with it, as PostgreSQL reckons (counting them would mean reading them), and how many
   *   stay; undefined when it is gone already, or holds more of these than can be carried over
   */
  async drop(
    tx: Transaction,
    month: BodyMonth,
    now: Date,
  ): Promise<{ gone: number; carried: number } | undefined> {
    await this.lockUpkeep(tx);
    if (!(await this.existing(tx)).some(({ name }) => name === month.name)) return undefined;
    const all = await this.reckon(tx, month);
    // From here on intake waits. Nothing that is being put back to work can have been read before this.
    await tx.$executeRaw`lock table delivery_body in access exclusive mode`;
    const carried = await this.unsettled(tx, month);
    if (carried.length > MOST_CARRIED) return undefined;
    const table = Prisma.raw(month.table);
    await tx.$executeRaw`alter table delivery_body detach partition ${table}`;
    await tx.$executeRaw`
      insert into delivery_body_default (organization_id, id, body, fetched)
      select b.organization_id, b.id, b.body, b.fetched from ${table} b where b.id = any(${carried}::uuid[])`;
    await tx.$executeRaw`drop table ${table}`;
    await tx.$executeRaw`
      insert into dropped_body_month (month, dropped_at) values (${month.name}, ${now})
      on conflict (month) do nothing`;
    return { gone: Math.max(0, all - carried.length), carried: carried.length };
  }

  private async lockUpkeep(tx: Transaction): Promise<void> {
    await tx.$executeRaw`select set_config('lock_timeout', '2s', true)`;
    await tx.$executeRaw`select pg_advisory_xact_lock(${LOCK})`;
  }

  private async reckon(tx: Transaction, month: BodyMonth): Promise<number> {
    const [row] = await tx.$queryRaw<{ count: number }[]>`
      select reltuples::int as count from pg_class where oid = ${month.table}::regclass`;
    return row?.count ?? 0;
  }

  /** Of the month's bodies those whose deliveries may still be worked on; not many more than can be carried over. */
  private async unsettled(tx: Transaction, month: BodyMonth): Promise<string[]> {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      select d.id::text as id from open_delivery d
      where d.id >= ${lowestIdAt(month.start)}::uuid and d.id < ${lowestIdAt(month.end)}::uuid
        and d.state in ('waiting', 'dead')
      limit ${MOST_CARRIED + 1}`;
    return rows.map(({ id }) => id);
  }
}
