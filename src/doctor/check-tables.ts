import { recordsOf } from '../admin/secret-reencryption';
import { TableWarnings } from '../admin/rules/table-warnings.repository';
import { openText, SealError } from '../config/sealing';
import { hasSecretsKey, secretsKeysOf } from '../config/secrets-key';
import type { Settings } from '../config/settings';
import type { Database } from '../database/database';
import { type Migration, migrationState } from '../database/migrations';
import type { SealedRecord, SealedRecords } from '../database/sealed-records';
import { DatabaseStartError } from '../database/start-error';
import { SourceAccess } from '../deliveries/fetch-back/source-access.repository';
import { SourceCredentials } from '../deliveries/source-credentials.repository';
import { SourcesRepository } from '../deliveries/sources.repository';
import { ConnectionsRepository } from '../finance/remote/connections/connections.repository';
import { SystemClock } from '../kernel/clock';
import { DocumentKeys } from '../organizations/document-keys.repository';
import { ErasureRequests } from '../privacy/requests/erasures.repository';
import { NotificationEndpoints } from '../notifications/endpoints.repository';
import { fail, type Finding, inBytes, ok, warn } from './finding';
import { tableSizes } from './server-facts.sql';

/** A table with more rows or bytes is large: a migration that works on it is worth planning. */
const LARGE_ROWS = 100_000;
const LARGE_BYTES = 128 * 1024 * 1024;

/** Which migrations the next start applies, and whether secrets can be decrypted. */
export async function checkTables(database: Database, settings: Settings): Promise<Finding[]> {
  try {
    const state = await migrationState((sql) => database.query({ name: '', text: sql }, []));
    const findings = await migrations(database, state.applied, state.pending);
    if (state.applied.length === 0) return findings;
    const found = [...findings, await secrets(database, settings, state.pending.length > 0)];
    // Tables of an older version may lack what this one reads.
    return state.pending.length > 0 ? found : [...found, ...(await lookupTables(database))];
  } catch (error) {
    if (!(error instanceof DatabaseStartError)) throw error;
    return [fail('migrations', error.message, 'a start would be refused until that is done')];
  }
}

async function migrations(
  database: Database,
  applied: readonly string[],
  pending: readonly Migration[],
): Promise<Finding[]> {
  const check = 'migrations';
  const newest = applied.at(-1);
  if (newest === undefined)
    return [ok(check, `the database is empty; the first start applies ${pending.length} migrations`)];
  if (pending.length === 0)
    return [ok(check, `${applied.length} are applied, the newest is ${newest}; none would run`)];
  const sizes = await tableSizes(database);
  return pending.map(({ name, sql }) => {
    const large = [...tablesNamedIn(sql)].flatMap((table) => {
      const size = sizes.get(table);
      if (!size || (size.rows < LARGE_ROWS && size.bytes < LARGE_BYTES)) return [];
      return [`${table} (about ${Math.round(size.rows)} rows, ${inBytes(Number(size.bytes))})`];
    });
    if (large.length === 0) return ok(check, `${name} would run`);
    return warn(
      check,
      `${name} would run, and names large tables: ${large.join(', ')}`,
      'back up before, start one replica first, and expect it to take longer',
    );
  });
}

/** Tables that statements of a migration are about, and columns that stand in lists as tables do. */
export function tablesNamedIn(sql: string): ReadonlySet<string> {
  const statements = sql.replace(/--.*$/gm, '');
  const named = /(?:\b(?:TABLE|ON|UPDATE|INTO|FROM|REFERENCES)\s|,)\s*(?:IF EXISTS\s+|ONLY\s+)*"([a-z_]+)"/gi;
  return new Set([...statements.matchAll(named)].map(([, table = '']) => table));
}

async function lookupTables(database: Database): Promise<Finding[]> {
  const found = await new TableWarnings(database).all();
  return found.map(({ organization, table, warning }) =>
    warn('tables', `${organization}, table ${table}: ${warning}`, 'mend the key, or make the source'),
  );
}

async function secrets(database: Database, settings: Settings, isOlder: boolean): Promise<Finding> {
  const check = 'secrets';
  const records: SealedRecord[] = [];
  try {
    for (const table of sealedTables(database, settings))
      for await (const record of recordsOf(table)) records.push(record);
    if (!hasSecretsKey(settings)) return noKey(records.length);
    const keys = secretsKeysOf(settings);
    for (const record of records) openText(record, keys);
    return ok(check, `SECRETS_KEY decrypts all ${records.length} stored secrets`);
  } catch (error) {
    if (error instanceof SealError)
      return fail(check, error.message, 'set the key that they were stored with; see docs/secrets-key.md');
    // Tables of an older version may lack what this one reads.
    if (isOlder)
      return warn(
        check,
        'stored secrets cannot be read before the migrations have run',
        'keep SECRETS_KEY as it is',
      );
    throw error;
  }
}

function noKey(records: number): Finding {
  if (records === 0) return ok('secrets', 'none is stored; the first start makes the key');
  return fail(
    'secrets',
    `DATA_DIR has no secrets.key, and ${records} secrets are stored: a start would make another key and be refused`,
    'bring secrets.key back from a backup, or set SECRETS_KEY',
  );
}

function sealedTables(database: Database, settings: Settings): readonly SealedRecords[] {
  return [
    new SourcesRepository(database),
    new SourceCredentials(database),
    new SourceAccess(database),
    new ConnectionsRepository(database, settings, new SystemClock()),
    new NotificationEndpoints(database, settings),
    new ErasureRequests(database, settings),
    new DocumentKeys(database, settings),
  ];
}
