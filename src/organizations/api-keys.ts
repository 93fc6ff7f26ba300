import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { BoundedMap } from '../kernel/bounded-map';
import { Clock } from '../kernel/clock';
import { newId } from '../kernel/identifier';
import { ApiKeysRepository, type ApiKeyRecord, type LiveKey } from './api-keys.repository';
import type { Scope } from './scope';

/** Makes keys recognisable, to people and to scanners that look for leaked ones. */
const PREFIX = 'ponte_';
const FORM = new RegExp(`^${PREFIX}[\\w-]{43}$`);

/** A key that was checked against the stored hashes. */
export type VerifiedKey = LiveKey;

/** A new key. It is not stored and cannot be shown again. */
export interface CreatedKey {
  /** UUID */
  id: string;
  key: string;
}

/** How many wrong keys are remembered, and for how long in milliseconds: one may be made right on another replica. */
const MOST_WRONG = 10_000;
const WRONG_FOR_MS = 10_000;

/** API keys: made at random, stored as hashes, checked by hash. */
@Injectable()
export class ApiKeys {
  /** Until when the keys with these hashes are wrong without asking, in milliseconds of the monotonic clock. */
  private readonly wrong = new BoundedMap<string, number>(MOST_WRONG);

  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the live key that the text is, or undefined. What is compared is a hash of the text, looked up
   *   in an index, so the time taken says nothing about any stored key. A wrong key that comes again soon costs
   *   no statement.
   */
  async verify(text: string): Promise<VerifiedKey | undefined> {
    const hash = hashOf(text);
    const name = hash.toString('base64');
    if ((this.wrong.get(name) ?? 0) > performance.now()) return undefined;
    const key = await this.repository.findLive(hash);
    if (!key) this.wrong.set(name, performance.now() + WRONG_FOR_MS);
    return key;
  }

  async create(
    tx: Transaction,
    organizationId: string,
    name: string,
    scopes: readonly Scope[],
  ): Promise<CreatedKey> {
    const created = { id: newId(), key: newKey() };
    const hash = hashOf(created.key);
    await this.repository.create(tx, { id: created.id, organizationId, name, hash, scopes: [...scopes] });
    return created;
  }

  /**
   * From the moment the transaction commits, the key is refused.
   * @returns the key as it was, or undefined when the organization has no such live key
   */
  async revoke(tx: Transaction, organizationId: string, id: string): Promise<ApiKeyRecord | undefined> {
    return this.repository.revoke(tx, organizationId, id, this.clock.now());
  }

  /** Newest first. */
  async list(organizationId: string, limit: number, after?: string): Promise<ApiKeyRecord[]> {
    return this.repository.list(organizationId, limit, after);
  }
}

/** 256 random bits as text. */
export function newKey(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** Whether a text is made as {@link newKey} makes them; the operators' key that is set may be made otherwise. */
export function hasFormOfKey(text: string): boolean {
  return FORM.test(text);
}

/** What is stored of a key: random keys need no salt and no slow hash. */
export function hashOf(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}
