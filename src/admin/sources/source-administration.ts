import { Injectable } from '@nestjs/common';
import { SealError } from '../../config/sealing';
import { secretsKeysOf } from '../../config/secrets-key';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { Catalog } from '../../deliveries/catalog';
import { type Credentials, openCredentials, sealCredentials } from '../../deliveries/sealed-credentials';
import { openSecrets, sealSecrets } from '../../deliveries/sealed-secrets';
import { type SourceStatus, SourceStatuses } from '../../deliveries/source-status.repository';
import { type SourceChange, type SourceRecord, SourcesRepository } from '../../deliveries/sources.repository';
import type { Actor } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import { didYouMean, nearestName } from '../../kernel/nearest';
import type { Organization } from '../../kernel/organization';
import { Problem, unacceptable } from '../../kernel/problem';
import { checkSettings } from '../../sources/check-settings';
import type { SourceProvider } from '../../sources/source';
import { SourceProviders } from '../../sources/source-providers';
import { AuditRepository, type Change } from '../audit.repository';
import { readCredentials } from './source-credentials';
import { readSecret, readSecrets } from './source-secrets';
import { MOST_SECRETS, type NewSourceBody, type SourceChangeBody } from './sources.dto';

/** How many sources an organization may have, so that its list is whole. */
export const MOST_SOURCES = 1_000;
const RETRY_SECONDS = 30;

/** A source with how it is doing. */
export interface ShownSource {
  record: SourceRecord;
  secretCount: number;
  /** Names of the credentials that are set. */
  credentialNames: string[];
  /** Whether the address of its webhooks ends with its secret. */
  secretInAddress: boolean;
  status: SourceStatus;
}

/** A source in the hands of whoever changes it: locked, its secrets open. */
interface LockedSource {
  record: SourceRecord;
  /** Newest first. */
  secrets: readonly string[];
  provider: SourceProvider;
}

/** A change of a source; null: it is as it was asked to be already. */
type Step = {
  change: Omit<SourceChange, 'sealedSecrets' | 'sealedCredentials'>;
  secrets?: readonly string[];
  credentials?: Credentials;
} | null;

/** Makes and changes sources, with the audit log. No secret leaves it, into the log neither. */
@Injectable()
export class SourceAdministration {
  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly providers: SourceProviders,
    private readonly sources: SourcesRepository,
    private readonly statuses: SourceStatuses,
    private readonly catalog: Catalog,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async list(organization: Organization): Promise<ShownSource[]> {
    const records = await this.sources.records(organization.id, MOST_SOURCES);
    const statusOf = await this.statuses.of(records.map(({ id }) => id));
    return records.map((record) => this.described(record, statusOf(record.id)));
  }

  /** @throws Problem not-found */
  async show(organization: Organization, slug: string): Promise<ShownSource> {
    const record = await this.sources.record(organization.id, slug);
    if (!record) throw noSuchSource();
    return this.shown(record);
  }

  /** @throws Problem validation-failed; conflict when the slug is taken or there are too many */
  async create(actor: Actor, body: NewSourceBody): Promise<ShownSource> {
    const { slug, settings = {}, paused = false, reason } = body;
    const provider = this.providerCalled(body.provider);
    const secrets = readSecrets(provider, body.secrets ?? []);
    const kept = readSettings(provider, settings);
    const id = newId();
    const sealed = this.seal(secrets, id);
    const record = await this.database.transaction(async (tx) => {
      await this.catalog.changed(tx);
      if ((await this.sources.count(tx, actor.organization.id)) >= MOST_SOURCES)
        throw new Problem('conflict', `An organization has at most ${MOST_SOURCES} sources`);
      const made = await this.sources.create(tx, {
        id,
        organizationId: actor.organization.id,
        slug,
        provider: provider.id,
        settings: kept,
        paused,
        sealedSecrets: sealed,
      });
      if (!made) throw new Problem('conflict', 'There is a source with this slug');
      const after = this.stateOf(made, secrets.length);
      await this.audit.record(tx, actor, { action: 'source.create', subject: slug, after, reason });
      return made;
    });
    await this.catalog.refresh();
    return this.shown(record);
  }

  /** Replaces the settings as a whole. @throws Problem not-found, validation-failed */
  change(actor: Actor, slug: string, { settings, reason }: SourceChangeBody): Promise<ShownSource> {
    return this.alter(actor, slug, 'source.change', reason, ({ provider }) => ({
      change: { settings: readSettings(provider, settings) },
    }));
  }

  /** The others stay live. @throws Problem not-found, validation-failed; conflict when it is live, or too many are */
  addSecret(actor: Actor, slug: string, text: string, reason?: string | null): Promise<ShownSource> {
    return this.alter(actor, slug, 'source.add-secret', reason, ({ provider, secrets }) => {
      const secret = readSecret(provider, text, '/secret');
      if (secrets.includes(secret)) throw new Problem('conflict', 'This secret is live already');
      if (secrets.length >= MOST_SECRETS)
        throw new Problem(
          'conflict',
          `At most ${MOST_SECRETS} secrets are live at once; retire the old ones`,
        );
      return { change: {}, secrets: [secret, ...secrets] };
    });
  }

  /** Only the newest stays. @throws Problem not-found */
  retireSecrets(actor: Actor, slug: string, reason?: string | null): Promise<ShownSource> {
    return this.alter(actor, slug, 'source.retire-secrets', reason, ({ secrets }) =>
      secrets.length > 1 ? { change: {}, secrets: secrets.slice(0, 1) } : null,
    );
  }

