import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION } from '../config/config.module';
import type { Configuration, ConfiguredSource } from '../config/configuration';
import { secretsKeysOf } from '../config/secrets-key';
import { SettingError, Settings } from '../config/settings';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { sealCredentials } from '../deliveries/sealed-credentials';
import { sealSecrets } from '../deliveries/sealed-secrets';
import { Catalog } from '../deliveries/catalog';
import { SourcesRepository } from '../deliveries/sources.repository';
import { applyChart } from '../finance/embedded/chart/chart';
import { Clock } from '../kernel/clock';
import { hmacSha256 } from '../kernel/hmac';
import type { Organization } from '../kernel/organization';
import type { RetentionDays } from '../kernel/retention';
import { OrganizationsRepository, type NewOrganization } from '../organizations/organizations.repository';
import { SourceProviders } from '../sources/source-providers';
import { AuditRepository, CONFIGURATION_FOLDER } from './audit.repository';
import { digest, FolderWrites } from './folder-writes';
import { ProfileChanges } from './profile-changes';
import { TableWarnings } from './rules/table-warnings.repository';
import { checkConfiguration, type CheckedConfiguration } from './check-configuration';

/**
 * Brings the database in line with the configuration folder at start-up, the way an operator would through the
 * API. A file speaks when it is new or has changed: doing it again changes nothing, and what operators changed
 * since stays.
 */
