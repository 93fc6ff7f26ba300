import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { openText, SealError, sealText } from '../config/sealing';
import { secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import type { SealedRecord, SealedRecords } from '../database/sealed-records';
import type { Transaction } from '../database/transaction';
import type { DocumentKey } from '../kernel/document-key';

const KEY_BYTES = 32;

/** The secrets by which organizations name documents in business keys: sealed, and made with the organization. */
@Injectable()
export class DocumentKeys implements SealedRecords {
  /** A key never changes: what was opened once need not be opened again, whatever it is sealed with by then. */
  private readonly opened = new Map<string, Uint8Array>();

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** A new key, as it is stored with the organization. */
  make(organizationId: string): Uint8Array<ArrayBuffer> {
    const text = randomBytes(KEY_BYTES).toString('base64');
    return new Uint8Array(sealText(text, boundTo(organizationId), secretsKeysOf(this.settings)));
  }

  /** @throws SealError when it is sealed with a key that is not at hand */
  async of(organizationId: string): Promise<DocumentKey> {
    const found = await this.database.prisma.organization.findUnique({
      where: { id: organizationId },
      select: { documentKey: true },
    });
    return found?.documentKey ? this.open(organizationId, found.documentKey) : undefined;
  }

  /**
   * Those of all organizations that have one, by the organization's identifier.
   * @param tx absent: outside of any transaction
   * @returns an error in the place of a key that is sealed with a key which is not at hand
   */
  async all(tx: Transaction = this.database.prisma): Promise<Map<string, Uint8Array | SealError>> {
    const rows = await tx.organization.findMany({
      where: { documentKey: { not: null } },
      select: { id: true, documentKey: true },
    });
    return new Map(
      rows.flatMap(({ id, documentKey }) => (documentKey ? [[id, this.tryOpen(id, documentKey)]] : [])),
    );
  }

  async sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]> {
    const rows = await this.database.prisma.organization.findMany({
      where: { documentKey: { not: null }, ...(after !== undefined && { id: { gt: after } }) },
      select: { id: true, documentKey: true },
      orderBy: { id: 'asc' },
      take: limit,
    });
    return rows.flatMap(({ id, documentKey }) =>
      documentKey ? [{ id, ...sealedKey(id, documentKey) }] : [],
    );
  }

  async replaceSealed({ id, sealed: before }: SealedRecord, anew: Uint8Array): Promise<boolean> {
    const { count } = await this.database.prisma.organization.updateMany({
      where: { id, documentKey: new Uint8Array(before) },
      data: { documentKey: new Uint8Array(anew) },
    });
    return count === 1;
  }

  private tryOpen(organizationId: string, sealed: Uint8Array): Uint8Array | SealError {
    try {
      return this.open(organizationId, sealed);
    } catch (error) {
      if (error instanceof SealError) return error;
      throw error;
    }
  }

  private open(organizationId: string, sealed: Uint8Array): Uint8Array {
    const known = this.opened.get(organizationId);
    if (known) return known;
    const text = openText(sealedKey(organizationId, sealed), secretsKeysOf(this.settings));
    const key = new Uint8Array(Buffer.from(text, 'base64'));
    this.opened.set(organizationId, key);
    return key;
  }
}

function sealedKey(organizationId: string, sealed: Uint8Array): Omit<SealedRecord, 'id'> {
  return { sealed, boundTo: boundTo(organizationId), what: "the key of an organization's documents" };
}

function boundTo(organizationId: string): string {
  return `organization/${organizationId}/documents`;
}
