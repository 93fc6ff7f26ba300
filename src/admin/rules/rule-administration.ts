import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { Catalog } from '../../deliveries/catalog';
import type { Actor } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { CompiledRule } from '../../rules/compiled-rule';
import { budgetExcess } from '../../rules/event-budget';
import { isRuleName } from '../../rules/load-rule';
import { RulesRepository, type RuleWithDocument } from '../../rules/rules.repository';
import { inOrder } from '../../rules/rule-order';
import { type RuleTraits, warningsOf } from '../../rules/shared-keys';
import { ActiveRules } from '../../workflows/active-rules';
import { AuditRepository } from '../audit.repository';
import { documentRefused, MAX_SHOWN } from './document-problems';
import type { PutRule, RuleCheck } from './rules.dto';
import type { CheckAnswer, CheckedRule, CheckTask } from './trial';
import { Trials } from './trials';

/** Every event is held against every rule that listens to it. */
export const MOST_RULES = 1_000;

/** A document to be read. */
type Read = Pick<CheckTask, 'document' | 'name' | 'stored'>;

export interface PutOptions {
  reason: string | undefined;
  /** The version that is to be in force still; 0: none; undefined: whichever. */
  writtenFrom?: number | undefined;
}

/** Puts rules, and puts them in and out of force, with the audit log. */
@Injectable()
export class RuleAdministration {
  constructor(
    private readonly database: Database,
    private readonly rules: RulesRepository,
    private readonly catalog: Catalog,
    private readonly audit: AuditRepository,
    private readonly activeRules: ActiveRules,
    private readonly trials: Trials,
  ) {}

  /** @throws Problem not-found */
  async get(organization: Organization, name: string, tx?: Transaction): Promise<RuleWithDocument> {
    const rule = isRuleName(name) ? await this.rules.find(organization.id, name, tx) : undefined;
    if (!rule) throw new Problem('not-found', 'There is no such rule');
    return rule;
  }

  /**
   * What is right and wrong with a document; nothing is stored.
   * @throws Problem validation-failed when that takes too long to be found out; saturated
   */
  async check(organization: Organization, document: string): Promise<RuleCheck> {
    const { name, event, rule, problems } = await this.read(organization, { document });
    return {
      valid: problems.length === 0,
      name,
      event,
      warnings: rule ? await this.warningsOf(organization, rule) : [],
      problems: problems.slice(0, MAX_SHOWN).map(({ line, column, message }) => ({ line, column, message })),
    };
  }

  /**
   * Puts a document into force: a new version when its text is new, else the version that has it. A rule that is
   * disabled stays so.
   * @throws Problem validation-failed with lines and columns, or when the rules that listen to its event would cost too
   *   much together; conflict when there are too many rules, its settings changed meanwhile, or another version is in force
   *   than it was written from
   */
  async put(
    actor: Actor,
    name: string,
    document: string,
    { reason, writtenFrom }: PutOptions,
  ): Promise<PutRule> {
    const { id: organizationId } = actor.organization;
    // Tables are never taken away, so what is right now stays right.
    const now = isRuleName(name) ? await this.rules.find(organizationId, name) : undefined;
    const isStored = now?.document === document;
    const settings = now ? await this.rules.settingsOf(organizationId, name) : {};
    const read = await this.readOwn(actor.organization, { document, name, stored: isStored });
    const warnings = await this.warningsOf(actor.organization, read);
    if (isStored) return { name, version: now.version, warnings };
    if (now?.enabled !== false) this.refuseTooCostly(actor.organization, read);
    const version = await this.database.transaction(async (tx) => {
      await this.catalog.changed(tx);
      const before = await this.rules.find(organizationId, name, tx);
      if (before?.document === document) return before.version;
      const inForce = before?.version ?? 0;
      if (writtenFrom !== undefined && writtenFrom !== inForce)
        throw new Problem('conflict', notWrittenFrom(inForce));
      // What was set since then was checked against the version before.
      if (!isDeepStrictEqual(await this.rules.settingsOf(organizationId, name, tx), settings))
        throw new Problem('conflict', 'The settings of the rule were changed meanwhile: put it again');
      if (!before && (await this.rules.count(tx, organizationId)) >= MOST_RULES)
        throw new Problem('conflict', `An organization has at most ${MOST_RULES} rules`);
      const put = await this.rules.put(tx, organizationId, name, document);
      const enabled = before?.enabled ?? true;
      await this.audit.record(tx, actor, {
        action: 'rule.put',
        subject: name,
        ...(before && { before: { version: before.version, enabled } }),
        after: { version: put, enabled },
        reason,
      });
      return put;
    });
    await this.catalog.refresh();
    return { name, version, warnings };
  }

