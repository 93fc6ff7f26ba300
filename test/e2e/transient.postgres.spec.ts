import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../../src/workflows/retry-policy';
import { openTestDatabase } from '../support/database';

describe('failures of a real PostgreSQL that are over when tried again', () => {
  it('include a deadlock', async () => {
    const database = await openTestDatabase();
    try {
      await database.prisma.$executeRaw`create table fork (id int primary key, n int default 0)`;
      await database.prisma.$executeRaw`insert into fork values (1), (2)`;
      const grab = (first: number, second: number): Promise<unknown> =>
        database.transaction(async (tx) => {
          await tx.$executeRaw`update fork set n = n + 1 where id = ${first}`;
          await sleep(200);
          await tx.$executeRaw`update fork set n = n + 1 where id = ${second}`;
        });
      const ends = await Promise.allSettled([grab(1, 2), grab(2, 1)]);
      const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      expect(failures.map(isTransient)).toEqual([true]);
    } finally {
      await database.close();
    }
  });

  it('include a connection that the server ends', async () => {
    const database = await openTestDatabase();
    try {
      const cut = database.transaction(async (tx) => {
        await tx.$queryRaw`select pg_terminate_backend(pg_backend_pid())`;
      });
      const failure: unknown = await cut.catch((error: unknown) => error);
      expect(isTransient(failure)).toBe(true);
    } finally {
      await database.close();
    }
  });
});
