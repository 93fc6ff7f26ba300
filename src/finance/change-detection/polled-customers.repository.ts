import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../../database/along-an-index';
import { Prisma } from '../../database/client/client';
import type { Transaction } from '../../database/transaction';
import { WHOLE_ORGANIZATION } from './observed-records.repository';

/** Customers looked up at once. */
const CHUNK = 500;

/** Before every poll. */
const NEVER = new Date(0);

/** A customer whose schedules are polled. */
export interface PolledCustomer {
  /** UUID */
  readonly customerId: string;
  /** Nothing that the first poll finds is announced. */
  readonly baseline: boolean;
  readonly polledAt: Date | null;
}

/** The customers for whom Ponte made schedules, in the order in which they are to be polled. */
@Injectable()
export class PolledCustomers {
  /**
   * Takes in those that come after one in the order of identifiers, so many at a time, each found through the
   * index by itself: the number of their schedules does not matter.
   * @param after absent: from the first on
   * @returns where to go on; undefined: all were found
   */
  async discover(
    tx: Transaction,
    organizationId: string,
    after: string | null,
    baseline: boolean,
  ): Promise<string | undefined> {
    await alongAnIndex(tx);
    const rows = await tx.$queryRaw<{ id: string }[]>(this.customersAfter(organizationId, after));
    // Not with `createMany`: what Prisma has to compile for so many rows blocks everything else for 100 ms.
    await tx.$executeRaw`
      insert into watch_customer (organization_id, customer_id, baseline, tried_at)
      select ${organizationId}::uuid, id, ${baseline}, ${NEVER}
      from unnest(${rows.map(({ id }) => id)}::uuid[]) as found(id)
      on conflict do nothing`;
    return rows.length < CHUNK ? undefined : rows.at(-1)?.id;
  }

  /** As {@link discover} finds them; to be asked with {@link alongAnIndex}. */
  customersAfter(organizationId: string, after: string | null): Prisma.Sql {
    const next = (last: Prisma.Sql): Prisma.Sql => Prisma.sql`
      select s.stakeholder_id from remote_schedule s
      where s.organization_id = ${organizationId}::uuid and s.stakeholder_id > ${last}
      order by s.stakeholder_id limit 1`;
    return Prisma.sql`
      with recursive customer(id) as (
        (${next(Prisma.sql`${after ?? WHOLE_ORGANIZATION}::uuid`)})
        union all
        select (${next(Prisma.sql`customer.id`)}) from customer where customer.id is not null
      )
      select id::text as id from customer where id is not null limit ${CHUNK}`;
  }

  /** Takes the customer whose poll is longest ago, and puts it at the end. @returns undefined: no poll was before `until` */
  async take(
    tx: Transaction,
    organizationId: string,
    until: Date,
    now: Date,
  ): Promise<PolledCustomer | undefined> {
    const [taken] = await tx.$queryRaw<PolledCustomer[]>`
      with due as (
        select customer_id from watch_customer
        where organization_id = ${organizationId}::uuid and tried_at <= ${until}
        order by tried_at, customer_id limit 1
      )
      update watch_customer w set tried_at = ${now}
      from due
      where w.organization_id = ${organizationId}::uuid and w.customer_id = due.customer_id
      returning w.customer_id::text as "customerId", w.baseline, w.looked_at as "polledAt"`;
    return taken;
  }

  async setPolledAt(
    tx: Transaction,
    organizationId: string,
    customerId: string,
    polledAt: Date,
  ): Promise<void> {
    await tx.polledCustomer.updateMany({ where: { organizationId, customerId }, data: { polledAt } });
  }

  /** When the poll was that is longest ago, complete or not; undefined: there are no customers. */
  async oldestAttempt(tx: Transaction, organizationId: string): Promise<Date | undefined> {
    const found = await tx.polledCustomer.findFirst({
      where: { organizationId },
      orderBy: [{ triedAt: 'asc' }, { customerId: 'asc' }],
      select: { triedAt: true },
    });
    return found?.triedAt;
  }

  /** Forgets them: the organization has another service now. */
  async forget(tx: Transaction, organizationId: string): Promise<void> {
    await tx.polledCustomer.deleteMany({ where: { organizationId } });
  }
}
