import { Injectable } from '@nestjs/common';
import { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { SealedRecord, SealedRecords } from '../database/sealed-records';
import type { Transaction } from '../database/transaction';
import { newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { sealedSecrets } from './sealed-secrets';

/** A source as stored; its secrets are sealed. */
export interface StoredSource {
  id: string;
  organization: Organization;
  slug: string;
  provider: string;
  settings: Record<string, unknown>;
  sealedSecrets: Uint8Array | null;
  sealedCredentials: Uint8Array | null;
  paused: boolean;
}

/** A source as operators see it, its secrets sealed. */
export interface SourceRecord extends Omit<StoredSource, 'organization'> {
  createdAt: Date;
  updatedAt: Date;
}

export interface NewSource {
  id: string;
  organizationId: string;
  slug: string;
  provider: string;
  settings: Readonly<Record<string, unknown>>;
  paused: boolean;
  sealedSecrets: Buffer | null;
}

export type SourceChange = Partial<Pick<NewSource, 'settings' | 'paused' | 'sealedSecrets'>> & {
  sealedCredentials?: Buffer | null;
};

const RECORD = {
  id: true,
  slug: true,
  provider: true,
  settings: true,
  secrets: true,
  credentials: true,
  paused: true,
  createdAt: true,
  updatedAt: true,
} as const;

@Injectable()
export class SourcesRepository implements SealedRecords {
  constructor(private readonly database: Database) {}

  /** @param tx absent: outside of any transaction */
  all(tx: Transaction = this.database.prisma): Promise<StoredSource[]> {
    return tx.$queryRaw<StoredSource[]>`
      select s.id::text as id, s.slug, s.provider, s.settings, s.secrets as "sealedSecrets",
             s.credentials as "sealedCredentials", s.paused,
             json_build_object('id', o.id, 'slug', o.slug, 'name', o.name, 'timeZone', o.time_zone,
                               'currency', o.currency) as organization
      from source s join organization o on o.id = s.organization_id`;
  }

  /** An organization's sources, newest first. @param limit at most so many */
  async records(organizationId: string, limit: number): Promise<SourceRecord[]> {
    const rows = await this.database.prisma.source.findMany({
      where: { organizationId },
      select: RECORD,
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map(toRecord);
  }

  /** @param tx absent: outside of any transaction */
  async record(
    organizationId: string,
    slug: string,
    tx: Transaction = this.database.prisma,
  ): Promise<SourceRecord | undefined> {
    const where = { organizationId_slug: { organizationId, slug } };
    const row = await tx.source.findUnique({ where, select: RECORD });
    return row ? toRecord(row) : undefined;
  }

  /** As {@link record}, and nobody else changes it until the transaction ends. */
  async lock(tx: Transaction, organizationId: string, slug: string): Promise<SourceRecord | undefined> {
    await tx.$queryRaw`
      select id from source where organization_id = ${organizationId}::uuid and slug = ${slug} for update`;
    return this.record(organizationId, slug, tx);
  }

  count(tx: Transaction, organizationId: string): Promise<number> {
    return tx.source.count({ where: { organizationId } });
  }

  /** @returns undefined when the organization has a source with this slug */
  async create(tx: Transaction, source: NewSource): Promise<SourceRecord | undefined> {
    const { sealedSecrets: sealed, ...values } = source;
    const settings = source.settings as Prisma.InputJsonObject;
    const { count } = await tx.source.createMany({
      data: [{ ...values, settings, secrets: sealed && new Uint8Array(sealed) }],
      skipDuplicates: true,
    });
    return count === 0 ? undefined : this.record(source.organizationId, source.slug, tx);
  }

  async update(tx: Transaction, id: string, change: SourceChange, now: Date): Promise<SourceRecord> {
    const { settings, paused, sealedSecrets: sealed, sealedCredentials: credentials } = change;
    const data = {
      ...(settings && { settings: settings as Prisma.InputJsonObject }),
      ...(paused !== undefined && { paused }),
      ...(sealed !== undefined && { secrets: sealed && new Uint8Array(sealed) }),
      ...(credentials !== undefined && { credentials: credentials && new Uint8Array(credentials) }),
      updatedAt: now,
    };
    return toRecord(await tx.source.update({ where: { id }, data, select: RECORD }));
  }

  async sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]> {
    const rows = await this.database.prisma.source.findMany({
      where: { secrets: { not: null }, ...(after !== undefined && { id: { gt: after } }) },
      select: { id: true, secrets: true },
      orderBy: { id: 'asc' },
      take: limit,
    });
    return rows.flatMap(({ id, secrets }) => (secrets ? [{ id, ...sealedSecrets(secrets, id) }] : []));
  }

  async replaceSealed({ id, sealed }: SealedRecord, anew: Uint8Array): Promise<boolean> {
    const { count } = await this.database.prisma.source.updateMany({
      where: { id, secrets: new Uint8Array(sealed) },
      data: { secrets: new Uint8Array(anew) },
    });
    return count === 1;
  }

  /**
   * Finds the source's identifier, or makes one, so that its secrets can be sealed for it; then stores it.
   * @param seal gives the ciphertext for an identifier; null: the source has no secret
   * @param sealCredentials the same; absent: it keeps the credentials that it has
   */
  async put(
    tx: Transaction,
    source: Omit<NewSource, 'id' | 'sealedSecrets'>,
    seal: (id: string) => Buffer | null,
    sealCredentials?: (id: string) => Buffer,
  ): Promise<void> {
    const { organizationId, slug, provider, paused } = source;
    const where = { organizationId_slug: { organizationId, slug } };
    const id = (await tx.source.findUnique({ where, select: { id: true } }))?.id ?? newId();
    const sealed = seal(id);
    const credentials = sealCredentials?.(id);
    const values = {
      provider,
      settings: source.settings as Prisma.InputJsonObject,
      paused,
      secrets: sealed && new Uint8Array(sealed),
      ...(credentials && { credentials: new Uint8Array(credentials) }),
      updatedAt: new Date(),
    };
    await tx.source.upsert({ where, create: { id, organizationId, slug, ...values }, update: values });
  }
}

function toRecord({
  secrets,
  credentials,
  settings,
  ...row
}: Prisma.SourceGetPayload<{ select: typeof RECORD }>): SourceRecord {
  return {
    ...row,
    settings: settings as Record<string, unknown>,
    sealedSecrets: secrets,
    sealedCredentials: credentials,
  };
}
