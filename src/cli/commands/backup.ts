import { existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { readArchive } from '../../backup/archive/read-archive';
import { ArchiveError } from '../../backup/archive/manifest';
import { command } from '../definition';
import { EXIT, Failure, wrongUsage } from '../failure';
import type { Session } from '../session';

export const BACKUP = command(
  'backup <file>',
  'Store a backup of the embedded database, made while it runs',
  {
    details:
      'The file has all organizations as one moment has them, and is checked before it gets its name. SECRETS_KEY, or ' +
      'secrets.key of DATA_DIR, is not in it: keep a copy of that elsewhere. On PostgreSQL use pg_dump.',
    examples: ['./ponte.backup'],
    run: backUp,
  },
);

async function backUp(session: Session, _options: object, file: string): Promise<void> {
  if (existsSync(file)) throw wrongUsage(`${file} is there already: name a file that is not`);
  const part = `${file}.part`;
  await session.download({ method: 'POST', path: '/admin/backup' }, part);
  const { ponte, at, files } = await checked(part);
  const { size } = await stat(part);
  await rename(part, file);
  await session.showDone({ file, at, ponte, files: files.length, bytes: size });
  await session.terminal.say('The backup is whole. The key that secrets are encrypted with is not in it.');
}

/** @throws Failure when the file is not whole; then it is removed */
async function checked(part: string): ReturnType<typeof readArchive> {
  try {
    return await readArchive(part);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    await rm(part, { force: true });
    throw new Failure(EXIT.unreachable, `No backup was stored: ${error.message}`);
  }
}
