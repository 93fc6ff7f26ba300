import { Injectable } from '@nestjs/common';
import { openText, type Sealed, sealText } from '../../config/sealing';
import { type SecretsKeys, secretsKeysOf } from '../../config/secrets-key';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import type { SealedRecord, SealedRecords } from '../../database/sealed-records';
import type { Transaction } from '../../database/transaction';
import { Clock } from '../../kernel/clock';
import { readStoredConnection, type StoredConnection } from './connection-settings';

/** How organizations' finance services are reached, as stored. The key is sealed and bound to its organization. */
@Injectable()
export class ConnectionsRepository implements SealedRecords {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Stores or replaces an organization's connection. @param apiKey absent: the stored one stays */
  async put(
    tx: Transaction,
    organizationId: string,
    stored: StoredConnection,
    apiKey?: string,
  ): Promise<void> {
    const settings = JSON.parse(JSON.stringify(stored)) as object;
    const updatedAt = this.clock.now();
    if (apiKey === undefined) {
      await tx.financeConnection.update({ where: { organizationId }, data: { settings, updatedAt } });
      return;
    }
    const sealed = Uint8Array.from(sealText(apiKey, boundTo(organizationId), this.keys));
    await tx.financeConnection.upsert({
      where: { organizationId },
      create: { organizationId, settings, apiKey: sealed, updatedAt },
      update: { settings, apiKey: sealed, updatedAt },
    });
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

  /** @throws SealError when the key was stored with another SECRETS_KEY; Error when the settings cannot be understood */
  async read(organizationId: string): Promise<{ stored: StoredConnection; apiKey: string } | undefined> {
    const row = await this.database.prisma.financeConnection.findUnique({ where: { organizationId } });
    if (!row) return undefined;
    return {
      stored: readStoredConnection(row.settings),
      apiKey: openText(sealedKey(row), this.keys),
    };
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
