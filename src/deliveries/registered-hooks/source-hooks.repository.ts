import { Injectable } from '@nestjs/common';
import { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { DATABASE_NOW, fromNow } from '../database-now.sql';

/** Longer than listing and changing every webhook of a source can take. */
const LEASE_MS = 15 * 60_000;

/** What is known of the webhooks that are registered for a source. */
export interface KnownHooks {
  /** The provider's own names for those that led to the source when they were listed last. */
  readonly known: readonly string[];
  /** The detail of the attention item about them; null: nothing has been wrong since they were right. */
  readonly raised: string | null;
}

/** What a listing has shown. */
export interface SeenHooks {
  readonly known: readonly string[];
  /** Null: nothing is wrong. */
  readonly problem: string | null;
}

/** What replicas know of registered webhooks, and which of them lists or changes those of a source now. */
@Injectable()
export class SourceHooksRepository {
  constructor(private readonly database: Database) {}

  /** One of these sources that was listed before and is to be checked now, leased; undefined: none is. */
  async leaseDue(sourceIds: readonly string[]): Promise<string | undefined> {
    const [row] = await this.database.prisma.$queryRaw<{ id: string }[]>`
      update source_hooks set leased_until = ${fromNow(LEASE_MS)}
      where source_id = (
        select source_id from source_hooks
        where source_id = any(${sourceIds}::uuid[]) and checked_at is not null
          and check_after <= ${DATABASE_NOW} and (leased_until is null or leased_until <= ${DATABASE_NOW})
        order by check_after, source_id limit 1 for update skip locked)
      returning source_id::text as id`;
    return row?.id;
  }

  /** @returns false where another replica or request has it */
  async lease(sourceId: string): Promise<boolean> {
    const leased = await this.database.prisma.$executeRaw`
      insert into source_hooks as s (source_id, known, check_after, leased_until)
      values (${sourceId}::uuid, '{}', ${DATABASE_NOW}, ${fromNow(LEASE_MS)})
      on conflict (source_id) do update set leased_until = excluded.leased_until
      where s.leased_until is null or s.leased_until <= ${DATABASE_NOW}`;
    return leased === 1;
  }

  /** Gives the lease back. @param checkAgainMs when it is checked again, from now; absent: as it was */
  async release(sourceId: string, checkAgainMs?: number): Promise<void> {
    const checkAfter = checkAgainMs === undefined ? Prisma.sql`check_after` : fromNow(checkAgainMs);
    await this.database.prisma.$executeRaw`
      update source_hooks set leased_until = null, check_after = ${checkAfter}
      where source_id = ${sourceId}::uuid`;
  }

  async of(sourceId: string): Promise<KnownHooks> {
    const row = await this.database.prisma.sourceHooks.findUnique({
      where: { sourceId },
      select: { known: true, raised: true },
    });
    return row ?? { known: [], raised: null };
  }

  /** As {@link of}, and nobody else changes it until the transaction ends. */
  async lock(tx: Transaction, sourceId: string): Promise<KnownHooks> {
    const [row] = await tx.$queryRaw<KnownHooks[]>`
      select known, raised from source_hooks where source_id = ${sourceId}::uuid for update`;
    return row ?? { known: [], raised: null };
  }

  /** @param raised as of {@link KnownHooks} from now on */
  async store(
    tx: Transaction,
    sourceId: string,
    { known, problem }: SeenHooks,
    raised: string | null,
  ): Promise<void> {
    await tx.$executeRaw`
      update source_hooks set known = ${[...known]}::text[], problem = ${problem}, raised = ${raised},
        checked_at = ${DATABASE_NOW}
      where source_id = ${sourceId}::uuid`;
  }

  /** How many of these sources have webhooks that were wrong when they were listed last. */
  countWrong(sourceIds: readonly string[]): Promise<number> {
    const where = { sourceId: { in: [...sourceIds] }, problem: { not: null } };
    return this.database.prisma.sourceHooks.count({ where });
  }
}
