import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { queryInTransaction } from '../database/transaction-statements';

const CURRENT = { name: 'catalog-revision', text: 'select revision from catalog_revision where id = 1' };

/**
 * The number of changes to what every replica has in memory: organizations, sources, rules, lookup tables. Who
 * changes one of them counts it in the same transaction; each replica polls whether the number has changed.
 */
@Injectable()
export class CatalogRevision {
  constructor(private readonly database: Database) {}

  /** @param tx absent: outside of any transaction */
  async current(tx?: Transaction): Promise<bigint> {
    const [row] = tx
      ? await queryInTransaction<{ revision: bigint }>(tx, CURRENT.text, [])
      : await this.database.query<{ revision: bigint }>(CURRENT, []);
    return row?.revision ?? 0n;
  }

  /** There is a change in this transaction. Others that change something wait until it ends. */
  async changed(tx: Transaction): Promise<void> {
    await tx.$executeRaw`
      insert into catalog_revision (id, revision) values (1, 1)
      on conflict (id) do update set revision = catalog_revision.revision + 1`;
  }
}
