import { Injectable } from '@nestjs/common';
import { openText, type Sealed, sealText } from '../../../config/sealing';
import { type SecretsKeys, secretsKeysOf } from '../../../config/secrets-key';
import { Settings } from '../../../config/settings';
import { Database } from '../../../database/database';
import type { SealedRecord, SealedRecords } from '../../../database/sealed-records';
import type { Transaction } from '../../../database/transaction';
import { Clock } from '../../../kernel/clock';
import {
  isStoredConnection,
  keyAddressOf,
  readStoredConnection,
  type StoredConnection,
} from './connection-settings';

/** A stored connection with its key, or the address that its key is for where that is another one now. */
export type ReadConnection =
  | { readonly stored: StoredConnection; readonly apiKey: string; readonly recoveredAt?: Date }
  | { readonly movedFrom: string };

/** How organizations' finance services are reached, as stored. The key is sealed and bound to its organization. */
@Injectable()
export class ConnectionsRepository implements SealedRecords {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores or replaces an organization's connection.
   * @param apiKey absent: the stored one stays, which was given for one address
   * @returns false, and nothing is stored, when no key is given and none is stored for that address
   */
  async put(
    tx: Transaction,
    organizationId: string,
    stored: StoredConnection,
    apiKey?: string,
  ): Promise<boolean> {
    const settings = JSON.parse(JSON.stringify(stored)) as object;
    const updatedAt = this.clock.now();
    const keyAddress = this.addressOf(stored);
    if (apiKey === undefined) {
      await this.keepKeyAddress(tx, organizationId);
      const where = { organizationId, keyAddress: keyAddress ?? '' };
      return (await tx.financeConnection.updateMany({ where, data: { settings, updatedAt } })).count > 0;
    }
    const sealed = Uint8Array.from(sealText(apiKey, boundTo(organizationId), this.keys));
    await tx.financeConnection.upsert({
      where: { organizationId },
      create: { organizationId, settings, apiKey: sealed, keyAddress, updatedAt },
      update: { settings, apiKey: sealed, keyAddress, updatedAt },
    });
    return true;
  }

  /** @throws Error when the settings cannot be understood */
  async settingsOf(
    organizationId: string,
    tx: Transaction = this.database.prisma,
  ): Promise<StoredConnection | undefined> {
    const row = await tx.financeConnection.findUnique({
      where: { organizationId },
      select: { settings: true },
    });
    return row ? readStoredConnection(row.settings) : undefined;
  }

  /** When the database was put back to an earlier state; null: it was not, or an operator ended what follows from it. */
  async recoveredAt(organizationId: string, tx: Transaction = this.database.prisma): Promise<Date | null> {
    const row = await tx.financeConnection.findUnique({
      where: { organizationId },
      select: { recoveredAt: true },
    });
    return row?.recoveredAt ?? null;
  }

  /** @returns false when there is no connection */
  async setRecoveredAt(tx: Transaction, organizationId: string, recoveredAt: Date | null): Promise<boolean> {
    const { count } = await tx.financeConnection.updateMany({
      where: { organizationId },
      data: { recoveredAt },
    });
    return count > 0;
  }

  /**
   * @returns with `movedFrom` where the key was given for another address, to which alone it may be sent
   * @throws SealError when the key was stored with another SECRETS_KEY; Error when the settings cannot be understood
   */
  async read(organizationId: string): Promise<ReadConnection | undefined> {
    const { prisma } = this.database;
    const row = await prisma.financeConnection.findUnique({ where: { organizationId } });
    if (!row) return undefined;
    const stored = readStoredConnection(row.settings);
    const keyAddress = row.keyAddress ?? (await this.keepKeyAddress(prisma, organizationId));
    if (keyAddress !== this.addressOf(stored)) return { movedFrom: keyAddress ?? '' };
    const { recoveredAt } = row;
    return { stored, apiKey: openText(sealedKey(row), this.keys), ...(recoveredAt && { recoveredAt }) };
  }

  /**
   * At the start, before `FINANCE_BASE_URL` can change under a connection that nobody used in between: each key that was
   * stored before its address was kept is kept with the address that its connection has now. Settings that cannot be
   * understood stay as they are; whoever uses them is told.
   */
  async keepKeyAddresses(): Promise<void> {
    const { prisma } = this.database;
    const select = { organizationId: true, settings: true };
    for (const { organizationId, settings } of await prisma.financeConnection.findMany({
      where: { keyAddress: null },
      select,
    }))
      if (isStoredConnection(settings)) await this.keepKeyAddress(prisma, organizationId);
  }

  /**
   * A key that was stored before its address was kept belongs to the address it has been sent to until now.
   * @returns the address that is kept
   */
  private async keepKeyAddress(tx: Transaction, organizationId: string): Promise<string | undefined> {
    const stored = await this.settingsOf(organizationId, tx);
    const keyAddress = stored && this.addressOf(stored);
    if (keyAddress === undefined) return undefined;
    const where = { organizationId, keyAddress: null };
    await tx.financeConnection.updateMany({ where, data: { keyAddress } });
    const select = { keyAddress: true };
    const row = await tx.financeConnection.findUnique({ where: { organizationId }, select });
    return row?.keyAddress ?? undefined;
  }

  private addressOf(stored: StoredConnection): string | undefined {
    return keyAddressOf(stored, this.settings.financeBaseUrl);
  }

  async sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]> {
    const rows = await this.database.prisma.financeConnection.findMany({
      where: after === undefined ? {} : { organizationId: { gt: after } },
      select: { organizationId: true, apiKey: true },
      orderBy: { organizationId: 'asc' },
      take: limit,
    });
    return rows.map((row) => ({ id: row.organizationId, ...sealedKey(row) }));
  }

  async replaceSealed({ id, sealed }: SealedRecord, anew: Uint8Array): Promise<boolean> {
    const { count } = await this.database.prisma.financeConnection.updateMany({
      where: { organizationId: id, apiKey: new Uint8Array(sealed) },
      data: { apiKey: new Uint8Array(anew) },
    });
    return count === 1;
  }

  async remove(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.financeConnection.deleteMany({ where: { organizationId } })).count > 0;
  }

  private get keys(): SecretsKeys {
    return secretsKeysOf(this.settings);
  }
}

function sealedKey({ organizationId, apiKey }: { organizationId: string; apiKey: Uint8Array }): Sealed {
  return { sealed: apiKey, boundTo: boundTo(organizationId), what: 'the keys of finance services' };
}

function boundTo(organizationId: string): string {
  return `finance-connection/${organizationId}`;
}
