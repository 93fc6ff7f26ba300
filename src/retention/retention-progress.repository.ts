import { Injectable } from '@nestjs/common';
import { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import type { RetainedKindName, RemovedBatch } from './retained-kind';

/** How far a kind of an organization has come. */
export interface Progress {
  readonly place: unknown;
  readonly ended: boolean;
  readonly passBeganAt: Date | null;
}

/** What operators see of it. */
export interface ShownProgress {
  readonly kind: string;
  readonly ranAt: Date | null;
  /** Rows that the last run removed. */
  readonly removed: number;
  readonly removedEver: bigint;
  readonly ended: boolean;
}

/** How far what is no longer kept is removed; committed with what was removed, so that an end in between loses nothing. */
@Injectable()
export class RetentionProgress {
  constructor(private readonly database: Database) {}

  /** Makes its row, where it has none. A statement of its own: whoever comes to it at once waits for no transaction. */
  async begin(organizationId: string, kind: RetainedKindName): Promise<void> {
    await this.database.prisma.$executeRaw`
      insert into retention_progress (organization_id, kind) values (${organizationId}::uuid, ${kind})
      on conflict do nothing`;
  }

  /**
   * Locks it until the transaction ends.
   * @returns undefined: another replica is at it
   */
  async take(tx: Transaction, organizationId: string, kind: RetainedKindName): Promise<Progress | undefined> {
    const [row] = await tx.$queryRaw<Progress[]>`
      select place, ended, pass_began_at as "passBeganAt" from retention_progress
      where organization_id = ${organizationId}::uuid and kind = ${kind} for update skip locked`;
    return row;
  }

  /** @param runAt names the run: what it removed in earlier batches is added up */
  async keep(
    tx: Transaction,
    organizationId: string,
    kind: RetainedKindName,
    { removed, place, ended, passBeganAt, runAt }: RemovedBatch & { passBeganAt: Date; runAt: Date },
  ): Promise<void> {
    const json = place === null ? Prisma.sql`null` : Prisma.sql`${JSON.stringify(place)}::jsonb`;
    await tx.$executeRaw`
      update retention_progress
      set place = ${json}, ended = ${ended}, pass_began_at = ${passBeganAt}, ran_at = ${runAt},
        removed = ${removed}::int + case when ran_at = ${runAt} then removed else 0 end,
        removed_ever = removed_ever + ${removed}::int
      where organization_id = ${organizationId}::uuid and kind = ${kind}`;
  }

  async of(organizationId: string): Promise<ShownProgress[]> {
    return this.database.prisma.retentionProgress.findMany({
      where: { organizationId },
      select: { kind: true, ranAt: true, removed: true, removedEver: true, ended: true },
    });
  }
}
