import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

type Adapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type Statements = Pick<Adapter, 'queryRaw' | 'executeRaw'>;

/**
 * Takes the values of rows out of a driver's error: the detail in which PostgreSQL shows the row it refused, and
 * the parameters that PGlite adds. They are personal data, and errors are logged with all their properties.
 */
export function withoutValues(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  for (const property of ['detail', 'params']) if (property in error) Reflect.set(error, property, undefined);
  if ('cause' in error) withoutValues(error.cause);
  return error;
}

/** The same adapter, whose errors hold no values of rows. */
export function withPrivateErrors(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = keepPrivate(await factory.connect());
      const start = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (isolationLevel) => keepPrivate(await start(isolationLevel));
      return adapter;
    },
  };
}

function keepPrivate<T extends Statements>(statements: T): T {
  const [queryRaw, executeRaw] = [
    statements.queryRaw.bind(statements),
    statements.executeRaw.bind(statements),
  ];
  statements.queryRaw = (query) => queryRaw(query).catch(fail);
  statements.executeRaw = (query) => executeRaw(query).catch(fail);
  return statements;
}

function fail(error: unknown): never {
  throw withoutValues(error);
}
