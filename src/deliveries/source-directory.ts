import { Injectable } from '@nestjs/common';
import { secretsKeyOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import type { Transaction } from '../database/transaction';
import type { Organization } from '../kernel/organization';
import { findProvider } from '../sources/registry';
import type { SourceContext, SourceProvider } from '../sources/source';
import { openSecrets } from './sealed-secrets';
import { SourcesRepository, type StoredSource } from './sources.repository';

/** A source ready to receive: provider found, secrets opened. */
export interface LiveSource {
  id: string;
  slug: string;
  organization: Organization;
  provider: SourceProvider;
  secrets: readonly string[];
  settings: Readonly<Record<string, unknown>>;
  paused: boolean;
  /** What normalising may know. */
  context: SourceContext;
}

/** The sources in memory, because every webhook asks for one. */
@Injectable()
export class SourceDirectory {
  private byAddress = new Map<string, LiveSource>();
  private byId = new Map<string, LiveSource>();

  constructor(
    private readonly repository: SourcesRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * Reads all sources anew.
   * @param tx absent: outside of any transaction
   * @returns puts them into force
   * @throws SealError when their secrets were stored with another key
   */
  async read(tx?: Transaction): Promise<() => void> {
    const key = secretsKeyOf(this.settings);
    const sources = (await this.repository.all(tx)).map((stored) => toLive(stored, key));
    return () => this.replace(sources);
  }

  /** @param organization slug or identifier */
  find(organization: string, slug: string): LiveSource | undefined {
    return this.byAddress.get(`${organization}/${slug}`);
  }

  /** The organizations that have sources. */
  organizationIds(): Set<string> {
    return new Set([...this.byId.values()].map(({ organization }) => organization.id));
  }

  findById(id: string): LiveSource | undefined {
    return this.byId.get(id);
  }

  private replace(sources: readonly LiveSource[]): void {
    this.byId = new Map(sources.map((source) => [source.id, source]));
    this.byAddress = new Map(
      sources.flatMap((source) => [
        [`${source.organization.slug}/${source.slug}`, source],
        [`${source.organization.id}/${source.slug}`, source],
      ]),
    );
  }
}

function toLive(stored: StoredSource, key: Buffer): LiveSource {
  const { id, slug, organization, settings, paused, sealedSecrets } = stored;
  const provider = findProvider(stored.provider);
  if (!provider) throw new Error(`source ${slug}: there is no provider ${stored.provider}`);
  const timeZone = typeof settings['timeZone'] === 'string' ? settings['timeZone'] : organization.timeZone;
  return {
    id,
    slug,
    organization,
    provider,
    settings,
    paused,
    secrets: sealedSecrets ? openSecrets(sealedSecrets, id, key) : [],
    context: { source: slug, timeZone, currency: organization.currency, settings },
  };
}
