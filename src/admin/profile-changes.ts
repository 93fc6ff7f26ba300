import { Injectable } from '@nestjs/common';
import type { ConfigFile } from '../config/configuration';
import type { Transaction } from '../database/transaction';
import { grouped } from '../kernel/grouped';
import type { Caller } from '../http/caller';
import type { CompiledRule } from '../rules/compiled-rule';
import { budgetExcess } from '../rules/event-budget';
import { loadRule } from '../rules/load-rule';
import { inOrder } from '../rules/rule-order';
import { RulesRepository, type RuleState, type StoredRule } from '../rules/rules.repository';
import { OrganizationsRepository, type OrganizationRecord } from '../organizations/organizations.repository';
import { AuditRepository, type Change } from './audit.repository';
import type { CheckedConfiguration } from './check-configuration';
import { digest, FolderWrites } from './folder-writes';
import type { ProfileChangeView } from './organizations.dto';
import { MOST_RULES } from './rules/rule-administration';

/** What a change of profile did so far, with the records of it for the audit log. */
interface Progress extends ProfileChangeView {
  readonly audit: Change[];
}

/** A rule of the folder, and as it stands in the organization; undefined: it has none of its name. */
interface FiledRule {
  readonly name: string;
  readonly text: string;
  readonly state: RuleState | undefined;
}

/**
 * Gives an organization another profile of the configuration folder: rules that only the old one has act no more, those
 * of the new one do. What operators changed themselves stays. What was booked stays as it is.
 */
@Injectable()
export class ProfileChanges {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly rules: RulesRepository,
    private readonly writes: FolderWrites,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * To be called in a transaction that has told the catalog of a change and locked the organization's record.
   * @param caller in whose name it stands in the audit log
   * @param to a profile that the folder has, and why
   * @returns what was done; or why the rules could not work together afterwards, a sentence: the transaction has to end
   */
  async apply(
    tx: Transaction,
    caller: Caller,
    { id: organizationId, profile: before }: OrganizationRecord,
    { profile, reason }: { profile: string; reason?: string | null },
    folder: CheckedConfiguration,
  ): Promise<ProfileChangeView | { problem: string }> {
    const none: ReadonlyMap<string, ConfigFile> = new Map();
    const old = folder.profiles.get(before) ?? none;
    const own = folder.profiles.get(profile) ?? none;
    const states = await this.rules.states(tx, organizationId, [...old.keys(), ...own.keys()]);
    const progress: Progress = { put: [], enabled: [], disabled: [], kept: [], audit: [] };
    await this.organizations.update(tx, organizationId, { profile });
    await this.writes.putMissingTables(tx, organizationId, folder);
    for (const [name, { text }] of old)
      if (!own.has(name))
        await this.leave(tx, organizationId, { name, text, state: states.get(name) }, progress);
    for (const [name, { text }] of own)
      await this.take(tx, organizationId, { name, text, state: states.get(name) }, progress);
    const problem = await this.problemOf(tx, organizationId);
    if (problem !== undefined) return { problem };
    const { audit, ...done } = progress;
    const changes = audit.map((change) => ({ ...change, organizationId, reason }));
    if (changes.length > 0) await this.audit.recordAll(tx, caller, changes);
    return done;
  }

  /** A rule that the new profile does not have. */
  private async leave(
    tx: Transaction,
    organizationId: string,
    { name, text, state }: FiledRule,
    progress: Progress,
  ): Promise<void> {
    if (!state?.enabled) return;
    const { version } = state;
    if (isChanged(state, text)) {
      progress.kept.push(name);
      return;
    }
    await this.rules.setEnabled(tx, organizationId, name, false, true);
    progress.disabled.push(name);
    progress.audit.push({
      ...{ action: 'rule.disable', subject: name },
      ...{ before: { version, enabled: true }, after: { version, enabled: false } },
    });
  }

  /** A rule of the new profile. */
  private async take(
    tx: Transaction,
    organizationId: string,
    { name, text, state }: FiledRule,
    progress: Progress,
  ): Promise<void> {
    const { put, enabled, kept, audit } = progress;
    const record = { kind: 'rule', organizationId, name } as const;
    if (state && isChanged(state, text)) {
      kept.push(name);
      // The folder has spoken: a start must not put its text over what operators wrote.
      await this.writes.keep(tx, record, digest(text));
      return;
    }
    const before = state && { version: state.version, enabled: state.enabled };
    const version =
      state?.document === text ? state.version : await this.rules.put(tx, organizationId, name, text);
    await this.writes.keep(tx, record, digest(text));
    const acts = !state || state.enabled || state.profileDisabled;
    if (version !== state?.version) {
      put.push(name);
      const after = { version, enabled: before?.enabled ?? true };
      audit.push({ action: 'rule.put', subject: name, ...(before && { before }), after });
    }
    if (!acts) kept.push(name);
    else if (state?.enabled === false) {
      await this.rules.setEnabled(tx, organizationId, name, true);
      enabled.push(name);
      const states = { before: { version, enabled: false }, after: { version, enabled: true } };
      audit.push({ action: 'rule.enable', subject: name, ...states });
    }
  }

  /** Why the enabled rules cannot work together, as a sentence; undefined when they can. */
  private async problemOf(tx: Transaction, organizationId: string): Promise<string | undefined> {
    if ((await this.rules.count(tx, organizationId)) > MOST_RULES)
      return `an organization has at most ${MOST_RULES} rules`;
    const tables = await this.rules.tableNames(organizationId, tx);
    const stored = (await this.rules.allEnabled(tx, organizationId)).get(organizationId) ?? [];
    const rules: CompiledRule[] = [];
    for (const rule of stored) {
      const loaded = compiled(rule, tables);
      if (typeof loaded === 'string') return loaded;
      rules.push(loaded);
    }
    const [excess] = [...grouped(rules, ({ event }) => event).values()].flatMap(
      (listening) => budgetExcess(inOrder(listening)) ?? [],
    );
    return excess;
  }
}

/** Whether operators wrote the text that is in force, and not the folder, which has `text`. */
function isChanged({ document, fileDigest }: RuleState, text: string): boolean {
  if (document === text) return false;
  return fileDigest === null || !digest(document).equals(fileDigest);
}

function compiled(
  { name, document, settings, version }: StoredRule,
  tables: Iterable<string>,
): CompiledRule | string {
  const loaded = loadRule(document, { tables, settings: new Map([[name, settings]]) }, version);
  if ('rule' in loaded) return loaded.rule;
  const [first] = loaded.problems;
  return `rule ${name}: ${first?.line}:${first?.column}: ${first?.message}`;
}
