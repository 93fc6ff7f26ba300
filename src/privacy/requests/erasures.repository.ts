import { Injectable } from '@nestjs/common';
import { sealText } from '../../config/sealing';
import { secretsKeysOf } from '../../config/secrets-key';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import type { SealedRecord, SealedRecords } from '../../database/sealed-records';
import type { Transaction } from '../../database/transaction';
import type { PersonNamed } from '../../events/privacy';
import { newId } from '../../kernel/identifier';
import { digestOfPerson } from './person-digest';

/** Who asks for what to be erased. */
export interface NewErasure {
  readonly organizationId: string;
  readonly person: PersonNamed;
  /** Identifier of an API key, or `source/{slug}`. */
  readonly requestedBy: string;
  readonly reason?: string | null;
  readonly deliveryId?: string;
  readonly discardDead?: boolean;
}

/** What an erasure is told to find, as it is sealed until it is done. */
export interface SealedPerson {
  /** What it was asked with. */
  readonly asked: PersonNamed;
}

/** Where the person of an erasure stands sealed. */
export function boundTo(erasureId: string): string {
  return `erasure/${erasureId}`;
}

/** Stores that data is to be erased; whoever works on erasures finds it there. */
@Injectable()
export class ErasureRequests implements SealedRecords {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * With its audit record. The same person by the same webhook is asked for once.
   * @param tx the transaction of what asks for it
   * @returns the identifier; undefined: this webhook has asked before
   */
  async add(tx: Transaction, asked: NewErasure, now: Date): Promise<string | undefined> {
    const { organizationId, person, requestedBy, reason = null, deliveryId, discardDead = false } = asked;
    if (deliveryId !== undefined && (await tx.erasure.findFirst({ where: { organizationId, deliveryId } })))
      return undefined;
    const id = newId();
    const keys = secretsKeysOf(this.settings);
    const digest = digestOfPerson(organizationId, person, keys);
    const sealed: SealedPerson = { asked: person };
    await tx.erasure.create({
      data: {
        ...{ id, organizationId, requestedBy, reason, discardDead, requestedAt: now, dueAt: now },
        ...{ deliveryId: deliveryId ?? null, step: 'find', digest: new Uint8Array(digest) },
        person: new Uint8Array(sealText(JSON.stringify(sealed), boundTo(id), keys)),
      },
    });
    const after = {
      person: digest.toString('hex'),
      ...(deliveryId !== undefined && { delivery: deliveryId }),
    };
    await tx.auditEntry.create({
      data: {
        ...{ id: newId(), organizationId, actor: requestedBy, action: 'privacy.erase', subject: id },
        ...{ after, reason },
      },
    });
    return id;
  }

  /** Of erasures that are not done. */
  async sealedRecords(after: string | undefined, limit: number): Promise<SealedRecord[]> {
    const rows = await this.database.prisma.erasure.findMany({
      where: { person: { not: null }, ...(after !== undefined && { id: { gt: after } }) },
      select: { id: true, person: true },
      orderBy: { id: 'asc' },
      take: limit,
    });
    return rows.flatMap(({ id, person }) =>
      person ? [{ id, sealed: person, boundTo: boundTo(id), what: 'the person of an erasure' }] : [],
    );
  }

  async replaceSealed({ id, sealed: before }: SealedRecord, anew: Uint8Array): Promise<boolean> {
    const { count } = await this.database.prisma.erasure.updateMany({
      where: { id, person: new Uint8Array(before) },
      data: { person: new Uint8Array(anew) },
    });
    return count === 1;
  }
}
