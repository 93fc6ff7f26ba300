import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { Catalog } from '../../deliveries/catalog';
import type { Caller } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { isRuleName, loadRule } from '../../rules/load-rule';
import { RulesRepository, type RuleWithDocument } from '../../rules/rules.repository';
import { AuditRepository, type Change } from '../audit.repository';
import { documentRefused, MAX_SHOWN } from './document-problems';
import type { PutRule, RuleCheck } from './rules.dto';

/** Every event is held against every rule that listens to it. */
const MOST_RULES = 1_000;

/** Puts rules, and puts them in and out of force, with the audit log. */
@Injectable()
export class RuleAdministration {
  constructor(
    private readonly database: Database,
    private readonly rules: RulesRepository,
    private readonly catalog: Catalog,
    private readonly audit: AuditRepository,
  ) {}

  /** @throws Problem not-found */
  async get(organization: Organization, name: string, tx?: Transaction): Promise<RuleWithDocument> {
    const rule = isRuleName(name) ? await this.rules.find(organization.id, name, tx) : undefined;
    if (!rule) throw new Problem('not-found', 'There is no such rule');
    return rule;
  }

  /** What is right and wrong with a document; nothing is stored. */
  async check(organization: Organization, document: string): Promise<RuleCheck> {
    const loaded = loadRule(document, { tables: await this.rules.tableNames(organization.id) });
    const { name, event } = 'rule' in loaded ? loaded.rule : loaded.head;
    const problems = 'rule' in loaded ? [] : loaded.problems.slice(0, MAX_SHOWN);
    return {
      valid: problems.length === 0,
      name: name ?? null,
      event: event ?? null,
      problems: problems.map(({ line, column, message }) => ({ line, column, message })),
    };
  }

  /**
   * Puts a document into force: a new version when its text is new, else the version that has it. A rule that is
   * disabled stays so.
   * @throws Problem validation-failed with lines and columns; conflict when there are too many rules
   */
  async put(
    organization: Organization,
    caller: Caller,
    name: string,
    document: string,
    reason: string | undefined,
  ): Promise<PutRule> {
    const { id: organizationId } = organization;
    // Tables are never taken away, so what is right now stays right.
    const loaded = loadRule(document, { tables: await this.rules.tableNames(organizationId), name });
    if ('problems' in loaded) throw documentRefused(loaded.problems);
    const now = await this.rules.find(organizationId, name);
    if (now?.document === document) return { name, version: now.version };
    const version = await this.database.transaction(async (tx) => {
      await this.catalog.changed(tx);
      const before = await this.rules.find(organizationId, name, tx);
      if (before?.document === document) return before.version;
      if (!before && (await this.rules.count(tx, organizationId)) >= MOST_RULES)
        throw new Problem('conflict', `An organization has at most ${MOST_RULES} rules`);
      const put = await this.rules.put(tx, organizationId, name, document);
      const enabled = before?.enabled ?? true;
      await this.record(tx, organization, caller, {
        action: 'rule.put',
        subject: name,
        ...(before && { before: { version: before.version, enabled } }),
        after: { version: put, enabled },
        reason,
      });
      return put;
    });
    await this.catalog.refresh();
    return { name, version };
  }

  /** @throws Problem not-found; validation-failed when its document cannot be read any more */
  async enable(
    organization: Organization,
    caller: Caller,
    name: string,
    reason: string | undefined,
  ): Promise<RuleWithDocument> {
    const { document } = await this.get(organization, name);
    const loaded = loadRule(document, { tables: await this.rules.tableNames(organization.id) });
    if ('problems' in loaded) throw documentRefused(loaded.problems);
    return this.turn(organization, caller, name, true, reason);
  }

  /** @throws Problem not-found */
  disable(
    organization: Organization,
    caller: Caller,
    name: string,
    reason: string | undefined,
  ): Promise<RuleWithDocument> {
    return this.turn(organization, caller, name, false, reason);
  }

  private async turn(
    organization: Organization,
    caller: Caller,
    name: string,
    enabled: boolean,
    reason: string | undefined,
  ): Promise<RuleWithDocument> {
    const now = await this.get(organization, name);
    if (now.enabled === enabled) return now;
    const turned = await this.database.transaction(async (tx) => {
      await this.catalog.changed(tx);
      const before = await this.get(organization, name, tx);
      if (before.enabled === enabled) return before;
      await this.rules.setEnabled(tx, organization.id, name, enabled);
      await this.record(tx, organization, caller, {
        action: enabled ? 'rule.enable' : 'rule.disable',
        subject: name,
        before: { version: before.version, enabled: before.enabled },
        after: { version: before.version, enabled },
        reason,
      });
      return { ...before, enabled };
    });
    await this.catalog.refresh();
    return turned;
  }

  private record(
    tx: Transaction,
    { id: organizationId }: Organization,
    caller: Caller,
    { reason, ...change }: Change,
  ): Promise<void> {
    return this.audit.record(caller, { organizationId, ...change, ...(reason && { reason }) }, tx);
  }
}
