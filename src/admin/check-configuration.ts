import { DEFAULT_PROFILE, parseYaml, type ConfigFile, type Configuration } from '../config/configuration';
import { SettingError } from '../config/settings';
import type { Chart } from '../finance/embedded/chart/chart';
import { readChart } from '../finance/embedded/chart/read-chart';
import { loadRule } from '../rules/load-rule';
import { tablesNamedIn } from './rules/rule-templates';
import { loadTable } from '../rules/load-table';
import type { LookupTable, LookupTables } from '../rules/lookup-table';
import type { RuleProblem } from '../rules/document/problems';
import { isObject } from '../kernel/json-object';
import { meantOr, nearestName } from '../kernel/nearest';
import { type RuleSetting, settingsProblems, type SettingTexts } from '../rules/rule-settings';
import { checkSettings, secretProblem } from '../sources/check-settings';
import type { SourceProviders } from '../sources/source-providers';

/** What the configuration folder's documents mean, once each is known to be right. */
export interface CheckedConfiguration {
  /** The rules of every profile, by the name of the rule. */
  rules: ReadonlyMap<string, ConfigFile>;
  /** The rules that only one profile has, by the name of the rule, by the name of the profile. */
  profiles: ReadonlyMap<string, ReadonlyMap<string, ConfigFile>>;
  tables: LookupTables;
  /** By the name of the file. */
  charts: ReadonlyMap<string, Chart>;
  /** What is set on rules: by the organization's slug, then by the name of the rule. */
  settings: ReadonlyMap<string, ReadonlyMap<string, SettingTexts>>;
}

/**
 * Checks every document of the configuration folder as far as it can be checked without a database.
 * @returns what they mean, or a line for each thing that is wrong: `rules/order-paid.yaml:12:5: …`
 */
export function checkConfiguration(
  configuration: Configuration,
  providers: SourceProviders,
): CheckedConfiguration | { problems: string[] } {
  const check = new Check();
  const tables = check.tables(configuration.tables);
  const rules = check.rules(configuration.rules, tables);
  const profiles = check.profiles(configuration, rules, tables);
  check.templates(configuration, { rules, profiles });
  const charts = check.charts(configuration);
  const settings = check.settings(configuration, { rules, profiles });
  check.sources(configuration, providers);
  return check.problems.length > 0
    ? { problems: check.problems }
    : { rules, profiles, tables, charts, settings };
}

/** What the folder says of rules. */
export type FolderRules = Pick<CheckedConfiguration, 'rules' | 'profiles'>;

/** The rules of an organization with this profile, by the name of the rule. */
export function rulesFor({ rules, profiles }: FolderRules, profile: string): Map<string, ConfigFile> {
  return new Map([...rules, ...(profiles.get(profile) ?? [])]);
}

/** Why there is no profile of this name, as the end of a sentence; undefined when there is. */
export function unknownProfile(profiles: Iterable<string>, name: string): string | undefined {
  const known = new Set([DEFAULT_PROFILE, ...profiles]);
  if (known.has(name)) return undefined;
  return `there is no profile "${name}"${meantOr(nearestName(name, known), known)}`;
}

class Check {
  readonly problems: string[] = [];

  tables(files: readonly ConfigFile[]): Map<string, LookupTable> {
    const tables = new Map<string, LookupTable>();
    for (const file of files) {
      const loaded = loadTable(file.text);
      if ('problems' in loaded) this.inFile(file, loaded.problems);
      else this.once(file, tables, loaded.table.name, loaded.table);
    }
    return tables;
  }

  rules(files: readonly ConfigFile[], tables: LookupTables): Map<string, ConfigFile> {
    const rules = new Map<string, ConfigFile>();
    for (const file of files) {
      const loaded = loadRule(file.text, { tables: tables.keys(), isNew: true });
      if ('problems' in loaded) this.inFile(file, loaded.problems);
      else this.once(file, rules, loaded.rule.name, file);
    }
    return rules;
  }

  profiles(
    { profiles, organizations }: Configuration,
    rules: ReadonlyMap<string, ConfigFile>,
    tables: LookupTables,
  ): Map<string, ReadonlyMap<string, ConfigFile>> {
    const checked = new Map(profiles.map((profile) => [profile.name, this.rules(profile.rules, tables)]));
    for (const own of checked.values())
      for (const [name, { path }] of own) {
        const common = rules.get(name);
        if (common)
          this.problems.push(
            `${path}: ${common.path} has ${name} already, for every profile: take it out of one of the two`,
          );
      }
    for (const { slug, profile = DEFAULT_PROFILE } of organizations) {
      const unknown = unknownProfile(checked.keys(), profile);
      if (unknown) this.problems.push(`organizations.yaml: ${slug}: profile: ${unknown}`);
    }
    return checked;
  }

