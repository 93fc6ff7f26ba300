import { Injectable } from '@nestjs/common';
import { SealError } from '../config/sealing';
import { type SecretsKeys, secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import type { Transaction } from '../database/transaction';
import type { Organization } from '../kernel/organization';
import { textSetting } from '../sources/settings';
import type { SourceContext, SourceProvider } from '../sources/source';
import { SourceProviders } from '../sources/source-providers';
import { type Credentials, openCredentials } from './sealed-credentials';
import { openSecrets } from './sealed-secrets';
import { SourcesRepository, type StoredSource } from './sources.repository';

/** A source ready to receive: provider found, secrets opened. */
export interface LiveSource {
  id: string;
  slug: string;
  organization: Organization;
  provider: SourceProvider;
  /** Newest first. */
  secrets: readonly string[];
  /**
   * They were stored with a key that this process does not have: `secrets` are those that it knew before, and what
   * they do not fit may still be genuine.
   */
  secretsUnread: boolean;
  /**
   * A newer version of Ponte knows the provider and this one does not: nothing of the source can be verified or read
   * here. {@link secretsUnread} as well, so that its webhooks are answered with 503.
   */
  providerUnknown: boolean;
  settings: Readonly<Record<string, unknown>>;
  /** What its provider's API is asked with; undefined: stored with a key that this process does not have. */
  credentials: Credentials | undefined;
  paused: boolean;
  /** What normalising may know. */
  context: SourceContext;
}

/** The sources in memory, because every webhook asks for one. */
@Injectable()
export class SourceDirectory {
  private byAddress = new Map<string, LiveSource>();
  private byId = new Map<string, LiveSource>();
  /** By `provider/store`, where a source's setting `storeId` names one. */
  private byStore: ReadonlyMap<string, readonly LiveSource[]> = new Map();
  private unknown: readonly string[] = [];
  private unread = false;
  private fetched: ReadonlySet<string> = new Set();

  constructor(
    private readonly repository: SourcesRepository,
    private readonly settings: Settings,
    private readonly providers: SourceProviders,
  ) {}

  /**
   * Reads all sources anew.
   * @param tx absent: outside of any transaction
   * @returns puts them into force, and gives those that this process can not read in full: their secrets were stored
   *   with a key that is not at hand (they keep the secrets they had), or it does not know their provider
   */
  async read(tx?: Transaction): Promise<() => LiveSource[]> {
    const keys = secretsKeysOf(this.settings);
    const sources = (await this.repository.all(tx)).map((stored) => toLive(stored, keys, this.providers));
    return () => this.replace(sources.map((source) => this.withKnownSecrets(source)));
  }

  /** @param organization slug or identifier */
  find(organization: string, slug: string): LiveSource | undefined {
    return this.byAddress.get(`${organization}/${slug}`);
  }

  /** The sources that a store of a provider is connected to. @param store as their setting `storeId` has it */
  ofStore(provider: string, store: string): readonly LiveSource[] {
    return this.byStore.get(`${provider}/${store}`) ?? [];
  }

  all(): LiveSource[] {
    return [...this.byId.values()];
  }

  /** The organizations that have sources. */
  organizationIds(): Set<string> {
    return new Set([...this.byId.values()].map(({ organization }) => organization.id));
  }

  /** Sources of providers that this version of Ponte does not know: their deliveries are left to other replicas. */
  get unknownIds(): readonly string[] {
    return this.unknown;
  }

  /** Whether the secrets of some source cannot be opened here. */
  get someUnread(): boolean {
    return this.unread;
  }

  /** Whether what the source's webhooks name has to be fetched. */
  isFetched(id: string): boolean {
    return this.fetched.has(id);
  }

  /** Sources that are compared with their providers' lists; one that is paused takes nothing from there either. */
  compared(): LiveSource[] {
    return [...this.byId.values()].filter(({ provider, paused }) => provider.list !== undefined && !paused);
  }

  findById(id: string): LiveSource | undefined {
    return this.byId.get(id);
  }

  private withKnownSecrets(source: LiveSource): LiveSource {
    return source.secretsUnread ? { ...source, secrets: this.byId.get(source.id)?.secrets ?? [] } : source;
  }

  private replace(sources: readonly LiveSource[]): LiveSource[] {
    this.byId = new Map(sources.map((source) => [source.id, source]));
    this.byAddress = new Map(
      sources.flatMap((source) => [
        [`${source.organization.slug}/${source.slug}`, source],
        [`${source.organization.id}/${source.slug}`, source],
      ]),
    );
    this.byStore = groupedByStore(sources);
    this.fetched = new Set(sources.filter(({ provider }) => provider.fetchBack).map(({ id }) => id));
    this.unknown = sources.filter(({ providerUnknown }) => providerUnknown).map(({ id }) => id);
    const unread = sources.filter(({ secretsUnread }) => secretsUnread);
    this.unread = unread.length > 0;
    return unread;
  }
}

function groupedByStore(sources: readonly LiveSource[]): Map<string, LiveSource[]> {
  const grouped = new Map<string, LiveSource[]>();
  for (const source of sources) {
    const store = textSetting(source.settings, 'storeId');
    if (store === undefined) continue;
    const address = `${source.provider.id}/${store}`;
    grouped.set(address, [...(grouped.get(address) ?? []), source]);
  }
  return grouped;
}

function toLive(stored: StoredSource, keys: SecretsKeys, providers: SourceProviders): LiveSource {
  const { id, slug, organization, settings, paused, sealedSecrets, sealedCredentials } = stored;
  const provider = providers.find(stored.provider);
  const timeZone = textSetting(settings, 'timeZone') ?? organization.timeZone;
  return {
    id,
    slug,
    organization,
    provider: provider ?? unknownProvider(stored.provider),
    providerUnknown: !provider,
    settings,
    paused,
    credentials: readCredentials(sealedCredentials, id, keys),
    ...(provider ? readSecrets(sealedSecrets, id, keys) : { secrets: [], secretsUnread: true }),
    context: {
      ...{ source: slug, timeZone, dayZone: organization.timeZone },
      ...{ currency: organization.currency, settings },
    },
  };
}

function readSecrets(
  sealed: Uint8Array | null,
  id: string,
  keys: SecretsKeys,
): Pick<LiveSource, 'secrets' | 'secretsUnread'> {
  try {
    return { secrets: sealed ? openSecrets(sealed, id, keys) : [], secretsUnread: false };
  } catch (error) {
    if (error instanceof SealError) return { secrets: [], secretsUnread: true };
    throw error;
  }
}

function readCredentials(sealed: Uint8Array | null, id: string, keys: SecretsKeys): Credentials | undefined {
  try {
    return sealed ? openCredentials(sealed, id, keys) : {};
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/**
 * Stands for a provider that a newer version of Ponte knows and this one does not, as during an upgrade of one replica
 * after the other. It verifies nothing and reads nothing: what its sources send is left to replicas that can.
 */
function unknownProvider(id: string): SourceProvider {
  const cannot = (): never => {
    throw new Error(`this version of Ponte does not know the provider ${id}`);
  };
  return {
    id,
    title: id,
    settings: {},
    setUp: [],
    verify: () => ({ ok: false, reason: 'this replica does not know the provider' }),
    identify: cannot,
    normalise: cannot,
    sign: cannot,
    samples: [],
  };
}
