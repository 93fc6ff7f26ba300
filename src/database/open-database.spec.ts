import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../config/settings';
import { openDatabase, openStoredDatabase } from './open-database';

it('a start of the embedded database has a line for each stage, as it begins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-stages-'));
  const stages: string[] = [];
  try {
    const database = await openDatabase(new Settings({ DATA_DIR: folder }), undefined, (line) =>
      stages.push(line),
    );
    await database.close();
    expect(stages).toEqual([
      expect.stringContaining(`opening the embedded database in ${folder}`),
      'bringing the database up to date',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('what reads stored books', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ponte-stored-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is told that there is no embedded database, and makes none', async () => {
    const dataDir = join(folder, 'mistyped');
    await expect(openStoredDatabase(new Settings({ DATA_DIR: dataDir }))).rejects.toThrow(
      `there is no database in ${dataDir}: set DATA_DIR to the folder that has it, or DATABASE_URL`,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  it('opens the database that is there', async () => {
    const settings = new Settings({ DATA_DIR: folder });
    await (await openDatabase(settings)).close();
    const database = await openStoredDatabase(settings);
    expect(await database.prisma.organization.count()).toBe(0);
    await database.close();
  });
});
