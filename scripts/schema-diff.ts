import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type * as EngineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { EmbeddedEngine } from '../src/database/embedded-engine';
import { EmbeddedPool } from '../src/database/embedded-pool';
import { LocalEngine } from '../src/database/local-engine';
import { migrate } from '../src/database/migrations';
import { poolMigrationTarget } from '../src/database/pool-migrations';

/** Node's own, for which its type declarations have nothing. */
declare const WebAssembly: {
  instantiate(
    source: Uint8Array,
    imports: Record<string, Record<string, unknown>>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

const ENGINE = '@prisma/schema-engine-wasm/schema_engine_bg';

/** The exit code with which Prisma's diff says that there is a difference. */
const DIFFERENT = 2;

/**
 * What would have to be run after the migrations to reach the schema, as SQL; nothing when they agree. Check
 * constraints, partial indexes and triggers are beyond Prisma's schema and therefore no difference.
 *
 * The migrations are applied to a database in memory, as a start of the service applies them. No other database
 * is ever opened.
 * @param folder holds `schema.prisma` and `migrations/`
 * @param open opens a database in memory without a table
 * @throws Error when a migration fails or the schema cannot be read
 */
export async function schemaDiff(
  folder: string,
  open: () => Promise<PGlite> = () => PGlite.create(),
): Promise<string | undefined> {
  const schema = { path: 'schema.prisma', content: await readFile(join(folder, 'schema.prisma'), 'utf8') };
  const pglite = await open();
  try {
    await migrate(poolMigrationTarget(poolOver(pglite)), join(folder, 'migrations'));
    const engine = await startEngine(schema, pglite);
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: [schema], configDir: folder },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === DIFFERENT ? (stdout ?? '') : undefined;
  } finally {
    await pglite.close();
  }
}

/** A connection to PGlite, for migrations and other statements past Prisma. */
export function poolOver(pglite: PGlite): EmbeddedPool {
  return new EmbeddedPool(new LocalEngine(new EmbeddedEngine(pglite)));
}

/**
 * Prisma's schema engine over a database in memory. The package is an ES module that expects its bundler to load
 * the WebAssembly.
 */
export async function startEngine(
  schema: { path: string; content: string },
  pglite: PGlite,
): Promise<EngineModule.SchemaEngine> {
  bindings ??= loadBindings();
  const { SchemaEngine: engine } = await bindings;
  return engine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(new InMemory(pglite)),
  );
}

/** Loaded once: the bindings keep the WebAssembly instance in a variable of their module. */
let bindings: Promise<typeof EngineModule> | undefined;

async function loadBindings(): Promise<typeof EngineModule> {
  const loaded = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(require.resolve(ENGINE).replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': importsOf(loaded) });
  loaded.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return loaded;
}

/** The engine leaves behind the timer of its lock, ten seconds long: no timer of it keeps the process alive. */
function importsOf(loaded: typeof EngineModule): Record<string, unknown> {
  const letGo = (callback: () => void, milliseconds: number): NodeJS.Timeout =>
    setTimeout(callback, milliseconds).unref();
  return Object.fromEntries(
    Object.entries(loaded).map(([name, value]) => [
      name,
      name.startsWith('__wbg_setTimeout_') ? letGo : value,
    ]),
  );
}

/** Gives the engine one database in memory, whatever it wants a database for. */
class InMemory implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = 'postgres';
  readonly adapterName = 'in-memory';

  constructor(private readonly pglite: PGlite) {}

  connect(): Promise<SqlDriverAdapter> {
    return new PrismaPGlite(this.pglite).connect();
  }

  connectToShadowDb(): Promise<SqlDriverAdapter> {
    return this.connect();
  }
}
