import { Prisma } from '../database/client/client';

/**
 * The present by the database's clock, as a column of milliseconds keeps it. When a delivery is ready and when a lease
 * ends is written and compared by this clock alone: those of the processes may differ.
 */
export const DATABASE_NOW = Prisma.sql`date_trunc('milliseconds', clock_timestamp())`;

/** So many milliseconds from now, by the database's clock. */
export function fromNow(delayMs: number): Prisma.Sql {
  return Prisma.sql`${DATABASE_NOW} + ${delayMs}::double precision * interval '1 millisecond'`;
}