  /**
   * Replaces what the provider's API is asked with, as a whole; none: it is forgotten.
   * @throws Problem not-found; validation-failed for one that the provider does not know, or that is missing
   */
  setCredentials(
    actor: Actor,
    slug: string,
    given: Record<string, unknown>,
    reason?: string | null,
  ): Promise<ShownSource> {
    return this.alter(actor, slug, 'source.set-credentials', reason, ({ provider }) => ({
      change: {},
      credentials: readCredentials(provider, given),
    }));
  }

  /** Concerns receiving: what was received is worked on. @throws Problem not-found */
  setPaused(actor: Actor, slug: string, paused: boolean, reason?: string | null): Promise<ShownSource> {
    const action = paused ? 'source.pause' : 'source.resume';
    return this.alter(actor, slug, action, reason, ({ record }) =>
      record.paused === paused ? null : { change: { paused } },
    );
  }

  private async alter(
    actor: Actor,
    slug: string,
    action: string,
    reason: string | null | undefined,
    decide: (source: LockedSource) => Step,
  ): Promise<ShownSource> {
    const record = await this.database.transaction(async (tx) => {
      const source = await this.lock(tx, actor.organization, slug);
      const step = decide(source);
      if (!step) return source.record;
      const { secrets = source.secrets, change } = step;
      const { id } = source.record;
      const sealed = {
        ...(step.secrets && { sealedSecrets: this.seal(step.secrets, id) }),
        ...(step.credentials && { sealedCredentials: this.sealCredentials(step.credentials, id) }),
      };
      const after = await this.sources.update(tx, id, { ...change, ...sealed }, this.clock.now());
      const states = {
        before: this.stateOf(source.record, source.secrets.length),
        after: this.stateOf(after, secrets.length),
      };
      await this.audit.record(tx, actor, { action, subject: slug, ...states, reason });
      return after;
    });
    await this.catalog.refresh();
    return this.shown(record);
  }

  private async lock(tx: Transaction, organization: Organization, slug: string): Promise<LockedSource> {
    if (!(await this.sources.record(organization.id, slug, tx))) throw noSuchSource();
    // Before the row: whoever provisions from files has this one first, too.
    await this.catalog.changed(tx);
    const record = await this.sources.lock(tx, organization.id, slug);
    const provider = record && this.providers.find(record.provider);
    if (!provider) throw noSuchSource();
    return { record, provider, secrets: this.secretsOf(record) };
  }

  /** @throws Problem validation-failed */
  private providerCalled(id: string): SourceProvider {
    const provider = this.providers.find(id);
    if (provider) return provider;
    const nearest = didYouMean(nearestName(id, this.providers.ids));
    throw unacceptable('/provider', 'unknown', `there is no such provider${nearest}`);
  }

  private async shown(record: SourceRecord): Promise<ShownSource> {
    const statusOf = await this.statuses.of([record.id]);
    return this.described(record, statusOf(record.id));
  }

  private described(record: SourceRecord, status: SourceStatus): ShownSource {
    return {
      record,
      secretCount: this.secretsOf(record).length,
      credentialNames: this.credentialNames(record),
      secretInAddress: this.providers.find(record.provider)?.secretInAddress ?? false,
      status,
    };
  }

  /** For the audit log: how many secrets there are and which credentials, and none of them. */
  private stateOf(record: SourceRecord, secretCount: number): NonNullable<Change['after']> {
    const { id, provider, settings, paused } = record;
    const credentials = this.credentialNames(record);
    return {
      ...{ id, provider, settings: settings as NonNullable<Change['after']>, paused, secretCount },
      ...(credentials.length > 0 && { credentials }),
    };
  }

  private secretsOf({ id, sealedSecrets }: SourceRecord): string[] {
    return this.opened(() =>
      sealedSecrets ? openSecrets(sealedSecrets, id, secretsKeysOf(this.settings)) : [],
    );
  }

  private credentialNames({ id, sealedCredentials }: SourceRecord): string[] {
    return this.opened(() =>
      sealedCredentials
        ? Object.keys(openCredentials(sealedCredentials, id, secretsKeysOf(this.settings))).sort()
        : [],
    );
  }

  /** @throws Problem unavailable while another replica has a newer SECRETS_KEY than this one */
  private opened<T>(open: () => T): T {
    try {
      return open();
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      throw new Problem(
        'unavailable',
        'This replica has another SECRETS_KEY than the secrets were stored with',
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      );
    }
  }

  private sealCredentials(credentials: Credentials, id: string): Buffer | null {
    if (Object.keys(credentials).length === 0) return null;
    return sealCredentials(credentials, id, secretsKeysOf(this.settings));
  }

  private seal(secrets: readonly string[], id: string): Buffer | null {
    return secrets.length > 0 ? sealSecrets(secrets, id, secretsKeysOf(this.settings)) : null;
  }
}

/** @throws Problem validation-failed with every setting that is wrong */
function readSettings(provider: SourceProvider, settings: Record<string, unknown>): Record<string, unknown> {
  const errors = checkSettings(provider, settings).map(({ name, code, message }) => ({
    pointer: `/settings/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    code,
    message,
  }));
  if (errors.length > 0)
    throw new Problem('validation-failed', 'Some settings are not acceptable', { errors });
  return settings;
}

function noSuchSource(): Problem {
  return new Problem('not-found', 'There is no such source');
}
