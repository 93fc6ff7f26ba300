import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { SealedRecord, SealedRecords } from '../../database/sealed-records';
import type { Transaction } from '../../database/transaction';
import { newId } from '../../kernel/identifier';
import { DATABASE_NOW, fromNow } from '../database-now.sql';
import { sealedGrant } from './granted-access';

/** What is stored about a source's access token. */
export interface SourceAccessRow {
  /** Sealed; null: none was granted yet. */
  readonly granted: Uint8Array | null;
  /** Whether somebody asks for the next one. */
  readonly leased: boolean;
}

/** The access tokens of sources, and the lease of whoever asks for the next one: one replica at a time. */
@Injectable()
export class SourceAccess implements SealedRecords {
  constructor(private readonly database: Database) {}

  /** Reads the row and locks it for the rest of the transaction; it is made where there is none. */
  async lock(tx: Transaction, sourceId: string): Promise<SourceAccessRow> {
    await tx.sourceAccess.createMany({ data: [{ sourceId }], skipDuplicates: true });
    const [row] = await tx.$queryRaw<SourceAccessRow[]>`
      select granted, coalesce(leased_until > ${DATABASE_NOW}, false) as leased
      from source_access where source_id = ${sourceId}::uuid for update`;
    return row ?? { granted: null, leased: false };
  }

  /** @param leaseMs for how long nobody else asks @returns the lease */
  async lease(tx: Transaction, sourceId: string, leaseMs: number): Promise<string> {
    const leaseId = newId();
    await tx.$executeRaw`
      update source_access set lease_id = ${leaseId}::uuid, leased_until = ${fromNow(leaseMs)}
      where source_id = ${sourceId}::uuid`;
    return leaseId;
  }

  /**
   * Ends the lease. @param granted what was granted, sealed; absent: nothing was
   * @returns false when the lease was lost: then nothing is written
   */
  async end(sourceId: string, leaseId: string, granted?: Buffer): Promise<boolean> {
    const { count } = await this.database.prisma.sourceAccess.updateMany({
      where: { sourceId, leaseId },
      data: {
        leaseId: null,
        leasedUntil: null,
        ...(granted && { granted: new Uint8Array(granted) }),
      },
    });
    return count === 1;
  }

  async sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]> {
    const rows = await this.database.prisma.sourceAccess.findMany({
      where: { granted: { not: null }, ...(after !== undefined && { sourceId: { gt: after } }) },
      select: { sourceId: true, granted: true },
      orderBy: { sourceId: 'asc' },
      take: limit,
    });
    return rows.flatMap(({ sourceId: id, granted }) =>
      granted ? [{ id, ...sealedGrant(granted, id) }] : [],
    );
  }

  async replaceSealed({ id, sealed }: SealedRecord, anew: Uint8Array): Promise<boolean> {
    const { count } = await this.database.prisma.sourceAccess.updateMany({
      where: { sourceId: id, granted: new Uint8Array(sealed) },
      data: { granted: new Uint8Array(anew) },
    });
    return count === 1;
  }
}