@Injectable()
export class Provisioning {
  private readonly logger = new Logger(Provisioning.name);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly providers: SourceProviders,
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly sources: SourcesRepository,
    private readonly writes: FolderWrites,
    private readonly profiles: ProfileChanges,
    private readonly audit: AuditRepository,
    private readonly catalog: Catalog,
    private readonly clock: Clock,
    private readonly tableWarnings: TableWarnings,
  ) {}

  /** @throws SettingError with one line when the configuration is wrong; nothing of it is then in force */
  async apply(): Promise<void> {
    const checked = checkConfiguration(this.configuration, this.providers);
    if ('problems' in checked) throw new SettingError(oneLine(checked.problems));
    for (const document of this.configuration.organizations) await this.refuseOtherCurrency(document);
    const organizations: Organization[] = [];
    for (const document of this.configuration.organizations)
      organizations.push(await this.putOrganization(document));
    await this.database.transaction(async (tx) => {
      // Replicas that start together take turns.
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('ponte/provisioning', 0))`;
      for (const organization of organizations) await this.provision(tx, organization, checked);
    });
    const [broken] = await this.catalog.load();
    if (broken) {
      const { slug } = await this.organizations.record(broken.organizationId);
      throw new SettingError(`${slug}: ${broken.message}`);
    }
    for (const { slug } of organizations) await this.warnOfTables(slug);
  }

  /** Amounts are stored without their currency: another one would say that all of them are something else. */
  private async refuseOtherCurrency(document: NewOrganization): Promise<void> {
    const { slug, currency } = document;
    const kept = await this.organizations.find(slug);
    if (!kept || kept.currency === currency || (await this.saidBefore(kept, document))) return;
    if (await this.organizations.hasEntries(this.database.prisma, kept.id))
      throw new SettingError(
        `organizations.yaml: ${slug} has entries in ${kept.currency}, so its currency cannot be ${currency}`,
      );
  }

  private async provision(
    tx: Transaction,
    organization: Organization,
    checked: CheckedConfiguration,
  ): Promise<void> {
    const document = this.configuration.organizations.find(({ slug }) => slug === organization.slug);
    const chart = document?.chart === undefined ? undefined : checked.charts.get(document.chart);
    // A remote finance service has a chart of its own.
    if (chart && this.settings.financeBackend === 'embedded')
      await applyChart(tx, organization, chart, this.clock.now());
    const profile = await this.followProfile(tx, organization, document?.profile, checked);
    await this.writes.putRules(tx, organization.id, profile, checked);
    await this.writes.putSettings(tx, organization, checked.settings.get(organization.slug) ?? new Map());
    const own = this.configuration.sources.filter((source) => source.organization === organization.slug);
    for (const source of own) await this.putSource(tx, organization, source);
  }

  /**
   * Gives the organization the profile that the folder says, where it did not say just that before.
   * @returns the one that it then has
   * @throws SettingError when its rules could not work together afterwards
   */
  private async followProfile(
    tx: Transaction,
    { id: organizationId, slug }: Organization,
    profile: string | undefined,
    checked: CheckedConfiguration,
  ): Promise<string> {
    const change = async (to: string): Promise<void> => {
      const before = await this.organizations.lock(tx, organizationId);
      if (before.profile === to) return;
      const reason = 'organizations.yaml';
      const done = await this.profiles.apply(
        tx,
        CONFIGURATION_FOLDER,
        before,
        { profile: to, reason },
        checked,
      );
      if ('problem' in done)
        throw new SettingError(`organizations.yaml: ${slug}: with the profile ${to}, ${done.problem}`);
      await this.audit.record(tx, CONFIGURATION_FOLDER, {
        ...{ organizationId, action: 'organization.change', subject: organizationId },
        ...{
          before: { profile: before.profile },
          after: { profile: to, profileChange: { ...done } },
          reason,
        },
      });
      this.logger.log({
        msg: `provisioning: ${slug} has the profile ${to}, before ${before.profile}`,
        ...done,
      });
    };
    const record = { kind: 'profile', organizationId } as const;
    if (profile !== undefined) await this.writes.ifNew(tx, record, digest(profile), () => change(profile));
    return (await this.organizations.record(organizationId, tx)).profile;
  }

  private async putSource(
    tx: Transaction,
    organization: Organization,
    source: ConfiguredSource,
  ): Promise<void> {
    const { slug, provider, settings, paused, liveSecrets, liveCredentials } = source;
    const keys = secretsKeysOf(this.settings);
    // A file that lists secrets one after another has the newest last.
    const secrets = [...liveSecrets].reverse();
    const hasCredentials = Object.keys(liveCredentials).length > 0;
    const said = [provider, settings, paused, liveSecrets, ...(hasCredentials ? [liveCredentials] : [])];
    const text = JSON.stringify(said);
    const { id: organizationId } = organization;
    const put = async (): Promise<void> => {
      if (secrets.length === 0) this.warnOfNoSecret(source);
      await this.sources.put(
        tx,
        { organizationId, slug, provider, settings, paused },
        (id) => (secrets.length > 0 ? sealSecrets(secrets, id, keys) : null),
        hasCredentials ? (id) => sealCredentials(liveCredentials, id, keys) : undefined,
      );
    };
    // With a key: secrets are part of the text, and a digest without one could be tried out.
    const before = keys.previous.map((key) => hmacSha256(key, text));
    const record = { kind: 'source', organizationId, name: slug } as const;
    await this.writes.ifNew(tx, record, hmacSha256(keys.current, text), put, before);
  }

  private async warnOfTables(slug: string): Promise<void> {
    for (const { organization, table, warning } of await this.tableWarnings.all(slug))
      this.logger.warn({ msg: `provisioning: ${organization}, table ${table}: ${warning}` });
  }

  private warnOfNoSecret({ slug, secrets }: ConfiguredSource): void {
    const names = secrets.map(({ env }) => env).join(' or ');
    this.logger.warn({
      msg: `provisioning: source ${slug} has no secret: it refuses every webhook. Set ${names || 'one'}`,
    });
  }

  private async putOrganization(document: NewOrganization): Promise<Organization> {
    const { slug, name, timeZone, currency, profile, retention } = document;
    const kept = await this.organizations.find(slug);
    if (kept && (await this.saidBefore(kept, document))) return kept;
    const before = kept && retention && (await this.organizations.record(kept.id)).retention;
    const organization = await this.organizations.upsert({
      ...{ slug, name, timeZone, currency, profile },
      ...(retention && { retention }),
    });
    await this.database.transaction(async (tx) => {
      const record = { kind: 'organization', organizationId: organization.id } as const;
      await this.catalog.changed(tx);
      await this.writes.keep(tx, record, digestOf(document));
      if (before) await this.recordRetention(tx, organization.id, before);
    });
    return organization;
  }

  /** What is removed by it does not come back: who said so, and when, has to be found. */
  private async recordRetention(tx: Transaction, id: string, before: RetentionDays): Promise<void> {
    const { retention: after } = await this.organizations.record(id, tx);
    if (isDeepStrictEqual(before, after)) return;
    await this.audit.record(tx, CONFIGURATION_FOLDER, {
      ...{ organizationId: id, action: 'organization.change', subject: id, reason: 'organizations.yaml' },
      ...{ before: { retention: { ...before } }, after: { retention: { ...after } } },
    });
  }

  private saidBefore({ id }: Organization, document: NewOrganization): Promise<boolean> {
    const record = { kind: 'organization', organizationId: id } as const;
    return this.writes.knows(this.database.prisma, record, [digestOf(document)]);
  }
}

/** A file that says nothing of retention says what it said before there was any. */
function digestOf({ name, timeZone, currency, retention }: NewOrganization): Buffer {
  return digest(JSON.stringify([name, timeZone, currency, ...(retention ? [retention] : [])]));
}

function oneLine(problems: readonly string[]): string {
  const [first = '', ...others] = problems;
  return others.length === 0
    ? first
    : `${first} (and ${others.length} more; \`npm run config:check\` shows all)`;
}
