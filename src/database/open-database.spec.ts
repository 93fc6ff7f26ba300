import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../config/settings';
import { openDatabase } from './open-database';

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
