import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { DeliveryRequeue } from '../deliveries/delivery-requeue.repository';
import { announce } from '../finance/embedded/changes/announce';
import { Clock } from '../kernel/clock';
import type { Organization } from '../kernel/organization';
import { AttentionRepository } from '../workflows/attention.repository';
import { TextEraser } from './erase-texts';
import { type ErasureLease, ErasureLeases, type ErasureProgress } from './erasure-leases.repository';
import { certainPattern } from './identifiers';
import type { Person } from './person';
import { PersonFinder } from './person-finder';
import { keysErased, PersonWrites, type Unsettled } from './person-writes.repository';
import { PlaceWalk } from './place-walk.repository';
import { PLACES } from './places.sql';

/** The place of the step `settle` once something was waited for. */
const WAITED = ['waited'];
/** Bodies removed in one transaction. */
const BODIES_AT_ONCE = 200;

/** It cannot go on now: why, in words for an operator, and whether a person has to act. */
export interface Waits {
  readonly note: string;
  readonly needsPerson: boolean;
  /** Where it goes on; absent: where it stands. */
  readonly step?: string;
}

/** What came of a step: it stands at the next one, waits, or is done. */
export type Stepped = ErasureLease | Waits | 'done';

/** What each step does, and the one after it. Every step can be done again from where it was left, whoever left it. */
@Injectable()
export class ErasureSteps {
  constructor(
    private readonly database: Database,
    private readonly leases: ErasureLeases,
    private readonly finder: PersonFinder,
    private readonly writes: PersonWrites,
    private readonly walk: PlaceWalk,
    private readonly requeue: DeliveryRequeue,
    private readonly attention: AttentionRepository,
    private readonly clock: Clock,
  ) {}

  step(organization: Organization, lease: ErasureLease): Promise<Stepped> {
    switch (lease.step) {
      case 'find':
        return this.find(organization, lease);
      case 'settle':
        return this.settle(organization, lease);
      case 'overwrite':
        return this.overwrite(organization, lease);
      case 'link':
        return this.link(organization, lease);
      case 'bodies':
        return this.bodies(lease);
      default:
        return this.texts(organization, lease);
    }
  }

  private async find(organization: Organization, lease: ErasureLease): Promise<Stepped> {
    const { asked } = lease.person;
    const person = await this.finder.find(organization, asked, () => this.leases.renew(lease));
    if (isAmbiguous(person))
      return { note: `${ambiguity(person)}; ask for each by their document`, needsPerson: true };
    if (lease.deliveryId !== null && !person.deliveries.includes(lease.deliveryId))
      person.deliveries.push(lease.deliveryId);
    return this.next(lease, { step: 'settle', place: null, person });
  }

  /** What is under way ends first: it would be done with half of what it needs. */
  private async settle(organization: Organization, lease: ErasureLease): Promise<Stepped> {
    const { person, discardDead, id } = lease;
    if (discardDead) await this.discard(organization, lease, person, id);
    const left = await this.database.transaction((tx) => this.writes.unsettled(tx, person));
    const waits = waitsFor(left);
    if (waits) {
      await this.next(lease, { place: WAITED });
      return waits;
    }
    // What was waited for may have made a record of theirs.
    if (lease.place !== null) return this.next(lease, { step: 'find', place: null });
    return this.next(lease, { step: 'overwrite' });
  }

