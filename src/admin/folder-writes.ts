import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { Catalog } from '../deliveries/catalog';
import { RulesRepository } from '../rules/rules.repository';
import type { CheckedConfiguration } from './check-configuration';

/** A record that the configuration folder can speak of; `name` is a source's slug. */
type FiledRecord =
  | { kind: 'organization'; organizationId: string }
  | { kind: 'source' | 'rule' | 'lookupTable'; organizationId: string; name: string };

/**
 * Writes what the configuration folder says of an organization, each file once until it changes: what operators changed
 * since then outlasts a restart.
 */
@Injectable()
export class FolderWrites {
  constructor(
    private readonly rules: RulesRepository,
    private readonly catalog: Catalog,
  ) {}

  /** Gives an organization every rule and lookup table of the folder that it was not given before as it is now. */
  async putRules(
    tx: Transaction,
    organizationId: string,
    { rules, tables }: Pick<CheckedConfiguration, 'rules' | 'tables'>,
  ): Promise<void> {
    for (const [name, table] of tables) {
      const said = digest(JSON.stringify([...table.entries]));
      await this.ifNew(tx, { kind: 'lookupTable', organizationId, name }, said, () =>
        this.rules.putTable(tx, organizationId, table),
      );
    }
    for (const [name, { text }] of rules)
      await this.ifNew(tx, { kind: 'rule', organizationId, name }, digest(text), () =>
        this.rules.put(tx, organizationId, name, text),
      );
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
    return kept != null && digests.some((digest) => digest.equals(kept));
  }

  /** Keeps what was said of a record that is there. */
  async keep(tx: Transaction, record: FiledRecord, digest: Buffer): Promise<void> {
    const data = { fileDigest: new Uint8Array(digest) };
    const { organizationId } = record;
    if (record.kind === 'organization')
      await tx.organization.update({ where: { id: organizationId }, data, select: { id: true } });
    else if (record.kind === 'source')
      await tx.source.updateMany({ where: { organizationId, slug: record.name }, data });
    else if (record.kind === 'rule')
      await tx.rule.updateMany({ where: { organizationId, name: record.name }, data });
    else await tx.lookupTable.updateMany({ where: { organizationId, name: record.name }, data });
  }

  private find(tx: Transaction, record: FiledRecord): PromiseLike<{ fileDigest: Uint8Array | null } | null> {
    const select = { fileDigest: true } as const;
    const { organizationId } = record;
    if (record.kind === 'organization')
      return tx.organization.findUnique({ where: { id: organizationId }, select });
    const { name } = record;
    if (record.kind === 'source')
      return tx.source.findUnique({ where: { organizationId_slug: { organizationId, slug: name } }, select });
    const where = { organizationId_name: { organizationId, name } };
    return record.kind === 'rule'
      ? tx.rule.findUnique({ where, select })
      : tx.lookupTable.findUnique({ where, select });
  }
}

/** Of text that is no secret. */
export function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
