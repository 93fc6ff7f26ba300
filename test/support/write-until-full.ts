import { setEnvironmentData } from 'node:worker_threads';
import { PgliteDatabase } from '../../src/database/pglite.database';

// Opens the embedded database and writes until its disk refuses, says after each commit how many there were, and
// would go on for ever: `node --require ./test/support/refusing-disk.cjs scripts/run-ts.cjs
// test/support/write-until-full.ts DATA_DIR CODE FILES`. From its 50th commit on, the system refuses to write files whose
// path contains FILES, with the error CODE (ENOSPC).

const [, , dataDir = '', code = '', files = ''] = process.argv;
const COMMITS_BEFORE = 50;
/** Bytes of a row: some thousands fill a segment of the write-ahead log, and few a page of the table. */
const ROW_BYTES = 4_000;

/** Whether the disk refuses, for the thread of the database. */
const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

async function main(): Promise<void> {
  setEnvironmentData('refusing-disk', { code, files, shared });
  const database = await PgliteDatabase.open(dataDir);
  await database.query({ name: 'make', text: 'create table filled (number int, bytes text)' }, []);
  for (let number = 1; ; number += 1) {
    if (number === COMMITS_BEFORE) Atomics.store(new Int32Array(shared), 0, 1);
    await database
      .query(
        {
          name: 'fill',
          text: `insert into filled select $1::int, string_agg(md5($1::int::text || n), '') from generate_series(1, $2::int / 32) n`,
        },
        [number, ROW_BYTES],
      )
      .then(() => process.stdout.write(`${number}\n`))
      .catch((error: unknown) => {
        if (number < COMMITS_BEFORE) throw error;
        // As the service does: it goes on and tries again.
      });
  }
}

void main();