  /** The tables that a template names may be absent: an organization puts them before it takes the template. */
  templates({ templates }: Configuration, { rules, profiles }: FolderRules): void {
    const own = new Map<string, ConfigFile>();
    const given = [rules, ...profiles.values()];
    for (const file of templates) {
      const loaded = loadRule(file.text, { tables: tablesNamedIn(file.text), isNew: true });
      if ('problems' in loaded) this.inFile(file, loaded.problems);
      else {
        const { name } = loaded.rule;
        const [same] = given.flatMap((group) => group.get(name) ?? []);
        if (same)
          this.problems.push(
            `${file.path}: ${same.path} has ${name} already: give the template another name`,
          );
        this.once(file, own, name, file);
      }
    }
  }

  charts(configuration: Configuration): Map<string, Chart> {
    const charts = new Map<string, Chart>();
    for (const file of configuration.charts) {
      this.attempt(() => charts.set(file.name, readChart(parseYaml(file.path, file.text), file.path)));
    }
    const known = new Set(configuration.charts.map(({ name }) => name));
    for (const { slug, chart } of configuration.organizations) {
      if (chart !== undefined && !known.has(chart)) {
        this.problems.push(
          `organizations.yaml: ${slug} has the chart ${chart}, and there is no chart/${chart}.yaml`,
        );
      }
    }
    return charts;
  }

  /** Of rules that the folder does not have, no more than their form is checked here. */
  settings({ organizations }: Configuration, folder: FolderRules): Map<string, Map<string, SettingTexts>> {
    const all = new Map<string, Map<string, SettingTexts>>();
    for (const { slug, currency, profile = DEFAULT_PROFILE, ruleSettings = {} } of organizations) {
      const rules = rulesFor(folder, profile);
      const own = new Map<string, SettingTexts>();
      for (const [rule, values] of Object.entries(ruleSettings)) {
        const place = `organizations.yaml: ${slug}: ruleSettings.${rule}`;
        const texts = this.texts(place, values);
        const file = rules.get(rule);
        const declared = file && declaredIn(file);
        for (const { name, message } of declared ? settingsProblems(declared, texts, currency) : [])
          this.problems.push(`${place}.${name}: ${message}`);
        own.set(rule, texts);
      }
      all.set(slug, own);
    }
    return all;
  }

  private texts(place: string, values: unknown): SettingTexts {
    if (!isObject(values)) {
      this.problems.push(`${place} must be a map of settings and values`);
      return {};
    }
    const texts = Object.entries(values).map(([name, value]): [string, string] => {
      if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number')
        this.problems.push(`${place}.${name}: it is text, true, false or a number`);
      return [name, String(value)];
    });
    return Object.fromEntries(texts);
  }

  sources({ sources }: Configuration, providers: SourceProviders): void {
    const known = providers.ids.join(', ');
    for (const { slug, provider: id, settings, credentials, liveSecrets } of sources) {
      const provider = providers.find(id);
      if (!provider) this.problems.push(`sources.yaml: ${slug} has the provider ${id}; there are ${known}`);
      else
        this.problems.push(
          ...checkSettings(provider, settings).map(
            ({ name, message }) => `sources.yaml: ${slug}: settings.${name} ${message}`,
          ),
          ...Object.keys(credentials)
            .filter((name) => !Object.hasOwn(provider.api?.credentials ?? {}, name))
            .map((name) => `sources.yaml: ${slug}: credentials.${name} is none that ${provider.title} has`),
          ...liveSecrets
            .flatMap((secret) => secretProblem(provider, secret) ?? [])
            .map((problem) => `sources.yaml: ${slug}: the secret in the environment ${problem}`),
        );
    }
  }

  private inFile({ path }: ConfigFile, problems: readonly RuleProblem[]): void {
    this.problems.push(
      ...problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`),
    );
  }

  private once<T>({ path }: ConfigFile, into: Map<string, T>, name: string, value: T): void {
    if (into.has(name)) this.problems.push(`${path}: another file has ${name} already`);
    else into.set(name, value);
  }

  private attempt(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      this.problems.push(error.message);
    }
  }
}

function declaredIn({ text }: ConfigFile): readonly RuleSetting[] {
  const loaded = loadRule(text, { tables: [] });
  return ('rule' in loaded ? loaded.rule.settings : loaded.head.settings) ?? [];
}
