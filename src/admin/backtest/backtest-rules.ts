import { Injectable } from '@nestjs/common';
import { Catalog } from '../../deliveries/catalog';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { CompiledRule } from '../../rules/compiled-rule';
import { isRuleName, loadRule } from '../../rules/load-rule';
import type { LookupTables } from '../../rules/lookup-table';
import { RulesRepository } from '../../rules/rules.repository';
import { ActiveRules, type OrganizationRules } from '../../workflows/active-rules';
import { Planner } from '../../workflows/planner';
import { documentRefused } from '../rules/document-problems';
import { RuleAdministration } from '../rules/rule-administration';
import { Trials } from '../rules/trials';

/** Which text of a rule is meant; neither: the version in force, enabled or not. */
export interface RuleChoice {
  name: string;
  version?: number | undefined;
  document?: string | undefined;
}

/** A text of a rule; version null: it is not stored. */
interface ChosenText {
  document: string;
  version: number | null;
}

/** The rules that a backtest plans with. */
export interface ChosenRules {
  planner: Planner;
  /** The version of the rule that was chosen; null: it is not stored, or none was chosen. */
  version: number | null;
}

/** Puts rules together for a backtest: those in force, with one of them in another version. */
@Injectable()
export class BacktestRules {
  constructor(
    private readonly activeRules: ActiveRules,
    private readonly rules: RulesRepository,
    private readonly administration: RuleAdministration,
    private readonly trials: Trials,
    private readonly catalog: Catalog,
  ) {}

  /**
   * @param chosen takes the place of the rule in force that has its name, or joins them
   * @throws Problem not-found; validation-failed for a document that is not right; conflict where a rule in force cannot be
   *   read here; saturated
   */
  async choose(organization: Organization, chosen?: RuleChoice): Promise<ChosenRules> {
    // Another replica may have changed rules or sources.
    await this.catalog.refresh();
    if (this.activeRules.unreadOrganizations.has(organization.id))
      throw new Problem(
        'conflict',
        'A rule in force was written for a newer version of Ponte and cannot be read here; ask a replica of that version',
      );
    const inForce = this.activeRules.of(organization.id);
    const { rules, tables } = inForce;
    if (!chosen) return { planner: plannerOf(organization, inForce), version: null };
    const { document, version } = await this.textOf(organization, chosen);
    const rule = await this.compile(organization, chosen, document, version, tables);
    const others = rules.filter(({ name }) => name !== rule.name);
    const all = [...others, rule].sort((left, right) => (left.name < right.name ? -1 : 1));
    return { planner: plannerOf(organization, { ...inForce, rules: all }), version };
  }

  private async textOf(
    organization: Organization,
    { name, version, document }: RuleChoice,
  ): Promise<ChosenText> {
    if (!isRuleName(name)) throw new Problem('not-found', 'There is no such rule');
    if (document !== undefined) return { document, version: null };
    if (version === undefined) return this.administration.get(organization, name);
    const [found] = await this.rules.versions(organization.id, name, 1, version + 1);
    if (found?.version !== version) throw new Problem('not-found', 'There is no such version of the rule');
    return found;
  }

  private async compile(
    organization: Organization,
    { name }: RuleChoice,
    document: string,
    version: number | null,
    tables: LookupTables,
  ): Promise<CompiledRule> {
    const [pointer, names] = [version === null ? '/document' : '', [...tables.keys()]];
    // Read in its own thread first: whatever it says, it keeps nobody else waiting.
    const settings = await this.rules.allSettingsOf(organization.id);
    const task = { document, tables: names, settings, name, stored: version !== null };
    const { problems } = await this.trials.check(organization.id, task);
    if (problems.length > 0) throw documentRefused(problems, pointer);
    const loaded = loadRule(document, { tables: names, settings, name }, version ?? undefined);
    if ('problems' in loaded) throw documentRefused(loaded.problems, pointer);
    return loaded.rule;
  }
}

function plannerOf({ id }: Organization, rules: OrganizationRules): Planner {
  const own = new ActiveRules();
  own.replace(new Map([[id, rules]]));
  return new Planner(own);
}
