import { setEnvironmentData } from 'node:worker_threads';
import { PgliteDatabase } from '../../src/database/pglite.database';

// Opens the embedded database, commits, says so, and then ends as it is told:
// `node --require ./test/support/failing-thread.cjs scripts/run-ts.cjs test/support/end-while-asking.ts DATA_DIR HOW`.
// `failure`: the thread of the database fails. `exit`: the process is ended while a statement runs that never ends.
// `close`: the database is closed while statements are under way.

const [, , dataDir = '', how = ''] = process.argv;
const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

const statement = (text: string): { name: string; text: string } => ({ name: text.slice(0, 60), text });

async function main(): Promise<void> {
  setEnvironmentData('failing-thread', shared);
  const database = await PgliteDatabase.open(dataDir);
  await database.query(statement('create table stored (number int)'), []);
  await database.query(statement('insert into stored values (1)'), []);
  process.stdout.write('committed\n');
  if (how === 'failure') Atomics.store(new Int32Array(shared), 0, 1);
  if (how === 'exit') {
    void database.query(statement(`do 'begin loop perform 1; end loop; end'`), []);
    setTimeout(() => process.exit(7), 50);
  }
  if (how === 'close') {
    const rest = Array.from({ length: 50 }, (_, index) =>
      database.query(statement(`insert into stored values (${index + 2})`), []),
    );
    await Promise.all([...rest, database.close()]);
    process.stdout.write('closed\n');
  }
}

void main();
