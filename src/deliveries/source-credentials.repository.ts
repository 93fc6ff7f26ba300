import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { SealedRecord, SealedRecords } from '../database/sealed-records';
import { sealedCredentials } from './sealed-credentials';

/** The encrypted credentials of all sources, to be encrypted anew with another key. */
@Injectable()
export class SourceCredentials implements SealedRecords {
  constructor(private readonly database: Database) {}

  async sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]> {
    const rows = await this.database.prisma.source.findMany({
      where: { credentials: { not: null }, ...(after !== undefined && { id: { gt: after } }) },
      select: { id: true, credentials: true },
      orderBy: { id: 'asc' },
      take: limit,
    });
    return rows.flatMap(({ id, credentials }) =>
      credentials ? [{ id, ...sealedCredentials(credentials, id) }] : [],
    );
  }

  async replaceSealed({ id, sealed }: SealedRecord, anew: Uint8Array): Promise<boolean> {
    const { count } = await this.database.prisma.source.updateMany({
      where: { id, credentials: new Uint8Array(sealed) },
      data: { credentials: new Uint8Array(anew) },
    });
    return count === 1;
  }
}
