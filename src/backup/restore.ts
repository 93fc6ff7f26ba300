import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openText, SealError } from '../config/sealing';
import { type SecretsKeys, secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import { type Ask, ClusterRestore } from '../database/cluster-restore';
import { EMBEDDED_POSTGRESQL } from '../database/data-directory';
import { DatabaseStartError } from '../database/start-error';
import { VERSION } from '../kernel/version';
import type { Manifest } from './archive/manifest';
import { readArchive } from './archive/read-archive';

export interface RestoreRequest {
  /** The backup. */
  readonly file: string;
  readonly dataDir: string;
  /** Whether a database that is there may be renamed. */
  readonly setAside: boolean;
  /** Settings of the service: SECRETS_KEY and SECRETS_KEY_PREVIOUS are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether stored secrets can be opened: `none` are stored, the key `fits` or not, or there is no key at hand. */
export type KeyCheck = 'none' | 'fits' | 'wrong' | 'missing';

export interface Restored {
  /** When the database was so, ISO 8601. */
  readonly at: string;
  /** Version of Ponte that made the backup. */
  readonly ponte: string;
  readonly organizations: number;
  readonly deliveries: number;
  readonly entries: number;
  /** The last position of the feed. */
  readonly feedPosition: string;
  readonly key: KeyCheck;
  /** Organizations with a finance service elsewhere: Ponte searches for each call there before it is sent. */
  readonly financeServices: number;
  /** Where the database before is now; null: there was none. */
  readonly setAside: string | null;
}

interface SealedRow {
  id: string;
  secrets: Uint8Array;
}

/** Whatever is sealed in any table is sealed with the same keys. */
const SEALED = `SELECT (SELECT count(*) FROM source WHERE secrets IS NOT NULL OR credentials IS NOT NULL)
  + (SELECT count(*) FROM finance_connection) AS count`;
const COUNTS = `SELECT (SELECT count(*) FROM organization)::int AS organizations,
  (SELECT count(*) FROM delivery)::int AS deliveries, (SELECT count(*) FROM entry)::int AS entries,
  (SELECT count(*) FROM finance_connection)::int AS "financeServices", (SELECT position FROM feed_head)::text AS "feedPosition"`;

/** A backup of an older version has no such column yet; its migration, at the next start, takes the one that is there. */
const RECOVERED = [
  'ALTER TABLE finance_connection ADD COLUMN IF NOT EXISTS recovered_at timestamptz(3)',
  'UPDATE finance_connection SET recovered_at = now()',
];

/**
 * Makes a backup the embedded database of a data directory that no service has open. The whole backup is checked, and
 * opened, before it takes the place.
 * @throws ArchiveError when the backup is not whole; DatabaseStartError when the directory is in use or has a database, or a
 *   newer version made the backup
 */
export async function restoreBackup({ file, dataDir, setAside, env }: RestoreRequest): Promise<Restored> {
  const keys = keysAtHand(dataDir, env);
  const restore = await ClusterRestore.begin(dataDir, setAside);
  try {
    const { at, ponte } = await readArchive(file, restore.folder, refuseOther);
    const found = await restore.inspect(async (ask) => {
      const [counts] = await ask<Omit<Restored, 'at' | 'ponte' | 'key' | 'setAside'>>(COUNTS);
      if (!counts) throw new Error('the counts came without a row');
      for (const statement of RECOVERED) await ask(statement);
      return { ...counts, key: await checkKey(ask, keys) };
    });
    return { at, ponte, ...found, setAside: (await restore.finish()) ?? null };
  } finally {
    await restore.end();
  }
}

function refuseOther({ postgresql, ponte }: Manifest): void {
  if (postgresql === EMBEDDED_POSTGRESQL) return;
  throw new DatabaseStartError(
    `the backup was made by Ponte ${ponte} with PostgreSQL ${postgresql}, and Ponte ${VERSION} brings ` +
      `PostgreSQL ${EMBEDDED_POSTGRESQL}: restore it with that version`,
  );
}

/** A key is not made here: it would be one that opens nothing. */
function keysAtHand(dataDir: string, env: RestoreRequest['env']): SecretsKeys | undefined {
  const { SECRETS_KEY, SECRETS_KEY_PREVIOUS } = env;
  if (!SECRETS_KEY && !existsSync(join(dataDir, 'secrets.key'))) return undefined;
  return secretsKeysOf(new Settings({ DATA_DIR: dataDir, SECRETS_KEY, SECRETS_KEY_PREVIOUS }));
}

async function checkKey(ask: Ask, keys: SecretsKeys | undefined): Promise<KeyCheck> {
  const [sealed] = await ask<{ count: number | bigint }>(SEALED);
  if (!sealed || Number(sealed.count) === 0) return 'none';
  if (!keys) return 'missing';
  const rows = await ask<SealedRow>('SELECT id::text, secrets FROM source WHERE secrets IS NOT NULL');
  try {
    // Bound to the source, as `deliveries/sealed-secrets.ts` does; the start of the service opens everything.
    for (const { id, secrets } of rows)
      openText({ sealed: secrets, boundTo: id, what: 'the secrets of a source' }, keys);
    return 'fits';
  } catch (error) {
    if (error instanceof SealError) return 'wrong';
    throw error;
  }
}
