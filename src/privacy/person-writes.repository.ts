import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import type { Transaction } from '../database/transaction';
import { ERASED_KEY, type Person } from './person';

/** What an erasure still has to wait for. */
export interface Unsettled {
  waiting: number;
  dead: number;
  approvals: number;
  calls: number;
}

/** Business keys under which the person was a customer, with those that take their place. */
export function keysErased({ customerEffects, known }: Person, erasureId: string): Record<string, string> {
  return Object.fromEntries(
    [...new Set([...customerEffects, ...known.literals.map((digest) => `customer/document/${digest}`)])].map(
      (key) => [key, `${ERASED_KEY}${hash('sha256', `${erasureId}/${key}`, 'hex').slice(0, 32)}`],
    ),
  );
}

/** Overwrites and removes what is a person's own. */
@Injectable()
export class PersonWrites {
  /** What of the person's deliveries is not settled. */
  async unsettled(tx: Transaction, { deliveries }: Person): Promise<Unsettled> {
    const ids = [...deliveries];
    const [row] = await tx.$queryRaw<Unsettled[]>`
      select
        (select count(*)::int from open_delivery where id = any(${ids}::uuid[]) and state = 'waiting') as waiting,
        (select count(*)::int from open_delivery where id = any(${ids}::uuid[]) and state = 'dead') as dead,
        (select count(*)::int from approval where delivery_id = any(${ids}::uuid[]) and (state = 'waiting' or to_resume)) as approvals,
        (select count(*)::int from finance_call where delivery_id = any(${ids}::uuid[])
          and state not in ('applied', 'refused') and abandoned_at is null) as calls`;
    return row ?? { waiting: 0, dead: 0, approvals: 0, calls: 0 };
  }

  async deadOf(tx: Transaction, { deliveries }: Person): Promise<string[]> {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      select id::text as id from open_delivery where id = any(${[...deliveries]}::uuid[]) and state = 'dead' order by id`;
    return rows.map(({ id }) => id);
  }

  /**
   * Overwrites the records, removes digests of what was said of them, and gives their business keys other names: whoever comes
   * with the same document, or the same key of a shop, is somebody new.
   * @returns how many of each; and the records that the finance interface shows as customers
   */
  async overwrite(
    tx: Transaction,
    person: Person,
    erasureId: string,
  ): Promise<{ effects: number; records: number; shown: string[] }> {
    const { stakeholders } = person;
    const keys = Object.entries(keysErased(person, erasureId));
    const effects = await tx.$executeRaw`
      update effect e set key = r.new
      from unnest(${keys.map(([key]) => key)}::text[], ${keys.map(([, key]) => key)}::text[]) as r(old, new), erasure x
      where x.id = ${erasureId}::uuid and e.organization_id = x.organization_id and e.key = r.old`;
    const rows = await tx.$queryRaw<{ id: string; shown: boolean }[]>`
      update stakeholder set name = 'Erased person ' || right(id::text, 8), email = null, phone = null, document = null,
        document_type = null, details = '{}', erased_at = coalesce(erased_at, date_trunc('milliseconds', clock_timestamp()))
      where id = any(array(
        select s.id from stakeholder s join erasure x on x.organization_id = s.organization_id
        where x.id = ${erasureId}::uuid and s.id = any(${[...stakeholders]}::uuid[]) order by s.id for update of s))
      returning id::text as id, kind in ('customer', 'partner') and deleted_at is null as shown`;
    await tx.$executeRaw`
      delete from followed_field where record_id = any(${[...stakeholders]}::uuid[])
        and organization_id = (select organization_id from erasure where id = ${erasureId}::uuid)`;
    // What a remote service was given is kept as digests, which tell a telephone number to who tries them all.
    await tx.$executeRaw`
      update finance_call c set request = c.request - 'said' from erasure x
      where x.id = ${erasureId}::uuid and c.organization_id = x.organization_id
        and c.effect_key = any(${keys.map(([key]) => key)}::text[]) and c.request ? 'said'`;
    const shown = rows.filter((row) => row.shown).map(({ id }) => id);
    return { effects, records: rows.length, shown };
  }

  /**
   * Removes bodies of settled deliveries; the deliveries stay, with the keys by which they are known again.
   * @returns how many
   */
  async purgeBodies(tx: Transaction, deliveries: readonly string[], now: Date): Promise<number> {
    const ids = [...deliveries];
    return tx.$executeRaw`
      with settled as materialized (
        select d.id from delivery d join delivery_body b on b.id = d.id
        where d.id = any(${ids}::uuid[]) and d.state in ('done', 'discarded')
        order by d.id for update of d skip locked
      ), removed as (delete from delivery_body where id = any(array(select id from settled)))
      update delivery set body_purged_at = ${now}::timestamptz where id = any(array(select id from settled))`;
  }

  /** Whether a body of theirs is still there. */
  async hasBodies(tx: Transaction, { deliveries }: Person): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      select 1 from delivery_body where id = any(${[...deliveries]}::uuid[]) limit 1`;
    return rows.length > 0;
  }
}
