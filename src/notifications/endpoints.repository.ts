import { Injectable } from '@nestjs/common';
import { openText, type Sealed, sealText } from '../config/sealing';
import { type SecretsKeys, secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import type { SealedRecord, SealedRecords } from '../database/sealed-records';
import type { Transaction } from '../database/transaction';
import { newId } from '../kernel/identifier';

/** An address to which signed messages may be sent. */
export interface Endpoint {
  id: string;
  name: string;
  url: string;
  /** `whsec_…`, newest first: each message is signed with all of them. */
  secrets: string[];
  createdAt: Date;
}

/** The addresses that operators listed, with their secrets, which are encrypted at rest. */
@Injectable()
export class NotificationEndpoints implements SealedRecords {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** By name. @throws SealError */
  async list(organizationId: string): Promise<Endpoint[]> {
    const rows = await this.database.prisma.notificationEndpoint.findMany({
      where: { organizationId },
      orderBy: { name: 'asc' },
    });
    return rows.map((row) => this.endpointOf(row));
  }

  /** @throws SealError */
  async find(
    organizationId: string,
    name: string,
    tx: Transaction = this.database.prisma,
  ): Promise<Endpoint | undefined> {
    const where = { organizationId_name: { organizationId, name } };
    const row = await tx.notificationEndpoint.findUnique({ where });
    return row ? this.endpointOf(row) : undefined;
  }

  count(tx: Transaction, organizationId: string): Promise<number> {
    return tx.notificationEndpoint.count({ where: { organizationId } });
  }

  /** @returns false, and nothing is stored, when the name is taken */
  async create(
    tx: Transaction,
    organizationId: string,
    { name, url, secrets }: Pick<Endpoint, 'name' | 'url' | 'secrets'>,
    now: Date,
  ): Promise<boolean> {
    const id = newId();
    const row = { id, organizationId, name, url, secrets: this.seal(secrets, id), createdAt: now };
    const { count } = await tx.notificationEndpoint.createMany({ data: [row], skipDuplicates: true });
    return count === 1;
  }

  /** Locks it until the transaction ends. @throws SealError */
  async lock(tx: Transaction, organizationId: string, name: string): Promise<Endpoint | undefined> {
    await tx.$queryRaw`
      select 1 from notification_endpoint
      where organization_id = ${organizationId}::uuid and name = ${name} for update`;
    return this.find(organizationId, name, tx);
  }

  async putSecrets(tx: Transaction, id: string, secrets: readonly string[]): Promise<void> {
    await tx.notificationEndpoint.update({ where: { id }, data: { secrets: this.seal(secrets, id) } });
  }

  async remove(tx: Transaction, organizationId: string, name: string): Promise<boolean> {
    return (await tx.notificationEndpoint.deleteMany({ where: { organizationId, name } })).count > 0;
  }

  async sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]> {
    const rows = await this.database.prisma.notificationEndpoint.findMany({
      where: after === undefined ? {} : { id: { gt: after } },
      select: { id: true, secrets: true },
      orderBy: { id: 'asc' },
      take: limit,
    });
    return rows.map((row) => ({ id: row.id, ...sealed(row) }));
  }

  async replaceSealed({ id, sealed: before }: SealedRecord, anew: Uint8Array): Promise<boolean> {
    const { count } = await this.database.prisma.notificationEndpoint.updateMany({
      where: { id, secrets: new Uint8Array(before) },
      data: { secrets: new Uint8Array(anew) },
    });
    return count === 1;
  }

  private endpointOf(row: Omit<Endpoint, 'secrets'> & { secrets: Uint8Array }): Endpoint {
    const { id, name, url, createdAt } = row;
    const secrets = JSON.parse(openText(sealed(row), this.keys)) as string[];
    return { id, name, url, createdAt, secrets };
  }

  private seal(secrets: readonly string[], id: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(sealText(JSON.stringify(secrets), boundTo(id), this.keys));
  }

  private get keys(): SecretsKeys {
    return secretsKeysOf(this.settings);
  }
}

function sealed({ id, secrets }: { id: string; secrets: Uint8Array }): Sealed {
  return { sealed: secrets, boundTo: boundTo(id), what: 'the secrets of notification endpoints' };
}

function boundTo(id: string): string {
  return `notification-endpoint/${id}`;
}
