import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import type { CompiledRule } from '../rules/compiled-rule';
import { loadRule } from '../rules/load-rule';
import type { LookupTables } from '../rules/lookup-table';
import { DocumentKeys } from '../organizations/document-keys.repository';
import { RulesRepository, type StoredRule } from '../rules/rules.repository';
import type { SettingTexts } from '../rules/rule-settings';
import { ActiveRules, type OrganizationRules } from './active-rules';

/** What keeps an organization's rules from being put into force here. */
export interface BrokenRule {
  organizationId: string;
  /** One line: which rule cannot be read by this version of Ponte, where in it, and why; or that a secret cannot be opened. */
  message: string;
}

interface Kept {
  rule: CompiledRule;
  version: number;
  document: string;
  /** Names of the tables it was checked against. */
  tables: string;
  /** What was set on it then. */
  settings: SettingTexts;
}

/** Compiles the rules that are enabled, and puts them into the {@link ActiveRules}. */
@Injectable()
export class RuleLoader {
  /** By organization and name. A version is another document only where the database went back in between. */
  private compiled = new Map<string, Kept>();

  constructor(
    private readonly rules: RulesRepository,
    private readonly activeRules: ActiveRules,
    private readonly documentKeys: DocumentKeys,
  ) {}

  /**
   * Reads and compiles the rules of every organization.
   * @param tx absent: outside of any transaction
   * @returns puts them into force, and returns those that cannot be: their organizations keep what they had
   */
  async read(tx?: Transaction): Promise<() => BrokenRule[]> {
    const tables = await this.rules.allTables(tx);
    const rules = await this.rules.allEnabled(tx);
    const keys = await this.documentKeys.all(tx);
    return () => this.putIntoForce(rules, tables, keys);
  }

  private putIntoForce(
    stored: ReadonlyMap<string, readonly StoredRule[]>,
    tables: ReadonlyMap<string, LookupTables>,
    keys: ReadonlyMap<string, Uint8Array | Error>,
  ): BrokenRule[] {
    const broken: BrokenRule[] = [];
    const kept = new Map<string, Kept>();
    const all = new Map<string, OrganizationRules>();
    for (const organizationId of new Set([...stored.keys(), ...tables.keys(), ...keys.keys()])) {
      const own = tables.get(organizationId) ?? new Map<string, never>();
      const rules: CompiledRule[] = [];
      for (const rule of stored.get(organizationId) ?? []) {
        const result = this.compile(organizationId, rule, own);
        if ('message' in result) broken.push(result);
        else {
          kept.set(`${organizationId}/${rule.name}`, result);
          rules.push(result.rule);
        }
      }
      const documentKey = keys.get(organizationId);
      if (documentKey instanceof Error) broken.push({ organizationId, message: documentKey.message });
      else all.set(organizationId, { rules, tables: own, documentKey });
    }
    this.compiled = kept;
    this.activeRules.replace(all, new Set(broken.map(({ organizationId }) => organizationId)));
    return broken;
  }

  private compile(
    organizationId: string,
    { name, version, document, settings }: StoredRule,
    tables: LookupTables,
  ): Kept | BrokenRule {
    const names = [...tables.keys()].sort().join('\n');
    const before = this.compiled.get(`${organizationId}/${name}`);
    const isSame = before?.version === version && before.document === document && before.tables === names;
    if (isSame && isDeepStrictEqual(before.settings, settings)) return before;
    const environment = { tables: tables.keys(), settings: new Map([[name, settings]]) };
    const loaded = loadRule(document, environment, version);
    if ('rule' in loaded) return { rule: loaded.rule, version, document, tables: names, settings };
    const [first] = loaded.problems;
    return {
      organizationId,
      message: `rule ${name} version ${version}: ${first?.line}:${first?.column}: ${first?.message}`,
    };
  }
}
