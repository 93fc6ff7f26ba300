import { createRequire } from 'node:module';
import type { PGlite } from '@electric-sql/pglite';
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import type * as library from 'pglite-prisma-adapter';
import { runOnPglite } from './pglite-statements';
import { connectionTaker } from './transaction-statements';

type SqlDriverAdapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type DriverTransaction = Awaited<ReturnType<SqlDriverAdapter['startTransaction']>>;

/**
 * Prisma's adapter for PGlite, with transactions of our own: those of the library report success when the
 * COMMIT failed, so that a full disk would look like stored data.
 */
export class PgliteAdapter implements SqlDriverAdapterFactory {
  readonly provider = 'postgres';
  readonly adapterName = 'pglite';

  constructor(private readonly pglite: PGlite) {}

  async connect(): Promise<SqlDriverAdapter> {
    const adapter = await adapterOf(this.pglite).connect();
    adapter.startTransaction = () => startTransaction(this.pglite);
    return adapter;
  }
}

const load = createRequire(__filename);

/** Loaded where it is used, as PGlite is: it brings PGlite along. */
function adapterOf(pglite: PGlite): SqlDriverAdapterFactory {
  const { PrismaPGlite } = load('pglite-prisma-adapter') as typeof library;
  return new PrismaPGlite(pglite);
}

/** Opens a transaction and hands it out; PGlite keeps every other statement waiting until it has ended. */
function startTransaction(pglite: PGlite): Promise<DriverTransaction> {
  const took = connectionTaker();
  return new Promise((begun, refused) => {
    const ended = pglite.transaction(async (session) => {
      took((statement, values) => runOnPglite(pglite, session, statement, values));
      // A session answers statements as PGlite itself does, and that is all the adapter asks of it.
      const statements = await adapterOf(session as unknown as PGlite).connect();
      await new Promise<void>((end) => {
        begun({
          provider: 'postgres',
          adapterName: 'pglite',
          // BEGIN, COMMIT and ROLLBACK are PGlite's own: Prisma only shows them in its log.
          options: { usePhantomQuery: true },
          queryRaw: (query) => statements.queryRaw(query),
          executeRaw: (query) => statements.executeRaw(query),
          commit: () => {
            end();
            return ended;
          },
          rollback: async () => {
            await session.rollback();
            end();
            await ended;
          },
        });
      });
    });
    // Before it has begun this is a failed BEGIN; afterwards, whoever commits or rolls back hears of it.
    ended.catch(refused);
  });
}
