import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';

/** A record that the configuration folder can speak of; `name` is a source's slug. */
export type FiledRecord =
  | { kind: 'organization'; organizationId: string }
  | { kind: 'source' | 'rule' | 'lookupTable'; organizationId: string; name: string };

/**
 * What the configuration folder last said of each record. A file speaks when it changes: what operators changed
 * since then outlasts a restart.
 */
@Injectable()
export class FileDigests {
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
