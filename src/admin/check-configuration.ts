import { parseYaml, type ConfigFile, type Configuration } from '../config/configuration';
import { SettingError } from '../config/settings';
import type { Chart } from '../finance/embedded/chart/chart';
import { readChart } from '../finance/embedded/chart/read-chart';
import { loadRule } from '../rules/load-rule';
import { loadTable } from '../rules/load-table';
import type { LookupTable, LookupTables } from '../rules/lookup-table';
import type { RuleProblem } from '../rules/document/problems';
import { checkSettings } from '../sources/check-settings';
import type { SourceProviders } from '../sources/source-providers';

/** What the configuration folder's documents mean, once each is known to be right. */
export interface CheckedConfiguration {
  /** By the name of the rule. */
  rules: ReadonlyMap<string, ConfigFile>;
  tables: LookupTables;
  /** By the name of the file. */
  charts: ReadonlyMap<string, Chart>;
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
  const charts = check.charts(configuration);
  check.sources(configuration, providers);
  return check.problems.length > 0 ? { problems: check.problems } : { rules, tables, charts };
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
      const loaded = loadRule(file.text, { tables: tables.keys() });
      if ('problems' in loaded) this.inFile(file, loaded.problems);
      else this.once(file, rules, loaded.rule.name, file);
    }
    return rules;
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

  sources({ sources }: Configuration, providers: SourceProviders): void {
    const known = providers.ids.join(', ');
    for (const { slug, provider: id, settings } of sources) {
      const provider = providers.find(id);
      if (!provider) this.problems.push(`sources.yaml: ${slug} has the provider ${id}; there are ${known}`);
      else
        this.problems.push(
          ...checkSettings(provider, settings).map(
            ({ name, message }) => `sources.yaml: ${slug}: settings.${name} ${message}`,
          ),
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
