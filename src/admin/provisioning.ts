import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION } from '../config/config.module';
import type { Configuration, ConfiguredSource } from '../config/configuration';
import { secretsKeyOf } from '../config/secrets-key';
import { SettingError, Settings } from '../config/settings';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { sealSecrets } from '../deliveries/sealed-secrets';
import { SourceDirectory } from '../deliveries/source-directory';
import { SourcesRepository } from '../deliveries/sources.repository';
import { applyChart } from '../finance/chart/chart';
import type { Organization } from '../kernel/organization';
import { OrganizationsRepository, type NewOrganization } from '../organizations/organizations.repository';
import { loadRule } from '../rules/load-rule';
import { RulesRepository } from '../rules/rules.repository';
import { RuleBook } from '../workflows/rule-book';
import { checkConfiguration, type CheckedConfiguration } from './check-configuration';

/**
 * Brings the database in line with the configuration folder at start-up, the way an operator would through the
 * API: what is there already stays, what changed becomes a new version, and doing it again changes nothing.
 */
@Injectable()
export class Provisioning {
  private readonly logger = new Logger(Provisioning.name);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly sources: SourcesRepository,
    private readonly directory: SourceDirectory,
    private readonly rules: RulesRepository,
    private readonly ruleBook: RuleBook,
  ) {}

  /** @throws SettingError with one line when the configuration is wrong; nothing of it is then in force */
  async apply(): Promise<void> {
    const checked = checkConfiguration(this.configuration);
    if ('problems' in checked) throw new SettingError(oneLine(checked.problems));
    for (const document of this.configuration.organizations) await this.refuseOtherCurrency(document);
    const organizations: Organization[] = [];
    for (const { slug, name, timeZone, currency } of this.configuration.organizations) {
      organizations.push(await this.organizations.upsert({ slug, name, timeZone, currency }));
    }
    await this.database.transaction(async (tx) => {
      // Replicas that start together take turns.
      await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('ponte/provisioning', 0))`;
      for (const organization of organizations) await this.provision(tx, organization, checked);
    });
    await this.putIntoForce();
    await this.directory.reload();
  }

  /** Amounts are stored without their currency: another one would say that all of them are something else. */
  private async refuseOtherCurrency({ slug, currency }: NewOrganization): Promise<void> {
    const kept = await this.organizations.find(slug);
    if (!kept || kept.currency === currency) return;
    if (await this.organizations.hasEntries(this.database.prisma, kept.id))
      throw new SettingError(
        `organizations.yaml: ${slug} has entries in ${kept.currency}, so its currency cannot be ${currency}`,
      );
  }

  /** Compiles the rules of every organization from the database, whoever put them there. */
  private async putIntoForce(): Promise<void> {
    for (const { id, slug } of await this.organizations.list()) {
      const tables = await this.rules.tables(id);
      const rules = (await this.rules.enabled(id)).map(({ name, version, document }) => {
        const loaded = loadRule(document, { tables: tables.keys() }, version);
        if ('rule' in loaded) return loaded.rule;
        const [first] = loaded.problems;
        throw new SettingError(
          `rule ${name} version ${version} of ${slug}: ${first?.line}:${first?.column}: ${first?.message}`,
        );
      });
      this.ruleBook.put(id, { rules, tables });
    }
  }

  private async provision(
    tx: Transaction,
    organization: Organization,
    checked: CheckedConfiguration,
  ): Promise<void> {
    const document = this.configuration.organizations.find(({ slug }) => slug === organization.slug);
    const chart = document?.chart === undefined ? undefined : checked.charts.get(document.chart);
    // A remote finance service has a chart of its own.
    if (chart && this.settings.financeBackend === 'embedded') await applyChart(tx, organization, chart);
    for (const table of checked.tables.values()) await this.rules.putTable(tx, organization.id, table);
    for (const [name, { text }] of checked.rules) await this.rules.put(tx, organization.id, name, text);
    const own = this.configuration.sources.filter((source) => source.organization === organization.slug);
    for (const source of own) await this.putSource(tx, organization, source);
  }

  private async putSource(
    tx: Transaction,
    organization: Organization,
    source: ConfiguredSource,
  ): Promise<void> {
    const { slug, provider, settings, paused, liveSecrets } = source;
    if (liveSecrets.length === 0) {
      const names = source.secrets.map(({ env }) => env).join(' or ');
      this.logger.warn({ msg: `source ${slug} has no secret and refuses everything; set ${names || 'one'}` });
    }
    await this.sources.put(tx, { organizationId: organization.id, slug, provider, settings, paused }, (id) =>
      liveSecrets.length > 0 ? sealSecrets(liveSecrets, id, secretsKeyOf(this.settings)) : null,
    );
  }
}

function oneLine(problems: readonly string[]): string {
  const [first = '', ...others] = problems;
  return others.length === 0
    ? first
    : `${first} (and ${others.length} more; \`npm run config:check\` shows all)`;
}
