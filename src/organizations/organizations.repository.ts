import { Injectable } from '@nestjs/common';
import { SLUG } from '../config/configuration';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { isUuid, newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';

/** What is needed to make an organization; see {@link Organization} for the meaning of each field. */
export type NewOrganization = Omit<Organization, 'id'> & {
  /** Absent: `cash`. */
  profile?: string;
};

/** An organization with what only operators see. */
export interface OrganizationRecord extends Organization {
  /** UUID of the account that receipts go to when nothing names one. */
  readonly defaultAccountId: string | null;
  /** Days after its receipt at which the body of a settled delivery is removed. */
  readonly rawBodyDays: number;
  /** Whose rules of the configuration folder it has beside those of all: the name of a folder of `profiles/`. */
  readonly profile: string;
}

/** What of an organization can change. */
export type OrganizationChange = Partial<Omit<OrganizationRecord, 'id' | 'slug'>>;

const SHAPE = { id: true, slug: true, name: true, timeZone: true, currency: true } as const;
const RECORD = { ...SHAPE, defaultAccountId: true, rawBodyDays: true, profile: true } as const;

/** Organization records. */
@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  /** By id or slug, in any letter case. Whatever is neither, text that no database takes included, finds nothing. */
  async find(idOrSlug: string): Promise<Organization | undefined> {
    const name = idOrSlug.trim().toLowerCase();
    if (!isUuid(name) && !SLUG.test(name)) return undefined;
    const where = isUuid(name) ? { id: name } : { slug: name };
    const found = await this.database.prisma.organization.findUnique({ where, select: SHAPE });
    return found ?? undefined;
  }

  /** All of them, by slug. */
  async list(): Promise<Organization[]> {
    return this.database.prisma.organization.findMany({ select: SHAPE, orderBy: { slug: 'asc' } });
  }

  /** As operators see them, newest first. @param after only those older than the one with this id */
  async records(limit: number, after?: string): Promise<OrganizationRecord[]> {
    return this.database.prisma.organization.findMany({
      where: after === undefined ? {} : { id: { lt: after } },
      select: RECORD,
      orderBy: { id: 'desc' },
      take: limit,
    });
  }

  /** @param tx absent: outside of any transaction */
  async record(id: string, tx: Transaction = this.database.prisma): Promise<OrganizationRecord> {
    return tx.organization.findUniqueOrThrow({ where: { id }, select: RECORD });
  }

  /** As {@link record}, and nobody else changes it until the transaction ends. */
  async lock(tx: Transaction, id: string): Promise<OrganizationRecord> {
    await tx.$queryRaw`select id from organization where id = ${id}::uuid for update`;
    return this.record(id, tx);
  }

  async update(tx: Transaction, id: string, change: OrganizationChange): Promise<OrganizationRecord> {
    return tx.organization.update({ where: { id }, data: change, select: RECORD });
  }

  async hasEntries(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.entry.findFirst({ where: { organizationId }, select: { id: true } })) !== null;
  }

  async hasAccount(tx: Transaction, organizationId: string, accountId: string): Promise<boolean> {
    return (await tx.account.count({ where: { id: accountId, organizationId } })) > 0;
  }

  /** @throws Problem conflict when the slug is taken */
  async create(
    { profile, ...organization }: NewOrganization,
    tx: Transaction = this.database.prisma,
  ): Promise<Organization> {
    const id = newId();
    const { count } = await tx.organization.createMany({
      data: [{ id, ...organization, ...(profile !== undefined && { profile }) }],
      skipDuplicates: true,
    });
    if (count === 0) throw new Problem('conflict', 'There is an organization with this slug');
    return { id, ...organization };
  }

  /**
   * Makes the organization of configuration, or brings the one with its slug in line with it. However many
   * replicas do so at once, one record comes of it, and each is given that one. Its profile is that of one that is made;
   * one that is there keeps its own.
   */
  async upsert(organization: NewOrganization): Promise<Organization> {
    const { slug, name, timeZone, currency, profile } = organization;
    return this.database.prisma.organization.upsert({
      where: { slug },
      create: { id: newId(), slug, name, timeZone, currency, ...(profile !== undefined && { profile }) },
      update: { name, timeZone, currency },
      select: SHAPE,
    });
  }
}
