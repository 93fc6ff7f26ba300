import { Injectable } from '@nestjs/common';
import { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';

/** A source as stored; its secrets are sealed. */
export interface StoredSource {
  id: string;
  organization: Organization;
  slug: string;
  provider: string;
  settings: Record<string, unknown>;
  sealedSecrets: Uint8Array | null;
  paused: boolean;
}

interface SourceRow extends Omit<StoredSource, 'organization'> {
  organizationId: string;
  organizationSlug: string;
  organizationName: string;
  timeZone: string;
  currency: string;
}

@Injectable()
export class SourcesRepository {
  constructor(private readonly database: Database) {}

  /** @param tx absent: outside of any transaction */
  async all(tx: Transaction = this.database.prisma): Promise<StoredSource[]> {
    const rows = await tx.$queryRaw<SourceRow[]>`
      select s.id::text as id, s.slug, s.provider, s.settings, s.secrets as "sealedSecrets", s.paused,
             o.id::text as "organizationId", o.slug as "organizationSlug", o.name as "organizationName",
             o.time_zone as "timeZone", o.currency
      from source s join organization o on o.id = s.organization_id`;
    return rows.map(
      ({ organizationId, organizationSlug, organizationName, timeZone, currency, ...source }) => ({
        ...source,
        organization: {
          id: organizationId,
          slug: organizationSlug,
          name: organizationName,
          timeZone,
          currency,
        },
      }),
    );
  }

  /**
   * Finds the source's identifier, or makes one, so that its secrets can be sealed for it; then stores it.
   * @param seal gives the ciphertext for an identifier; null: the source has no secret
   */
  async put(
    tx: Transaction,
    source: {
      organizationId: string;
      slug: string;
      provider: string;
      settings: Record<string, unknown>;
      paused: boolean;
    },
    seal: (id: string) => Buffer | null,
  ): Promise<void> {
    const { organizationId, slug, provider, paused } = source;
    const where = { organizationId_slug: { organizationId, slug } };
    const id = (await tx.source.findUnique({ where, select: { id: true } }))?.id ?? newId();
    const sealed = seal(id);
    const values = {
      provider,
      settings: source.settings as Prisma.InputJsonObject,
      paused,
      secrets: sealed && new Uint8Array(sealed),
      updatedAt: new Date(),
    };
    await tx.source.upsert({ where, create: { id, organizationId, slug, ...values }, update: values });
  }
}
