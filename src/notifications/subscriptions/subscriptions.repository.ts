import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import type { Language, Subscription } from './subscription';

/** A subscription to be stored: it is checked first at once, or at its time. */
export type NewSubscription = Omit<Subscription, 'id' | 'createdAt'>;

/** A subscription whose time has come, locked until the transaction ends. */
export interface DueSubscription {
  readonly organization: Organization;
  readonly subscription: Subscription;
  /** The number of its newest message; 0: there was none. */
  readonly messages: number;
}

type Row = NonNullable<Awaited<ReturnType<Transaction['notificationSubscription']['findFirst']>>>;

/** Whom to notify of what needs a person. The database's clock decides when a subscription is checked. */
@Injectable()
export class Subscriptions {
  constructor(private readonly database: Database) {}

  /** By name. */
  async list(organizationId: string): Promise<Subscription[]> {
    const rows = await this.database.prisma.notificationSubscription.findMany({
      where: { organizationId },
      orderBy: { name: 'asc' },
    });
    return rows.map(subscriptionOf);
  }

  /** Outside of any transaction. */
  async byId(organizationId: string, id: string): Promise<Subscription | undefined> {
    const where = { organizationId, id };
    const row = await this.database.prisma.notificationSubscription.findFirst({ where });
    return row ? subscriptionOf(row) : undefined;
  }

  count(tx: Transaction, organizationId: string): Promise<number> {
    return tx.notificationSubscription.count({ where: { organizationId } });
  }

  /** @returns undefined, and nothing is stored, when the name is taken */
  async create(
    tx: Transaction,
    organizationId: string,
    { emails, about, ...own }: NewSubscription,
    now: Date,
  ): Promise<Subscription | undefined> {
    const row = { id: newId(), ...own, createdAt: now };
    const data = { ...row, organizationId, emails: [...emails], about: [...about] };
    const { count } = await tx.notificationSubscription.createMany({ data: [data], skipDuplicates: true });
    return count === 1 ? { ...row, emails, about } : undefined;
  }

  /** Locks it until the transaction ends. */
  async lock(tx: Transaction, organizationId: string, name: string): Promise<Subscription | undefined> {
    const where = { organizationId, name };
    await tx.$queryRaw`
      select 1 from notification_subscription
      where organization_id = ${organizationId}::uuid and name = ${name} for update`;
    const row = await tx.notificationSubscription.findFirst({ where });
    return row ? subscriptionOf(row) : undefined;
  }

  /** Removes it with what it remembers; its messages that wait are given up. The transaction has locked it. */
  async remove(tx: Transaction, organizationId: string, id: string, now: Date): Promise<void> {
    await tx.notificationTold.deleteMany({ where: { subscriptionId: id } });
    await tx.notificationSubscription.delete({ where: { id } });
    await tx.$executeRaw`
      update deferred_effect
      set state = 'cancelled', reason = 'its subscription was removed', lease_id = null, finished_at = ${now}
      where id in (
        select id from deferred_effect
        where organization_id = ${organizationId}::uuid and state in ('waiting', 'refused') and run_id = ${id}::uuid
          and delivery_id is null
        order by id for update)`;
  }

  /** Locks the one whose time came first; what others have locked is left to them. */
  async lockDue(tx: Transaction): Promise<DueSubscription | undefined> {
    const [due] = await tx.$queryRaw<{ id: string }[]>`
      select s.id::text as id from notification_subscription s
      where s.next_at <= clock_timestamp()
      order by s.next_at, s.id limit 1 for update of s skip locked`;
    if (!due) return undefined;
    const row = await tx.notificationSubscription.findUniqueOrThrow({ where: { id: due.id } });
    const organization = await tx.organization.findUniqueOrThrow({
      where: { id: row.organizationId },
      select: { id: true, slug: true, name: true, timeZone: true, currency: true },
    });
    return { organization, subscription: subscriptionOf(row), messages: row.messages };
  }

  /** Notes a check. @param messages the number of its newest message */
  async checked(tx: Transaction, id: string, nextAt: Date, messages: number): Promise<void> {
    await tx.notificationSubscription.update({ where: { id }, data: { nextAt, messages } });
  }

  /** Lets others go before one whose check failed. */
  async putOff(id: string, delayMs: number): Promise<void> {
    await this.database.prisma.$executeRaw`
      update notification_subscription
      set next_at = clock_timestamp() + ${delayMs}::double precision * interval '1 millisecond'
      where id = ${id}::uuid`;
  }
}

function subscriptionOf(row: Row): Subscription {
  const { id, name, emails, endpoint, schedule, atMinute, about, nextAt, createdAt } = row;
  const language = row.language as Language;
  return { id, name, emails, endpoint, language, schedule, atMinute, about, nextAt, createdAt };
}
