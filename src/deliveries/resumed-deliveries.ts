import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ScheduledRun } from '../kernel/scheduled-run';
import { alongAnIndex } from '../database/along-an-index';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { newId } from '../kernel/identifier';
import { DeliveryRequeue, type DeliverySnapshot } from './delivery-requeue.repository';
import { standingOf } from './delivery-snapshot';
import { Worker } from './worker';

const EVERY_MS = 2_000;
/** So many dead letters that wait are looked at in one run, the oldest first; the next run goes on after them. */
const MOST_LETTERS = 2_000;
/** So many decisions of operators are carried out in one run. */
const MOST_DECISIONS = 500;

/** Who acts in the audit log when nobody asked. */
const ITSELF = 'ponte';

/** A place among the dead letters that wait, in the order of their receipt. */
interface LetterPlace {
  at: Date;
  id: string;
}

const FIRST: LetterPlace = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

interface Resumable {
  id: string;
  organizationId: string;
}

interface Examined extends Resumable, LetterPlace {
  /** Whether one of the effects that it waits for is applied. */
  isThere: boolean;
}

/**
 * Puts deliveries back to work when what they waited for has come: dead letters when an effect that they wait for is
 * applied, and deliveries of which an operator has decided an approval. It looks for what is committed, again and again,
 * so that it does not matter which process applied or decided it, when, or whether that process is still there. Any
 * number of replicas may do so at once.
 */
@Injectable()
export class ResumedDeliveries implements BeforeApplicationShutdown {
  private readonly logger = new Logger('deliveries');
  private readonly runs = new ScheduledRun(
    () => this.resume(),
    (error) =>
      this.logger.warn({
        msg: 'deliveries: those whose record has come, or whose approval was decided, could not be put back to work; the next run tries again',
        err: error,
      }),
  );
  private stopping = false;
  private place = FIRST;

  constructor(
    private readonly database: Database,
    private readonly requeue: DeliveryRequeue,
    private readonly worker: Worker,
  ) {}

  @Interval('resumed-deliveries', EVERY_MS)
  async tick(): Promise<void> {
    if (!this.stopping) await this.runs.tick();
  }

  /** Puts back what an operator has just decided: a run that was under way may have looked before. */
  async afterDecision(): Promise<void> {
    if (!this.stopping) await this.runs.afresh();
  }

  /** Ends after the run under way: the database is closed next. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.runs.ended();
  }

  /** @returns how many were put back to work */
  async resume(): Promise<number> {
    const letters = await this.database.transaction((tx) => this.resumeLetters(tx));
    const decided = await this.database.transaction((tx) => this.resumeDecided(tx));
    if (letters + decided === 0) return 0;
    this.worker.wake();
    this.logger.log({
      msg: 'deliveries: some are worked on again, because the record that they waited for is there, or an operator decided',
      letters,
      decided,
    });
    return letters + decided;
  }

  private async resumeLetters(tx: Transaction): Promise<number> {
    await alongAnIndex(tx);
    const { at, id } = this.place;
    const examined = await tx.$queryRaw<(Examined & { isLast: boolean; isFull: boolean })[]>`
      with looked as materialized (
        select id, organization_id, received_at, waits_for from open_delivery
        where waits_for is not null and state = 'dead' and (received_at, id) > (${at}::timestamptz, ${id}::uuid)
        order by received_at, id limit ${MOST_LETTERS})
      select id::text as id, organization_id::text as "organizationId", received_at as at, "isThere", "isLast", "isFull"
      from (
        select l.*, lead(l.id) over (order by l.received_at, l.id) is null as "isLast",
          count(*) over () = ${MOST_LETTERS} as "isFull",
          exists (select from effect e where e.organization_id = l.organization_id and e.key = any(l.waits_for)
            and e.state = 'applied') as "isThere"
        from looked l) l
      where "isThere" or "isLast"
      order by received_at, id`;
    const last = examined.at(-1);
    this.place = last?.isFull ? { at: last.at, id: last.id } : FIRST;
    const resumed = await this.putBack(
      tx,
      examined.filter(({ isThere }) => isThere),
      { states: ['dead'], reason: 'the record that it waited for is there' },
    );
    return resumed.length;
  }

  private async resumeDecided(tx: Transaction): Promise<number> {
    await alongAnIndex(tx);
    const decided = await tx.$queryRaw<Resumable[]>`
      select d.id::text as id, d.organization_id::text as "organizationId"
      from (select delivery_id from approval where to_resume order by id limit ${MOST_DECISIONS}) a
      join delivery d on d.id = a.delivery_id
      where d.state in ('done', 'dead', 'discarded')`;
    if (decided.length === 0) return 0;
    const resumed = await this.putBack(tx, decided, {
      states: ['done', 'dead'],
      reason: 'an operator decided',
    });
    // A decision that is made from here on sets it again. Those that cannot be worked on any more would be in the way of others.
    await tx.$executeRaw`
      update approval a set to_resume = false
      where a.to_resume and a.delivery_id = any(${decided.map(({ id }) => id)}::uuid[])
        and (a.delivery_id = any(${resumed}::uuid[]) or not exists (
          select from delivery d join delivery_body b on b.organization_id = d.organization_id and b.id = d.id
          where d.id = a.delivery_id and d.state <> 'discarded'))`;
    return resumed.length;
  }

  /** @returns identifiers of those that were put back */
  private async putBack(
    tx: Transaction,
    deliveries: readonly Resumable[],
    { states, reason }: { states: Parameters<DeliveryRequeue['putBack']>[3]; reason: string },
  ): Promise<string[]> {
    const organizations = [...new Set(deliveries.map(({ organizationId }) => organizationId))].sort();
    const resumed: string[] = [];
    for (const organizationId of organizations) {
      const own = deliveries.filter((delivery) => delivery.organizationId === organizationId);
      const ids = own.map(({ id }) => id);
      const standing = await this.requeue.putBack(tx, { id: organizationId }, ids, states);
      await keepStanding(tx, organizationId, standing, reason);
      resumed.push(...standing.map(({ id }) => id));
    }
    return resumed;
  }
}

/**
 * Writes into the audit log how deliveries stood, as after a request of an operator. What it has of a delivery already it is
 * not told again: one that goes on again and again to the same end would fill it.
 */
async function keepStanding(
  tx: Transaction,
  organizationId: string,
  standing: readonly DeliverySnapshot[],
  reason: string,
): Promise<void> {
  const kept = standing.map((delivery) => ({
    id: newId(),
    subject: delivery.id,
    before: standingOf(delivery),
  }));
  await tx.$executeRaw`
    insert into audit_entry (id, organization_id, actor, action, subject, before, after, reason)
    select k.id, ${organizationId}::uuid, ${ITSELF}, 'delivery.resume', k.subject, k.before, '{"state":"waiting"}', ${reason}
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as k(id uuid, subject text, before jsonb)
    where not exists (
      select from audit_entry a where a.organization_id = ${organizationId}::uuid and a.subject = k.subject
        and a.before - 'attempts' = k.before - 'attempts')`;
}
