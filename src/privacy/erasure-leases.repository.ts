import { Injectable } from '@nestjs/common';
import { openText, sealText } from '../config/sealing';
import { secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { DATABASE_NOW, fromNow } from '../deliveries/database-now.sql';
import { type Person, personAsked } from './person';
import { boundTo, type SealedPerson } from './requests/erasures.repository';

/** Longer than one part of the work may take; each part renews it. */
const LEASE_MS = 60_000;

/** The right to go on with an erasure, and where it stands. */
export interface ErasureLease {
  readonly id: string;
  readonly organizationId: string;
  readonly number: number;
  readonly requestedBy: string;
  readonly deliveryId: string | null;
  readonly discardDead: boolean;
  readonly step: string;
  readonly place: string[] | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly person: Person;
}

/** What changes of an erasure with a part of its work. */
export interface ErasureProgress {
  readonly step?: string;
  readonly place?: readonly string[] | null;
  readonly counts?: Readonly<Record<string, number>>;
  readonly person?: Person;
  readonly records?: readonly string[];
}

/** Another replica has the erasure now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** What is stored, sealed, of a person: JSON of {@link SealedPerson}, completed by what was found. */
type StoredPerson = SealedPerson & Partial<Omit<Person, 'asked'>>;

interface LeaseRow extends Omit<ErasureLease, 'person'> {
  sealed: Uint8Array;
}

/** Who works on which erasure. Times are the database's. */
@Injectable()
export class ErasureLeases {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Takes the erasure that has been due for longest; undefined: none is, or others have those that are. */
  async take(): Promise<ErasureLease | undefined> {
    const [row] = await this.database.prisma.$queryRaw<LeaseRow[]>`
      update erasure e set lease_until = ${fromNow(LEASE_MS)}, lease_number = e.lease_number + 1, state = 'running'
      where e.id = (
        select id from erasure
        where state <> 'done' and due_at <= ${DATABASE_NOW} and (lease_until is null or lease_until <= ${DATABASE_NOW})
        order by due_at, id limit 1 for update skip locked)
      returning e.id::text as id, e.organization_id::text as "organizationId", e.lease_number as number,
        e.requested_by as "requestedBy", e.delivery_id::text as "deliveryId", e.discard_dead as "discardDead",
        e.step, e.place, e.counts, e.person as sealed`;
    if (!row) return undefined;
    const { sealed, ...lease } = row;
    const text = openText(
      { sealed, boundTo: boundTo(row.id), what: 'the person of an erasure' },
      secretsKeysOf(this.settings),
    );
    const { asked, ...found } = JSON.parse(text) as StoredPerson;
    return { ...lease, person: { ...personAsked(asked), ...found } };
  }

  /** Keeps it for another while. @throws LeaseLost */
  async renew({ id, number }: ErasureLease, tx: Transaction = this.database.prisma): Promise<void> {
    const held = await tx.$executeRaw`
      update erasure set lease_until = ${fromNow(LEASE_MS)} where id = ${id}::uuid and lease_number = ${number}`;
    if (held === 0) throw new LeaseLost('another replica goes on with the erasure');
  }

  /** Lets the transaction change the texts of what is append-only. */
  async mayChangeTexts({ id }: ErasureLease, tx: Transaction): Promise<void> {
    await tx.$executeRaw`select set_config('ponte.erasure', ${id}, true)`;
  }

  /** Writes how far it is, in the transaction of what was done, which holds the lease. */
  async save(tx: Transaction, { id }: ErasureLease, progress: ErasureProgress): Promise<void> {
    const { step, place, counts, person, records } = progress;
    await tx.erasure.update({
      where: { id },
      data: {
        ...(step !== undefined && { step }),
        ...(counts && { counts: { ...counts } }),
        ...(records && { records: [...records] }),
        ...(person && { person: new Uint8Array(this.sealed(id, person)) }),
        note: null,
      },
    });
    if (place === undefined) return;
    const text = place === null ? null : JSON.stringify(place);
    await tx.$executeRaw`update erasure set place = ${text}::jsonb where id = ${id}::uuid`;
  }

  /** Gives the lease back, to be taken again later. @param note what it waits for, or why it failed */
  async wait({ id, number }: ErasureLease, note: string, delayMs: number, step?: string): Promise<void> {
    await this.database.prisma.$executeRaw`
      update erasure set state = 'waiting', lease_until = null, due_at = ${fromNow(delayMs)}, note = ${note},
        step = coalesce(${step ?? null}::text, step), place = case when ${step ?? null}::text is null then place end
      where id = ${id}::uuid and lease_number = ${number}`;
  }

  /** It is done: nothing of the person is left of it. */
  async finish(tx: Transaction, { id }: ErasureLease): Promise<void> {
    await tx.$executeRaw`
      update erasure set state = 'done', lease_until = null, person = null, place = null, note = null,
        finished_at = ${DATABASE_NOW} where id = ${id}::uuid`;
  }

  private sealed(id: string, person: Person): Buffer {
    return sealText(JSON.stringify(person), boundTo(id), secretsKeysOf(this.settings));
  }
}
