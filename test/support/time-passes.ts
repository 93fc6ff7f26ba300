import type { Database } from '../../src/database/database';

/**
 * Lets so many milliseconds pass for everything that waits. What is ready is decided by the database's clock, which no
 * test can move: the moments that are waited for come nearer instead. What a worker has locked is left out: it does not wait.
 */
export async function timePasses(database: Database, milliseconds: number): Promise<void> {
  await database.prisma.$executeRaw`
    update delivery set ready_at = ready_at - ${milliseconds}::double precision * interval '1 millisecond'
    where id in (select id from delivery where state = 'waiting' order by id for update skip locked)`;
}

/** Lets so many days pass for effects that are deferred, as {@link timePasses} does for deliveries. */
export async function daysPass(database: Database, days: number): Promise<void> {
  await database.prisma.$executeRaw`
    update deferred_effect
    set due_at = due_at - ${days}::double precision * interval '1 day',
      ready_at = ready_at - ${days}::double precision * interval '1 day'
    where id in (select id from deferred_effect where state = 'waiting' order by id for update skip locked)`;
}
