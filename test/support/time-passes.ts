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
