import { Injectable } from '@nestjs/common';
import { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { grouped } from '../kernel/grouped';
import { loadRule } from './load-rule';
import { LookupTable, type LookupTables } from './lookup-table';
import type { SettingTexts } from './rule-settings';

/** A rule document with the number of its version. */
export interface StoredRule {
  name: string;
  version: number;
  document: string;
  /** What the organization has set on it. */
  settings: SettingTexts;
}

/** A rule as it stands: the version in force, and whether it is enabled. */
export interface RuleRecord {
  name: string;
  version: number;
  enabled: boolean;
  /** The event it acts on; null where the document says none that this version of Ponte knows. */
  event: string | null;
  /** When the version in force was put for the first time. */
  createdAt: Date;
}

/** A rule as it stands, with what the configuration folder and a change of profile have to know of it. */
export interface RuleState {
  name: string;
  version: number;
  enabled: boolean;
  document: string;
  /** Digest of what the configuration folder last said of it; null: it never spoke of it. */
  fileDigest: Uint8Array | null;
  /** A change of profile disabled it, and nobody has enabled or disabled it since. */
  profileDisabled: boolean;
}

/** A rule of a list. */
export type RuleWithOpening = RuleRecord & {
  /** What its document begins with, at most 2,000 characters. */
  opening: string;
};

export type RuleWithDocument = RuleRecord & { document: string };

/** What the configuration folder has of a rule or a lookup table, with the digest that is kept of it. */
export type FromFolder<Document> = Document & { fileDigest: Uint8Array };

/** One version of a rule. */
export interface RuleVersionRecord {
  version: number;
  createdAt: Date;
  document: string;
}

/** Longest list of rules or tables that is read as a whole. */
const MOST = 1_000;
/** Characters of a document that a list reads: the comment that it begins with. */
const OPENING = 2_000;

/** Rule documents and lookup tables as stored. Versions are never changed, only added. */
@Injectable()
export class RulesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Puts a document into force: a new version when its text is new, else the version that has it. Of two at once the
   * second waits until the transaction of the first has ended.
   * @returns the number of the version in force
   */
  async put(tx: Transaction, organizationId: string, name: string, document: string): Promise<number> {
    await tx.$executeRaw`
      select pg_advisory_xact_lock(hashtextextended(${`ponte/rule/${organizationId}/${name}`}, 0))`;
    const same = await tx.ruleVersion.findFirst({
      where: { organizationId, name, document },
      select: { version: true },
      orderBy: { version: 'desc' },
    });
    const version = same?.version ?? (await this.newestVersion(tx, organizationId, name)) + 1;
    if (!same) {
      const event = eventOf(document);
      await tx.ruleVersion.create({ data: { organizationId, name, version, document, event } });
    }
    await tx.rule.upsert({
      where: { organizationId_name: { organizationId, name } },
      create: { organizationId, name, version },
      update: { version },
    });
    await this.markPut(tx, organizationId);
    return version;
  }

  /**
   * Puts rules into force that an organization never had, all with one statement: a new organization gets a dozen. To be
   * called in a transaction that has told the catalog of a change, so that nobody else puts rules meanwhile.
   * @returns the names of those that were put; the others had versions before, and are as they were
   */
  async putNew(
    tx: Transaction,
    organizationId: string,
    given: readonly FromFolder<{ name: string; document: string }>[],
  ): Promise<ReadonlySet<string>> {
    const rows = given.map(({ name, document, fileDigest }) => ({
      ...{ name, document, event: eventOf(document) },
      digest: Buffer.from(fileDigest).toString('hex'),
    }));
    const put = await tx.$queryRaw<{ name: string }[]>`
      with given as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as g(name text, document text, event text, digest text)
      ), versions as (
        insert into rule_version (organization_id, name, version, document, event, created_at)
        select ${organizationId}::uuid, g.name, 1, g.document, g.event, clock_timestamp() from given g
        where not exists (
          select from rule_version v where v.organization_id = ${organizationId}::uuid and v.name = g.name)
        returning name
      )
      insert into rule (organization_id, name, version, file_digest)
      select ${organizationId}::uuid, g.name, 1, decode(g.digest, 'hex') from given g join versions using (name)
      returning name`;
    if (put.length > 0) await this.markPut(tx, organizationId);
    return new Set(put.map(({ name }) => name));
  }

  /** What the configuration folder last said of an organization's rules, by their names; null: it never spoke of it. */
  async folderDigests(tx: Transaction, organizationId: string): Promise<Map<string, Uint8Array | null>> {
    const rows = await tx.rule.findMany({
      where: { organizationId },
      select: { name: true, fileDigest: true },
    });
    return new Map(rows.map(({ name, fileDigest }) => [name, fileDigest]));
  }

  /** @param byProfile whether a change of profile does so, which a later one then takes back */
  async setEnabled(
    tx: Transaction,
    organizationId: string,
    name: string,
    enabled: boolean,
    byProfile = false,
  ): Promise<void> {
    const where = { organizationId_name: { organizationId, name } };
    await tx.rule.update({ where, data: { enabled, profileDisabled: byProfile && !enabled } });
  }

  /** Those of the rules that an organization has, by name. */
  async states(
    tx: Transaction,
    organizationId: string,
    names: Iterable<string>,
  ): Promise<Map<string, RuleState>> {
    const rows = await tx.$queryRaw<RuleState[]>`
      select r.name, r.version, r.enabled, v.document, r.file_digest as "fileDigest",
        r.profile_disabled as "profileDisabled"
      from rule r join rule_version v
        on v.organization_id = r.organization_id and v.name = r.name and v.version = r.version
      where r.organization_id = ${organizationId}::uuid and r.name = any(${[...names]})`;
    return new Map(rows.map((row) => [row.name, row]));
  }

  /** An organization's rules, disabled ones too, in the order of their names; at most 1,000. */
  async list(organizationId: string): Promise<RuleWithOpening[]> {
    return this.database.prisma.$queryRaw<RuleWithOpening[]>`
      select r.name, r.version, r.enabled, v.event, v.created_at as "createdAt",
        left(v.document, ${OPENING}::int) as opening
      from rule r join rule_version v
        on v.organization_id = r.organization_id and v.name = r.name and v.version = r.version
      where r.organization_id = ${organizationId}::uuid
      order by r.name collate "C" limit ${MOST}`;
  }

  /** @param tx absent: outside of any transaction */
  async find(
    organizationId: string,
    name: string,
    tx: Transaction = this.database.prisma,
  ): Promise<RuleWithDocument | undefined> {
    const [row] = await tx.$queryRaw<RuleWithDocument[]>`
      select r.name, r.version, r.enabled, v.event, v.created_at as "createdAt", v.document
      from rule r join rule_version v
        on v.organization_id = r.organization_id and v.name = r.name and v.version = r.version
      where r.organization_id = ${organizationId}::uuid and r.name = ${name}`;
    return row;
  }

  /** How many rules an organization has. */
  count(tx: Transaction, organizationId: string): Promise<number> {
    return tx.rule.count({ where: { organizationId } });
  }

  /** A rule's versions, newest first. @param before only those with a lower number */
  async versions(
    organizationId: string,
    name: string,
    limit: number,
    before?: number,
  ): Promise<RuleVersionRecord[]> {
    return this.database.prisma.ruleVersion.findMany({
      where: { organizationId, name, ...(before !== undefined && { version: { lt: before } }) },
      select: { version: true, createdAt: true, document: true },
      orderBy: { version: 'desc' },
      take: limit,
    });
  }

  /**
   * The enabled rules in the versions in force, by organization, in the order of their names.
   * @param organizationId absent: of every organization
   */
  async allEnabled(
    tx: Transaction = this.database.prisma,
    organizationId?: string,
  ): Promise<Map<string, StoredRule[]>> {
    const own = organizationId ? Prisma.sql`and r.organization_id = ${organizationId}::uuid` : Prisma.empty;
    const rows = await tx.$queryRaw<(StoredRule & { organizationId: string })[]>`
      select r.organization_id::text as "organizationId", v.name, v.version, v.document,
        coalesce(r.settings, '{}') as settings
      from rule r join rule_version v
        on v.organization_id = r.organization_id and v.name = r.name and v.version = r.version
      where r.enabled ${own}
      order by v.name`;
    return grouped(rows, ({ organizationId }) => organizationId);
  }

  /** What the organization has set on a rule, by the names of its settings; empty where it has no such rule. */
  async settingsOf(
    organizationId: string,
    name: string,
    tx: Transaction = this.database.prisma,
  ): Promise<SettingTexts> {
    const where = { organizationId_name: { organizationId, name } };
    const row = await tx.rule.findUnique({ where, select: { settings: true } });
    return textsOf(row?.settings);
  }

  /** What the organization has set, by the name of the rule. */
  async allSettingsOf(
    organizationId: string,
    tx: Transaction = this.database.prisma,
  ): Promise<Map<string, SettingTexts>> {
    const rows = await tx.rule.findMany({
      where: { organizationId, settings: { not: Prisma.AnyNull } },
      select: { name: true, settings: true },
    });
    return new Map(rows.map(({ name, settings }) => [name, textsOf(settings)]));
  }

  /** Replaces what the organization has set on a rule. */
  async setSettings(
    tx: Transaction,
    organizationId: string,
    name: string,
    settings: SettingTexts,
  ): Promise<void> {
    const where = { organizationId_name: { organizationId, name } };
    await tx.rule.update({ where, data: { settings }, select: { name: true } });
    await this.markPut(tx, organizationId);
  }

  async putTable(tx: Transaction, organizationId: string, { name, entries }: LookupTable): Promise<void> {
    const stored = Object.fromEntries(entries);
    await tx.lookupTable.upsert({
      where: { organizationId_name: { organizationId, name } },
      create: { organizationId, name, entries: stored },
      update: { entries: stored },
    });
    await this.markPut(tx, organizationId);
  }

  /**
   * Puts lookup tables of names that an organization does not have, all with one statement.
   * @returns the names of those that were put; the others are as they were
   */
  async putNewTables(
    tx: Transaction,
    organizationId: string,
    given: readonly FromFolder<{ table: LookupTable }>[],
  ): Promise<ReadonlySet<string>> {
    const rows = given.map(({ table: { name, entries }, fileDigest }) => ({
      ...{ name, entries: Object.fromEntries(entries) },
      digest: Buffer.from(fileDigest).toString('hex'),
    }));
    const put = await tx.$queryRaw<{ name: string }[]>`
      insert into lookup_table (organization_id, name, entries, file_digest)
      select ${organizationId}::uuid, g.name, g.entries, decode(g.digest, 'hex')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(name text, entries jsonb, digest text)
      on conflict do nothing
      returning name`;
    if (put.length > 0) await this.markPut(tx, organizationId);
    return new Set(put.map(({ name }) => name));
  }

  /** What the configuration folder last said of an organization's lookup tables, by their names, as {@link folderDigests}. */
  async folderDigestsOfTables(
    tx: Transaction,
    organizationId: string,
  ): Promise<Map<string, Uint8Array | null>> {
    const rows = await tx.lookupTable.findMany({
      where: { organizationId },
      select: { name: true, fileDigest: true },
    });
    return new Map(rows.map(({ name, fileDigest }) => [name, fileDigest]));
  }

  /** An organization's lookup tables by name, in the order of the names; at most 1,000. */
  async tables(organizationId: string): Promise<LookupTables> {
    const rows = await this.database.prisma.lookupTable.findMany({
      where: { organizationId },
      orderBy: { name: 'asc' },
      take: MOST,
    });
    return tablesOf(rows);
  }

  /** The names of an organization's lookup tables. */
  async tableNames(
    organizationId: string,
    tx: Transaction = this.database.prisma,
  ): Promise<ReadonlySet<string>> {
    const rows = await tx.lookupTable.findMany({ where: { organizationId }, select: { name: true } });
    return new Set(rows.map(({ name }) => name));
  }

  /** @param tx absent: outside of any transaction */
  async findTable(
    organizationId: string,
    name: string,
    tx: Transaction = this.database.prisma,
  ): Promise<LookupTable | undefined> {
    const row = await tx.lookupTable.findUnique({
      where: { organizationId_name: { organizationId, name } },
    });
    return row ? tableOf(row) : undefined;
  }

  /** Lookup tables by organization and name. */
  async allTables(tx: Transaction = this.database.prisma): Promise<Map<string, LookupTables>> {
    const rows = await tx.lookupTable.findMany();
    const byOrganization = grouped(rows, ({ organizationId }) => organizationId);
    return new Map([...byOrganization].map(([id, own]) => [id, tablesOf(own)]));
  }

  /** What was applied before is from now on not compared with what another table, setting or rule makes of the same event. */
  private async markPut(tx: Transaction, organizationId: string): Promise<void> {
    await tx.$executeRaw`update organization set rules_put_at = clock_timestamp() where id = ${organizationId}::uuid`;
  }

  private async newestVersion(tx: Transaction, organizationId: string, name: string): Promise<number> {
    const { _max } = await tx.ruleVersion.aggregate({
      where: { organizationId, name },
      _max: { version: true },
    });
    return _max.version ?? 0;
  }
}

function textsOf(stored: Prisma.JsonValue | undefined): SettingTexts {
  return (stored ?? {}) as Record<string, string>;
}

type TableRow = Pick<Prisma.LookupTableGetPayload<object>, 'name' | 'entries'>;

function tableOf({ name, entries }: TableRow): LookupTable {
  return LookupTable.of(name, entries as Record<string, string>);
}

function tablesOf(rows: readonly TableRow[]): LookupTables {
  return new Map(rows.map((row) => [row.name, tableOf(row)]));
}

/** As the document says, whether or not everything else in it is right. */
function eventOf(document: string): string | null {
  const loaded = loadRule(document, { tables: [] });
  return ('rule' in loaded ? loaded.rule.event : loaded.head.event) ?? null;
}
