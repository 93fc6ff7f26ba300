import { type KeyCheck, restoreBackup } from '../../backup/restore';
import { command, option } from '../definition';
import { dataDirOf, offline } from '../offline';
import type { Session } from '../session';

interface RestoreOptions {
  dataDir?: string;
  setAside?: boolean;
}

/** What is to be done about the key that the backup does not have. */
const KEY: Readonly<Record<KeyCheck, string | undefined>> = {
  none: undefined,
  fits: 'The key at hand opens the stored secrets.',
  wrong:
    'The key at hand does NOT open the stored secrets: before the start, set SECRETS_KEY to the key they were stored with, ' +
    'or put its file secrets.key into the directory. The service refuses to start without.',
  missing:
    'The backup has stored secrets and no key is at hand: before the start, put the file secrets.key of the backed-up ' +
    'service into the directory, or set SECRETS_KEY. The service refuses to start without.',
};

const RECOVERY =
  'A finance service elsewhere may have what was asked of it after the backup: Ponte searches for each call there before it is ' +
  'sent, until `ponte finance end-recovery`. See docs/backup.md.';

export const RESTORE = command(
  'restore <file>',
  'Make a backup the embedded database, while no service runs',
  {
    details:
      'The backup is checked and opened before it takes its place. A database that is there stays: without --set-aside ' +
      'nothing is done, with it the database is renamed. The next start brings an older backup up to date.',
    examples: ['./ponte.backup --data-dir ./restored', './ponte.backup --set-aside'],
    options: [
      option('--data-dir <folder>', 'the data directory, or DATA_DIR (default: ./data)'),
      option('--set-aside', 'rename the database that is there, to postgres.before-…'),
    ],
    run: restore,
  },
);

async function restore(session: Session, options: RestoreOptions, file: string): Promise<void> {
  const { env } = session.terminal;
  const dataDir = dataDirOf(session, options.dataDir);
  const setAside = options.setAside === true;
  const restored = await offline(() => restoreBackup({ file, dataDir, setAside, env }));
  await session.showDone({ dataDir, ...restored });
  const advice = KEY[restored.key];
  if (advice !== undefined) await session.terminal.say(advice);
  if (restored.financeServices > 0) await session.terminal.say(RECOVERY);
  await session.terminal.say(
    `Restored. Connectors of the feed that have read more than position ${restored.feedPosition} are answered 410: docs/backup.md.`,
  );
}
