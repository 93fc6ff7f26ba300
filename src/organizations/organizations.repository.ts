import { Injectable } from '@nestjs/common';
import { SLUG } from '../config/configuration';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { isUuid, newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import {
  type RetentionChange,
  type RetentionDays,
  retentionToStore,
  storedRetention,
} from '../kernel/retention';
import { DocumentKeys } from './document-keys.repository';

/** What is needed to make an organization; see {@link Organization} for the meaning of each field. */
export type NewOrganization = Omit<Organization, 'id'> & {
  /** Absent: `cash`. */
  profile?: string;
  /** For how long what is kept; absent: nothing is said of it. */
  retention?: RetentionChange;
};

/** An organization with what only operators see. */
export interface OrganizationRecord extends Organization {
  /** UUID of the account that receipts go to when nothing names one. */
  readonly defaultAccountId: string | null;
  /** Days after its receipt at which the body of a settled delivery is removed. */
  readonly rawBodyDays: number;
  /** For how many days it keeps what, `rawBodyDays` among it; null: for ever. */
  readonly retention: RetentionDays;
  /** Whose rules of the configuration folder it has beside those of all: the name of a folder of `profiles/`. */
  readonly profile: string;
}

/** What of an organization can change. */
export type OrganizationChange = Partial<Omit<OrganizationRecord, 'id' | 'slug' | 'retention'>> & {
  readonly retention?: RetentionChange;
};

/** For how long an organization keeps what. */
export interface KeptFor {
  readonly id: string;
  readonly slug: string;
  readonly days: RetentionDays;
}

const SHAPE = { id: true, slug: true, name: true, timeZone: true, currency: true } as const;
const RECORD = {
  ...SHAPE,
  ...{ defaultAccountId: true, rawBodyDays: true, retention: true, profile: true },
} as const;

/** Organization records. */
@Injectable()
export class OrganizationsRepository {
  constructor(
    private readonly database: Database,
    private readonly documentKeys: DocumentKeys,
  ) {}

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
    const rows = await this.database.prisma.organization.findMany({
      where: after === undefined ? {} : { id: { lt: after } },
      select: RECORD,
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map(recordOf);
  }

  /** For how long each keeps what. */
  async keptFor(): Promise<KeptFor[]> {
    const rows = await this.database.prisma.organization.findMany({
      select: { id: true, slug: true, rawBodyDays: true, retention: true },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ id, slug, rawBodyDays, retention }) => ({
      ...{ id, slug },
      days: storedRetention(retention, rawBodyDays),
    }));
  }

  /** @param tx absent: outside of any transaction */
  async record(id: string, tx: Transaction = this.database.prisma): Promise<OrganizationRecord> {
    return recordOf(await tx.organization.findUniqueOrThrow({ where: { id }, select: RECORD }));
  }

  /** As {@link record}, and nobody else changes it until the transaction ends. */
  async lock(tx: Transaction, id: string): Promise<OrganizationRecord> {
    await tx.$queryRaw`select id from organization where id = ${id}::uuid for update`;
    return this.record(id, tx);
  }

  /** The organization is locked: what a change does not say of its retention stays. */
  async update(
    tx: Transaction,
    id: string,
    { retention, ...change }: OrganizationChange,
  ): Promise<OrganizationRecord> {
    const kept = retention && { ...(await this.record(id, tx)).retention, ...retention };
    const data = {
      ...change,
      ...(retention?.bodies !== undefined && { rawBodyDays: retention.bodies }),
      ...(kept && { retention: retentionToStore(kept) }),
    };
    return recordOf(await tx.organization.update({ where: { id }, data, select: RECORD }));
  }

  async hasEntries(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.entry.findFirst({ where: { organizationId }, select: { id: true } })) !== null;
  }

  async hasAccount(tx: Transaction, organizationId: string, accountId: string): Promise<boolean> {
    return (await tx.account.count({ where: { id: accountId, organizationId } })) > 0;
  }

  /** @throws Problem conflict when the slug is taken */
  async create(
    { profile, retention, ...organization }: NewOrganization,
    tx: Transaction = this.database.prisma,
  ): Promise<Organization> {
    const made = this.newRecord();
    const { id } = made;
    const { count } = await tx.organization.createMany({
      data: [
        { ...made, ...organization, ...(profile !== undefined && { profile }), ...newRetention(retention) },
      ],
      skipDuplicates: true,
    });
    if (count === 0) throw new Problem('conflict', 'There is an organization with this slug');
    return { id, ...organization };
  }

  /**
   * Makes the organization of configuration, or brings the one with its slug in line with it. However many
   * replicas do so at once, one record comes of it, and each is given that one. Its profile is that of one that is made;
   * one that is there keeps its own. What is said of its retention is set, and the rest of that stays.
   */
  async upsert(organization: NewOrganization): Promise<Organization> {
    const { slug, name, timeZone, currency, profile, retention } = organization;
    const made = { slug, name, timeZone, currency, ...(profile !== undefined && { profile }) };
    return this.database.transaction(async (tx) => {
      const record = await tx.organization.upsert({
        where: { slug },
        create: { ...this.newRecord(), ...made, ...newRetention(retention) },
        update: { name, timeZone, currency },
        select: SHAPE,
      });
      if (retention) {
        await this.lock(tx, record.id);
        await this.update(tx, record.id, { retention });
      }
      return record;
    });
  }

  private newRecord() {
    const id = newId();
    return { id, documentKey: this.documentKeys.make(id) };
  }
}

type RecordRow = Omit<OrganizationRecord, 'retention'> & { retention: unknown };

function recordOf({ retention, ...row }: RecordRow): OrganizationRecord {
  return { ...row, retention: storedRetention(retention, row.rawBodyDays) };
}

function newRetention(retention: RetentionChange | undefined) {
  if (!retention) return {};
  const { bodies } = retention;
  const kept = storedRetention(retention, bodies ?? 0);
  return { retention: retentionToStore(kept), ...(bodies !== undefined && { rawBodyDays: bodies }) };
}
