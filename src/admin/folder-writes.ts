import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { Catalog } from '../deliveries/catalog';
import { RulesRepository } from '../rules/rules.repository';
import type { CheckedConfiguration } from './check-configuration';
import { FileDigests, type FiledRecord } from './file-digests.repository';

/** Writes what the configuration folder says of an organization, each file once until it changes. */
@Injectable()
export class FolderWrites {
  constructor(
    private readonly rules: RulesRepository,
    private readonly catalog: Catalog,
    private readonly digests: FileDigests,
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
    if (await this.digests.knows(tx, record, [said])) return;
    // First, like everybody: changes take turns, and no two can wait for each other.
    await this.catalog.changed(tx);
    if (!(await this.digests.knows(tx, record, before))) await put();
    await this.digests.keep(tx, record, said);
  }
}

/** Of text that is no secret. */
export function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
