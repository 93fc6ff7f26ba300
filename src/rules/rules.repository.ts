import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { grouped } from '../kernel/grouped';
import { LookupTable, type LookupTables } from './lookup-table';

/** A rule document with the number of its version. */
export interface StoredRule {
  name: string;
  version: number;
  document: string;
}

/** Rule documents and lookup tables as stored. Versions are never changed, only added. */
@Injectable()
export class RulesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Puts a document into force: a new version when its text is new, else the version that has it.
   * @returns the number of the version in force
   */
  async put(tx: Transaction, organizationId: string, name: string, document: string): Promise<number> {
    const versions = await tx.ruleVersion.findMany({
      where: { organizationId, name },
      select: { version: true, document: true },
      orderBy: { version: 'desc' },
    });
    const same = versions.find((candidate) => candidate.document === document);
    const version = same?.version ?? (versions[0]?.version ?? 0) + 1;
    if (!same) await tx.ruleVersion.create({ data: { organizationId, name, version, document } });
    await tx.rule.upsert({
      where: { organizationId_name: { organizationId, name } },
      create: { organizationId, name, version },
      update: { version },
    });
    return version;
  }

  /** The enabled rules in the versions in force, by organization, in the order of their names. */
  async allEnabled(tx: Transaction = this.database.prisma): Promise<Map<string, StoredRule[]>> {
    const rows = await tx.$queryRaw<(StoredRule & { organizationId: string })[]>`
      select r.organization_id::text as "organizationId", v.name, v.version, v.document
      from rule r join rule_version v
        on v.organization_id = r.organization_id and v.name = r.name and v.version = r.version
      where r.enabled
      order by v.name`;
    return grouped(rows, ({ organizationId }) => organizationId);
  }

  async putTable(tx: Transaction, organizationId: string, { name, entries }: LookupTable): Promise<void> {
    const stored = Object.fromEntries(entries);
    await tx.lookupTable.upsert({
      where: { organizationId_name: { organizationId, name } },
      create: { organizationId, name, entries: stored },
      update: { entries: stored },
    });
  }

  /** Lookup tables by organization and name. */
  async allTables(tx: Transaction = this.database.prisma): Promise<Map<string, LookupTables>> {
    const rows = await tx.lookupTable.findMany();
    const byOrganization = grouped(rows, ({ organizationId }) => organizationId);
    return new Map(
      [...byOrganization].map(([id, own]) => [
        id,
        new Map(
          own.map(({ name, entries }) => [name, LookupTable.of(name, entries as Record<string, string>)]),
        ),
      ]),
    );
  }
}
