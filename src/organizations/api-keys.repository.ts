import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Organization } from '../kernel/organization';

/** An API key as stored; the key itself is not. */
export interface ApiKeyRecord {
  /** UUID */
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  revokedAt: Date | null;
}

/** A live key and whose it is. */
export interface LiveKey {
  id: string;
  scopes: string[];
  organization?: Organization;
}

export interface NewApiKey {
  id: string;
  /** Absent: the operators' key. */
  organizationId?: string;
  name: string;
  /** SHA-256 of the key. */
  hash: Uint8Array;
  scopes: string[];
}

interface LiveKeyRow {
  id: string;
  scopes: string[];
  organizationId: string | null;
  slug: string | null;
  name: string | null;
  timeZone: string | null;
  currency: string | null;
}

const SHAPE = { id: true, name: true, scopes: true, createdAt: true, revokedAt: true } as const;

/** API key records. */
@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  /** One look-up by unique index, with the organization: this runs on every request that carries a key. */
  async findLive(hash: Uint8Array): Promise<LiveKey | undefined> {
    const rows = await this.database.prisma.$queryRaw<LiveKeyRow[]>`
      select k.id, k.scopes, k.organization_id as "organizationId",
             o.slug, o.name, o.time_zone as "timeZone", o.currency
        from api_key k left join organization o on o.id = k.organization_id
       where k.hash = ${hash} and k.revoked_at is null`;
    const [row] = rows;
    if (!row) return undefined;
    const { id, scopes, organizationId, slug, name, timeZone, currency } = row;
    if (organizationId === null) return { id, scopes };
    if (slug === null || name === null || timeZone === null || currency === null)
      throw new Error('an API key belongs to an organization that is not there');
    return { id, scopes, organization: { id: organizationId, slug, name, timeZone, currency } };
  }

  async create({ id, organizationId, name, hash, scopes }: NewApiKey): Promise<void> {
    await this.database.prisma.apiKey.create({
      data: { id, organizationId: organizationId ?? null, name, hash: Buffer.from(hash), scopes },
    });
  }

  /** Newest first, revoked ones included. */
  async list(organizationId: string): Promise<ApiKeyRecord[]> {
    return this.database.prisma.apiKey.findMany({
      where: { organizationId },
      select: SHAPE,
      orderBy: { id: 'desc' },
    });
  }

  /** @returns false when the organization has no such live key */
  async revoke(organizationId: string, id: string, at: Date): Promise<boolean> {
    const { count } = await this.database.prisma.apiKey.updateMany({
      where: { id, organizationId, revokedAt: null },
      data: { revokedAt: at },
    });
    return count === 1;
  }

  /** Whether there is a live operators' key. */
  async hasOperatorKey(): Promise<boolean> {
    const where = { organizationId: null, revokedAt: null };
    return (await this.database.prisma.apiKey.count({ where })) > 0;
  }
}