  /**
   * @throws Problem not-found; validation-failed when its document cannot be read any more, or the rules that listen to
   *   its event would cost too much together
   */
  async enable(actor: Actor, name: string, reason: string | undefined): Promise<RuleWithDocument> {
    const { document } = await this.get(actor.organization, name);
    this.refuseTooCostly(
      actor.organization,
      await this.readOwn(actor.organization, { document, name, stored: true }),
    );
    return this.turn(actor, name, true, reason);
  }

  /** @throws Problem not-found */
  disable(actor: Actor, name: string, reason: string | undefined): Promise<RuleWithDocument> {
    return this.turn(actor, name, false, reason);
  }

  /** What is not wrong, and seldom meant. */
  async warningsOf(organization: Organization, rule: CheckedRule): Promise<string[]> {
    const inForce = this.inForce(organization, rule);
    const isAmong = inForce.some(({ name }) => name === rule.name);
    return warningsOf(rule, inForce, isAmong ? undefined : await this.versionBefore(organization, rule.name));
  }

  /** The version in force of a rule, whether or not it is enabled: what it posted is known by its keys all the same. */
  private async versionBefore(organization: Organization, name: string): Promise<RuleTraits | undefined> {
    const stored = await this.rules.find(organization.id, name);
    if (!stored) return undefined;
    const { rule } = await this.read(organization, { document: stored.document, name, stored: true });
    return rule ?? undefined;
  }

  /** The rules in force for the rule's event. */
  private inForce({ id }: Organization, { event }: CheckedRule): readonly CompiledRule[] {
    return this.activeRules.listeningTo(id, event).rules;
  }

  private async read({ id }: Organization, document: Read): Promise<CheckAnswer> {
    return this.trials.check(id, {
      ...document,
      tables: [...(await this.rules.tableNames(id))],
      settings: await this.rules.allSettingsOf(id),
    });
  }

  private async readOwn(organization: Organization, document: Read): Promise<CheckedRule> {
    const { rule, problems } = await this.read(organization, document);
    if (!rule) throw documentRefused(problems);
    return rule;
  }

  /** The planner refuses such an event; whoever puts the rule should know at once. */
  private refuseTooCostly(organization: Organization, rule: CheckedRule): void {
    const others = this.inForce(organization, rule).filter(({ name }) => name !== rule.name);
    const message = budgetExcess(inOrder([...others, rule]));
    if (message === undefined) return;
    throw new Problem('validation-failed', `With this rule, ${message}`, {
      errors: [{ pointer: '', code: 'event-budget', message }],
    });
  }

  private async turn(
    actor: Actor,
    name: string,
    enabled: boolean,
    reason: string | undefined,
  ): Promise<RuleWithDocument> {
    const now = await this.get(actor.organization, name);
    if (now.enabled === enabled) return now;
    const turned = await this.database.transaction(async (tx) => {
      await this.catalog.changed(tx);
      const before = await this.get(actor.organization, name, tx);
      if (before.enabled === enabled) return before;
      await this.rules.setEnabled(tx, actor.organization.id, name, enabled);
      await this.audit.record(tx, actor, {
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
}

function notWrittenFrom(inForce: number): string {
  return inForce === 0
    ? 'There is no such rule yet: put it without a version, or with version 0'
    : `Version ${inForce} is in force, from which it was not written: compare both, and put it again`;
}
