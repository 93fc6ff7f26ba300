import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import type { Organization } from '../kernel/organization';

/** An API key as stored; the key itself is not. */
export interface ApiKeyRecord {
  /** UUID */
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  revokedAt: Date | null;
}

/** A live key and whose it is. */
export interface LiveKey {
  id: string;
  scopes: string[];
  organization?: Organization;
}

/** A live key that somebody signed in with. */
export interface SessionKey {
  key: LiveKey;
  expiresAt: Date;
}

export interface NewApiKey {
  id: string;
  organizationId: string;
  name: string;
  /** SHA-256 of the key. */
  hash: Uint8Array;
  scopes: string[];
}

interface LiveKeyRow {
  id: string;
  scopes: string[];
  organizationId: string | null;
  slug: string | null;
  name: string | null;
  timeZone: string | null;
  currency: string | null;
}

const SHAPE = { id: true, name: true, scopes: true, createdAt: true, revokedAt: true } as const;

/** API key records. */
@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  /** One look-up by unique index, with the organization: this runs on every request that carries a key. */
  async findLive(hash: Uint8Array): Promise<LiveKey | undefined> {
    const rows = await this.database.prisma.$queryRaw<LiveKeyRow[]>`
      select k.id, k.scopes, k.organization_id as "organizationId",
             o.slug, o.name, o.time_zone as "timeZone", o.currency
        from api_key k left join organization o on o.id = k.organization_id
       where k.hash = ${hash} and k.revoked_at is null`;
    return rows[0] && liveKeyOf(rows[0]);
  }

  /** The live key of a session that has not expired. @param tokenHash SHA-256 of what the browser has */
  async findBySession(tokenHash: Uint8Array, now: Date): Promise<SessionKey | undefined> {
    const rows = await this.database.prisma.$queryRaw<(LiveKeyRow & { expiresAt: Date })[]>`
      select k.id, k.scopes, k.organization_id as "organizationId",
             o.slug, o.name, o.time_zone as "timeZone", o.currency, s.expires_at as "expiresAt"
        from operator_session s join api_key k on k.id = s.key_id left join organization o on o.id = k.organization_id
       where s.token_hash = ${tokenHash} and s.expires_at > ${now}::timestamptz and k.revoked_at is null`;
    return rows[0] && { key: liveKeyOf(rows[0]), expiresAt: rows[0].expiresAt };
  }

  /** Those that have expired are removed with it. */
  async addSession(session: {
    id: string;
    tokenHash: Uint8Array;
    keyId: string;
    createdAt: Date;
    expiresAt: Date;
  }): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.operatorSession.deleteMany({ where: { expiresAt: { lte: session.createdAt } } });
      await tx.operatorSession.create({ data: { ...session, tokenHash: Buffer.from(session.tokenHash) } });
    });
  }

  async removeSession(tokenHash: Uint8Array): Promise<void> {
    await this.database.prisma.operatorSession.deleteMany({ where: { tokenHash: Buffer.from(tokenHash) } });
  }

  async create(tx: Transaction, key: NewApiKey): Promise<void> {
    const { id, organizationId, name, hash, scopes } = key;
    await tx.apiKey.create({ data: { id, organizationId, name, hash: Buffer.from(hash), scopes } });
  }

  /** Newest first, revoked ones included. @param after only keys older than the one with this id */
  async list(organizationId: string, limit: number, after?: string): Promise<ApiKeyRecord[]> {
    return this.database.prisma.apiKey.findMany({
      where: { organizationId, ...(after !== undefined && { id: { lt: after } }) },
      select: SHAPE,
      orderBy: { id: 'desc' },
      take: limit,
    });
  }

  /** @returns the key as it was, or undefined when the organization has no such live key */
  async revoke(
    tx: Transaction,
    organizationId: string,
    id: string,
    at: Date,
  ): Promise<ApiKeyRecord | undefined> {
    const where = { id, organizationId, revokedAt: null };
    const key = await tx.apiKey.findFirst({ where, select: SHAPE });
    const { count } = await tx.apiKey.updateMany({ where, data: { revokedAt: at } });
    return count === 1 && key ? key : undefined;
  }

  /** Names of the live operators' keys. */
  async operatorKeyNames(tx: Transaction): Promise<string[]> {
    const where = { organizationId: null, revokedAt: null };
    return (await tx.apiKey.findMany({ where, select: { name: true } })).map(({ name }) => name);
  }

  /**
   * Makes a key the only live operators' key; one that was revoked before lives again.
   * @returns false when an organization has this very key
   */
  async replaceOperatorKeys(
    tx: Transaction,
    key: Omit<NewApiKey, 'organizationId'>,
    at: Date,
  ): Promise<boolean> {
    const hash = Buffer.from(key.hash);
    await tx.apiKey.updateMany({
      where: { organizationId: null, revokedAt: null, NOT: { hash } },
      data: { revokedAt: at },
    });
    const { organizationId } = await tx.apiKey.upsert({
      where: { hash },
      create: { id: key.id, organizationId: null, name: key.name, hash, scopes: key.scopes },
      update: {},
    });
    if (organizationId !== null) return false;
    const { name, scopes } = key;
    await tx.apiKey.update({ where: { hash }, data: { name, scopes, revokedAt: null } });
    return true;
  }

  /** A lock until the transaction ends: replicas that start together make the operators' key one after another. */
  async lockOperatorKeys(tx: Transaction): Promise<void> {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('ponte operator key', 0))`;
  }
}

function liveKeyOf({ id, scopes, organizationId, slug, name, timeZone, currency }: LiveKeyRow): LiveKey {
  if (organizationId === null) return { id, scopes };
  if (slug === null || name === null || timeZone === null || currency === null)
    throw new Error('an API key belongs to an organization that is not there');
  return { id, scopes, organization: { id: organizationId, slug, name, timeZone, currency } };
}