  private async discard(
    organization: Organization,
    lease: ErasureLease,
    person: Person,
    id: string,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.leases.renew(lease, tx);
      const reason = `the person asked for their data to be erased: erasure ${id}`;
      for (const dead of await this.writes.deadOf(tx, person))
        await this.requeue.discard(tx, organization, dead, {
          states: ['dead'],
          reason,
          now: this.clock.now(),
        });
    });
  }

  private overwrite(organization: Organization, lease: ErasureLease): Promise<Stepped> {
    const { person, id } = lease;
    return this.inLease(lease, async (tx) => {
      const { effects, records, shown } = await this.writes.overwrite(tx, person, id);
      const changes = shown.map((record) => ({
        type: 'customer.updated' as const,
        id: record,
        organization,
      }));
      await announce(tx, changes, this.clock.now());
      const counts = counted({ counts: counted(lease, 'stakeholder', records) }, 'effect', effects);
      return { step: 'link', counts, records: person.stakeholders };
    });
  }

  /** What came between finding and overwriting is theirs, too. */
  private async link(organization: Organization, lease: ErasureLease): Promise<Stepped> {
    const person = structuredClone(lease.person);
    await this.finder.findAgain(organization, person, () => this.leases.renew(lease));
    return this.next(lease, { step: 'bodies', person, place: null });
  }

  private async bodies(lease: ErasureLease): Promise<Stepped> {
    const { deliveries } = lease.person;
    const start = Number(lease.place?.[0] ?? 0);
    const end = start + BODIES_AT_ONCE;
    if (start >= deliveries.length) {
      const left = await this.database.transaction((tx) => this.writes.hasBodies(tx, lease.person));
      if (left)
        return {
          note: 'a delivery about the person is being worked on again',
          needsPerson: false,
          step: 'link',
        };
      return this.next(lease, { step: PLACES[0]?.table ?? '', place: null });
    }
    return this.inLease(lease, async (tx) => {
      const purged = await this.writes.purgeBodies(tx, deliveries.slice(start, end), this.clock.now());
      return { place: [String(end)], counts: counted(lease, 'delivery_body', purged) };
    });
  }

  private async texts(organization: Organization, lease: ErasureLease): Promise<Stepped> {
    const index = PLACES.findIndex(({ table }) => table === lease.step);
    const place = PLACES[index];
    if (!place) return this.finish(organization, lease);
    const { person, id: erasureId, organizationId } = lease;
    const eraser = new TextEraser(person.known, keysErased(person, erasureId));
    const pattern = certainPattern(person.known);
    let unsettled = 0;
    const after = await this.inLease(lease, async (tx) => {
      await this.leases.mayChangeTexts(lease, tx);
      const part = await this.walk.part(tx, place, lease.place, {
        organizationId,
        erasureId,
        person,
        eraser,
        pattern,
      });
      unsettled = part.unsettled;
      const counts = counted(lease, place.table, part.changed);
      const next = part.place === null ? { step: PLACES[index + 1]?.table ?? 'finish' } : {};
      return { ...next, place: part.place, counts };
    });
    if (unsettled === 0) return after;
    const note = `${unsettled} calls to the finance service about the person have an outcome that is not known yet`;
    return { note, needsPerson: false, step: place.table };
  }

  private async finish(organization: Organization, lease: ErasureLease): Promise<Stepped> {
    await this.database.transaction(async (tx) => {
      await this.leases.renew(lease, tx);
      const item = {
        organization,
        businessKey: `erasure/${lease.id}`,
        code: 'privacy-erasure-waits',
      } as const;
      await this.attention.end(tx, item, this.clock.now());
      await this.leases.finish(tx, lease);
    });
    return 'done';
  }

  private next(lease: ErasureLease, progress: ErasureProgress): Promise<ErasureLease> {
    return this.inLease(lease, () => Promise.resolve(progress));
  }

  /** Does a part with what is noted of it, in one transaction, as long as nobody else has the erasure. */
  private async inLease(
    lease: ErasureLease,
    part: (tx: Parameters<ErasureLeases['save']>[0]) => Promise<ErasureProgress>,
  ): Promise<ErasureLease> {
    const progress = await this.database.transaction(async (tx) => {
      await this.leases.renew(lease, tx);
      const done = await part(tx);
      await this.leases.save(tx, lease, done);
      return done;
    });
    const { step = lease.step, place = lease.place, counts = lease.counts, person = lease.person } = progress;
    return { ...lease, step, place: place && [...place], counts, person };
  }
}

function counted(
  { counts }: Pick<ErasureLease, 'counts'>,
  table: string,
  more: number,
): Record<string, number> {
  return more === 0 ? { ...counts } : { ...counts, [table]: (counts[table] ?? 0) + more };
}

/** Whether records of several people were found, and nothing says which is meant. */
export function isAmbiguous({ asked, documentsOfRecords }: Person): boolean {
  return asked.document === undefined && asked.records === undefined && documentsOfRecords > 1;
}

export function ambiguity({ documentsOfRecords }: Person): string {
  return `what was given belongs to ${documentsOfRecords} people with different documents`;
}

/** What has to end before; undefined: nothing. */
export function waitsFor({ waiting, dead, approvals, calls }: Unsettled): Waits | undefined {
  const parts = [
    ...(waiting > 0 ? [`${waiting} deliveries that wait to be worked on`] : []),
    ...(calls > 0 ? [`${calls} calls to the finance service whose outcome is not known`] : []),
    ...(approvals > 0 ? [`${approvals} effects that an operator has to approve or decline`] : []),
    ...(dead > 0 ? [`${dead} dead letters, to be retried or discarded`] : []),
  ];
  if (parts.length === 0) return undefined;
  return { note: `it waits for ${parts.join(', ')}`, needsPerson: dead + approvals > 0 };
}
