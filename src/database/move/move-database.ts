import { DatabaseStartError } from '../start-error';
import { MoveSource } from './move-source';
import { MoveTarget } from './move-target';
import { MIGRATIONS, type MovedTable } from './tables';

export interface MoveRequest {
  readonly dataDir: string;
  /** The database that is moved to: an empty one. */
  readonly databaseUrl: string;
  /** Called with one line as each table begins. */
  readonly report: (line: string) => void;
  /**
   * Checks what has arrived.
   * @param rows runs a statement in the database that was moved to
   * @throws DatabaseStartError when it is not right
   */
  readonly verify: (rows: <Row>(sql: string) => Promise<Row[]>) => Promise<void>;
}

export interface Moved {
  tables: number;
  rows: number;
}

/**
 * Copies the embedded database of a directory to PostgreSQL, compares every table, and lets a service start there. When it
 * is interrupted, calling it again goes on: until it is complete no service starts on either database.
 * @throws DatabaseStartError with one line when a service runs, the target is not empty, or something differs
 */
export async function moveDatabase({ dataDir, databaseUrl, report, verify }: MoveRequest): Promise<Moved> {
  const source = await MoveSource.open(dataDir);
  try {
    const target = await MoveTarget.open(databaseUrl);
    try {
      return await move(source, target, report, verify);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Lets a service start on the embedded database again. @returns whether it had been moved, or was about to be */
export async function giveUpMove(dataDir: string): Promise<boolean> {
  const source = await MoveSource.open(dataDir);
  try {
    return await source.giveUp();
  } finally {
    await source.close();
  }
}

async function move(
  source: MoveSource,
  target: MoveTarget,
  report: MoveRequest['report'],
  verify: MoveRequest['verify'],
): Promise<Moved> {
  const state = await begin(source, target);
  const tables = await source.tables();
  if (state === 'begun') {
    await target.makeParts(await source.parts());
    for (const table of tables) await copyTable(source, target, table, report);
  }
  report('comparing both databases');
  const rows = state === 'complete' ? 0 : await compare(source, target, tables);
  await verify((sql) => target.rows(sql));
  if (state === 'begun') await target.complete(await source.sequences(), await source.triggers());
  await source.complete();
  return { tables: tables.length, rows };
}

/** @throws DatabaseStartError when the target cannot be moved to; a move that was not begun before is not begun then */
async function begin(source: MoveSource, target: MoveTarget): Promise<'begun' | 'complete'> {
  const { id, isNew } = await source.begin();
  try {
    return await target.begin(id, await source.rows<object>(MIGRATIONS));
  } catch (error) {
    if (isNew) await source.giveUp();
    throw error;
  }
}

async function copyTable(
  source: MoveSource,
  target: MoveTarget,
  table: MovedTable,
  report: MoveRequest['report'],
): Promise<void> {
  const parts = await source.blocks(table, await target.nextBlock(table));
  for (const [index, blocks] of parts.entries()) {
    report(`${table.name}: part ${index + 1} of ${parts.length}`);
    await target.store(table, await source.copy(table, blocks), blocks.to);
  }
}

/** @returns how many rows there are @throws DatabaseStartError naming the first table that differs */
async function compare(
  source: MoveSource,
  target: MoveTarget,
  tables: readonly MovedTable[],
): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    const [here, there] = [await source.digest(table), await target.digest(table)];
    if (!here || !there || here.rows !== there.rows || here.digest !== there.digest)
      throw new DatabaseStartError(
        `${table.name} has ${there?.rows} rows that are not the ${here?.rows} rows of DATA_DIR: somebody wrote into the ` +
          'database meanwhile; make an empty one and move into that, after `ponte move-to --give-up`',
      );
    rows += Number(here.rows);
  }
  return rows;
}
