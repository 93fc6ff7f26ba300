import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedDataDir } from '../../test/support/database';
import { Settings } from '../config/settings';
import { openDatabase, openStoredDatabase } from './open-database';

let dataDir: string;
let drop: () => Promise<void>;
beforeEach(async () => {
  ({ dataDir, drop } = await embeddedDataDir());
});
afterEach(() => drop());

it('a start of the embedded database has a line for each stage, as it begins', async () => {
  const stages: string[] = [];
  const database = await openDatabase(new Settings({ DATA_DIR: dataDir }), undefined, (line) =>
    stages.push(line),
  );
  await database.close();
  expect(stages).toEqual([
    expect.stringContaining(`opening the embedded database in ${dataDir}`),
    'bringing the database up to date',
  ]);
});

describe('what reads stored books', () => {
  it('is told that there is no embedded database, and makes none', async () => {
    const mistyped = join(dataDir, 'mistyped');
    await expect(openStoredDatabase(new Settings({ DATA_DIR: mistyped }))).rejects.toThrow(
      `there is no database in ${mistyped}: set DATA_DIR to the folder that has it, or DATABASE_URL`,
    );
    expect(existsSync(mistyped)).toBe(false);
  });

  it('opens the database that is there', async () => {
    const settings = new Settings({ DATA_DIR: dataDir });
    await (await openDatabase(settings)).close();
    const database = await openStoredDatabase(settings);
    expect(await database.prisma.organization.count()).toBe(0);
    await database.close();
  });
});
