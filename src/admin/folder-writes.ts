import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { Catalog } from '../deliveries/catalog';
import { SettingError } from '../config/settings';
import type { Organization } from '../kernel/organization';
import { loadRule } from '../rules/load-rule';
import type { LookupTable, LookupTables } from '../rules/lookup-table';
import type { SettingTexts } from '../rules/rule-settings';
import { RulesRepository } from '../rules/rules.repository';
import { AuditRepository, CONFIGURATION_FOLDER } from './audit.repository';
import { type CheckedConfiguration, rulesFor } from './check-configuration';

/** A record that the configuration folder can speak of; `name` is a source's slug. */
type FiledRecord =
  | { kind: 'organization'; organizationId: string }
  | { kind: 'profile'; organizationId: string }
  | { kind: 'source' | 'rule' | 'ruleSettings' | 'lookupTable'; organizationId: string; name: string };

/**
 * Writes what the configuration folder says of an organization, each file once until it changes: what operators changed
 * since then outlasts a restart.
 */
@Injectable()
export class FolderWrites {
  constructor(
    private readonly rules: RulesRepository,
    private readonly catalog: Catalog,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Gives an organization every rule of the folder, its profile's among them, and every lookup table that it was not
   * given before as it is now.
   */
  async putRules(
    tx: Transaction,
    organizationId: string,
    profile: string,
    folder: CheckedConfiguration,
  ): Promise<void> {
    await this.putTables(tx, organizationId, folder.tables);
    const given = [...rulesFor(folder, profile)].map(([name, { text }]) => ({
      ...{ name, document: text, fileDigest: digest(text) },
    }));
    const kept = await this.rules.folderDigests(tx, organizationId);
    const said = given.filter(({ name, fileDigest }) => !isSame(kept.get(name), fileDigest));
    if (said.length === 0) return;
    // First, like everybody: changes take turns, and no two can wait for each other.
    await this.catalog.changed(tx);
    const put = await this.rules.putNew(tx, organizationId, said);
    for (const { name, document, fileDigest } of said)
      if (!put.has(name))
        await this.ifNew(tx, { kind: 'rule', organizationId, name }, fileDigest, () =>
          this.putRule(tx, organizationId, name, document),
        );
  }

  private async putTables(tx: Transaction, organizationId: string, tables: LookupTables): Promise<void> {
    const given = [...tables.values()].map((table) => ({ table, fileDigest: tableDigest(table) }));
    const kept = await this.rules.folderDigestsOfTables(tx, organizationId);
    const said = given.filter(({ table, fileDigest }) => !isSame(kept.get(table.name), fileDigest));
    if (said.length === 0) return;
    await this.catalog.changed(tx);
    const put = await this.rules.putNewTables(tx, organizationId, said);
    for (const { table, fileDigest } of said)
      if (!put.has(table.name))
        await this.ifNew(tx, { kind: 'lookupTable', organizationId, name: table.name }, fileDigest, () =>
          this.putTable(tx, organizationId, table),
        );
  }

  /** What an operator put may be replaced: who did that, and when, has to be found. */
  private async putTable(tx: Transaction, organizationId: string, table: LookupTable): Promise<void> {
    const before = await this.rules.findTable(organizationId, table.name, tx);
    await this.rules.putTable(tx, organizationId, table);
    if (before)
      await this.audit.record(tx, CONFIGURATION_FOLDER, {
        ...{ organizationId, action: 'table.put', subject: table.name },
        before: { entries: Object.fromEntries(before.entries) },
        after: { entries: Object.fromEntries(table.entries) },
      });
  }

  private async putRule(
    tx: Transaction,
    organizationId: string,
    name: string,
    document: string,
  ): Promise<void> {
    const before = await this.rules.find(organizationId, name, tx);
    const version = await this.rules.put(tx, organizationId, name, document);
    if (before)
      await this.audit.record(tx, CONFIGURATION_FOLDER, {
        ...{ organizationId, action: 'rule.put', subject: name },
        before: { version: before.version, enabled: before.enabled },
        after: { version, enabled: before.enabled },
      });
  }

  /** Gives an organization the lookup tables of the folder whose names it does not have, which rules cannot do without. */
  async putMissingTables(
    tx: Transaction,
    organizationId: string,
    { tables }: Pick<CheckedConfiguration, 'tables'>,
  ): Promise<void> {
    const there = await this.rules.tableNames(organizationId, tx);
    for (const [name, table] of tables) {
      if (there.has(name)) continue;
      await this.rules.putTable(tx, organizationId, table);
      const record = { kind: 'lookupTable', organizationId, name } as const;
      await this.keep(tx, record, tableDigest(table));
    }
  }

  /**
   * Sets what the folder says of an organization's rules, and was not said before.
   * @throws SettingError when there is no such rule, or a rule cannot be read with what is set on it
   */
  async putSettings(
    tx: Transaction,
    { id: organizationId, slug }: Pick<Organization, 'id' | 'slug'>,
    settings: ReadonlyMap<string, SettingTexts>,
  ): Promise<void> {
    for (const [name, texts] of settings) {
      if (!(await this.rules.find(organizationId, name, tx)))
        throw new SettingError(`organizations.yaml: ${slug}: ruleSettings.${name}: there is no such rule`);
      const record = { kind: 'ruleSettings', organizationId, name } as const;
      await this.ifNew(tx, record, digest(JSON.stringify(texts)), () =>
        this.rules.setSettings(tx, organizationId, name, texts),
      );
    }
    await this.refuseMisfits(tx, organizationId, slug);
  }

  /** A rule whose settings do not fit cannot be read, and would stop all work of its organization. */
  private async refuseMisfits(tx: Transaction, organizationId: string, slug: string): Promise<void> {
    const tables = await this.rules.tableNames(organizationId, tx);
    const settings = await this.rules.allSettingsOf(organizationId, tx);
    for (const name of settings.keys()) {
      const rule = await this.rules.find(organizationId, name, tx);
      const loaded = rule && loadRule(rule.document, { tables, settings });
      if (loaded === undefined || 'rule' in loaded) continue;
      const [first] = loaded.problems;
      throw new SettingError(`${slug}: rule ${name}: ${first?.line}:${first?.column}: ${first?.message}`);
    }
  }

  /**
   * Does what the folder says of a record, unless it said just that before.
   * @param before digests of the same, made with keys that are no longer current
   */
  async ifNew(
    tx: Transaction,
    record: FiledRecord,
    said: Buffer,
    put: () => Promise<unknown>,
    before: readonly Buffer[] = [],
  ): Promise<void> {
    if (await this.knows(tx, record, [said])) return;
    // First, like everybody: changes take turns, and no two can wait for each other.
    await this.catalog.changed(tx);
    if (!(await this.knows(tx, record, before))) await put();
    await this.keep(tx, record, said);
  }

  /** Whether what the folder said last is one of these. */
  async knows(tx: Transaction, record: FiledRecord, digests: readonly Buffer[]): Promise<boolean> {
    if (digests.length === 0) return false;
    const kept = (await this.find(tx, record))?.fileDigest;
    return digests.some((digest) => isSame(kept, digest));
  }

  /** Keeps what was said of a record that is there. */
  async keep(tx: Transaction, record: FiledRecord, digest: Buffer): Promise<void> {
    const kept = new Uint8Array(digest);
    const data = { fileDigest: kept };
    const { organizationId } = record;
    if (record.kind === 'organization')
      await tx.organization.update({ where: { id: organizationId }, data, select: { id: true } });
    else if (record.kind === 'profile')
      await tx.organization.updateMany({ where: { id: organizationId }, data: { profileDigest: kept } });
    else if (record.kind === 'source')
      await tx.source.updateMany({ where: { organizationId, slug: record.name }, data });
    else if (record.kind === 'rule')
      await tx.rule.updateMany({ where: { organizationId, name: record.name }, data });
    else if (record.kind === 'ruleSettings')
      await tx.rule.updateMany({
        where: { organizationId, name: record.name },
        data: { settingsDigest: kept },
      });
    else await tx.lookupTable.updateMany({ where: { organizationId, name: record.name }, data });
  }

  private async find(
    tx: Transaction,
    record: FiledRecord,
  ): Promise<{ fileDigest: Uint8Array | null } | null> {
    const select = { fileDigest: true } as const;
    const { organizationId } = record;
    if (record.kind === 'organization')
      return tx.organization.findUnique({ where: { id: organizationId }, select });
    if (record.kind === 'profile') {
      const found = await tx.organization.findUnique({
        where: { id: organizationId },
        select: { profileDigest: true },
      });
      return found && { fileDigest: found.profileDigest };
    }
    const { name } = record;
    if (record.kind === 'source')
      return tx.source.findUnique({ where: { organizationId_slug: { organizationId, slug: name } }, select });
    const where = { organizationId_name: { organizationId, name } };
    if (record.kind === 'ruleSettings') {
      const rule = await tx.rule.findUnique({ where, select: { settingsDigest: true } });
      return rule && { fileDigest: rule.settingsDigest };
    }
    return record.kind === 'rule'
      ? tx.rule.findUnique({ where, select })
      : tx.lookupTable.findUnique({ where, select });
  }
}

function isSame(kept: Uint8Array | null | undefined, digest: Buffer): boolean {
  return kept != null && digest.equals(kept);
}

function tableDigest({ entries }: LookupTable): Buffer {
  return digest(JSON.stringify([...entries]));
}

/** Of text that is no secret. */
export function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
