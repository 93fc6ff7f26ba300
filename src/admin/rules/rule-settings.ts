import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { Catalog } from '../../deliveries/catalog';
import type { Actor } from '../../http/caller';
import { jsonPointer } from '../../kernel/json-pointer';
import { isLosslessNumber, type LosslessJson } from '../../kernel/lossless-json';
import type { Organization } from '../../kernel/organization';
import { type FieldError, Problem } from '../../kernel/problem';
import { ownText, type RuleSetting, settingsProblems, type SettingTexts } from '../../rules/rule-settings';
import { RulesRepository, type RuleWithDocument } from '../../rules/rules.repository';
import { AuditRepository } from '../audit.repository';
import { MAX_SHOWN } from './document-problems';
import { RuleAdministration } from './rule-administration';
import type { RuleSettingsView } from './rule-settings.dto';
import { Trials } from './trials';

/** What an organization sets on a rule without changing its document. */
@Injectable()
export class RuleSettings {
  constructor(
    private readonly database: Database,
    private readonly rules: RulesRepository,
    private readonly administration: RuleAdministration,
    private readonly catalog: Catalog,
    private readonly audit: AuditRepository,
    private readonly trials: Trials,
  ) {}

  /** @throws Problem not-found; saturated */
  async show(organization: Organization, name: string): Promise<RuleSettingsView> {
    const rule = await this.administration.get(organization, name);
    const texts = await this.rules.settingsOf(organization.id, name);
    return viewOf(rule, await this.declared(organization, rule), texts);
  }

  /**
   * Replaces all that is set: what is left out has its default again.
   * @throws Problem not-found; validation-failed naming each value that does not fit; conflict when the rule changed
   *   meanwhile; saturated
   */
  async put(
    actor: Actor,
    name: string,
    values: ReadonlyMap<string, LosslessJson>,
    reason: string | undefined,
  ): Promise<RuleSettingsView> {
    const { organization } = actor;
    const rule = await this.administration.get(organization, name);
    const declared = await this.declared(organization, rule);
    const texts = checked(declared, values, organization);
    await this.database.transaction(async (tx) => {
      await this.catalog.changed(tx);
      const now = await this.administration.get(organization, name, tx);
      if (now.version !== rule.version)
        throw new Problem('conflict', 'The rule got another version meanwhile: read its settings again');
      const before = await this.rules.settingsOf(organization.id, name, tx);
      if (isDeepStrictEqual(before, texts)) return;
      await this.rules.setSettings(tx, organization.id, name, texts);
      await this.audit.record(tx, actor, {
        action: 'rule.settings',
        subject: name,
        before: { ...before },
        after: { ...texts },
        reason,
      });
    });
    await this.catalog.refresh();
    return viewOf(rule, declared, texts);
  }

  private async declared({ id }: Organization, rule: RuleWithDocument): Promise<readonly RuleSetting[]> {
    const tables = [...(await this.rules.tableNames(id))];
    const { document } = rule;
    const read = await this.trials.check(id, { document, tables, settings: new Map(), stored: true });
    return read.settings;
  }
}

function viewOf(
  { name: rule, version }: RuleWithDocument,
  declared: readonly RuleSetting[],
  texts: SettingTexts,
): RuleSettingsView {
  const names = new Set(declared.map(({ name }) => name));
  return {
    rule,
    version,
    settings: declared.map(({ name, type, of, description, default: standard }) => {
      const set = ownText(texts, name);
      const value = set ?? standard;
      return {
        name,
        type,
        of: of ? [...of] : null,
        description,
        default: standard,
        value,
        isSet: set !== undefined,
      };
    }),
    undeclared: Object.keys(texts).filter((name) => !names.has(name)),
  };
}

function checked(
  declared: readonly RuleSetting[],
  values: ReadonlyMap<string, LosslessJson>,
  { currency }: Organization,
): SettingTexts {
  const read = [...values].map(([name, value]) => ({ name, text: textOf(value) }));
  const texts: SettingTexts = Object.fromEntries(
    read.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])),
  );
  const problems = read
    .filter(({ text }) => text === undefined)
    .map(({ name }) => ({ name, message: 'it is text, true, false or a number' }));
  problems.push(...settingsProblems(declared, texts, currency));
  if (problems.length === 0) return texts;
  const errors = problems.slice(0, MAX_SHOWN).map(({ name, message }): FieldError => ({
    pointer: jsonPointer(['settings', name]),
    ...{ code: 'setting', message },
  }));
  throw new Problem('validation-failed', 'The settings do not fit what the rule declares', { errors });
}

function textOf(value: LosslessJson): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return isLosslessNumber(value) ? value.toString() : undefined;
}
