import { giveUp as giveUpMove, moveTo } from '../../backup/move-to';
import { command, option } from '../definition';
import { wrongUsage } from '../failure';
import { dataDirOf, offline } from '../offline';
import type { Session } from '../session';

interface MoveOptions {
  dataDir?: string;
  giveUp?: boolean;
}

export const MOVE_TO = command(
  'move-to [url]',
  'Move the embedded database to PostgreSQL, while no service runs',
  {
    details:
      'Into an empty database: its address, or DATABASE_URL, which nobody else on the machine can read. Interrupted, it goes ' +
      'on when it is run again; until it is complete no service starts on either database. Every table is compared and the ' +
      'books are verified. --give-up lets a service start on the embedded database again.',
    examples: ['postgresql://ponte@127.0.0.1:5432/ponte --data-dir ./data', '--data-dir ./data', '--give-up'],
    options: [
      option('--data-dir <folder>', 'the data directory, or DATA_DIR (default: ./data)'),
      option('--give-up', 'do not move: the embedded database is the one that counts'),
    ],
    run: move,
  },
);

async function move(session: Session, { giveUp, ...options }: MoveOptions, url?: string): Promise<void> {
  const dataDir = dataDirOf(session, options.dataDir);
  if (giveUp === true) {
    const was = await offline(() => giveUpMove(dataDir));
    return session.terminal.say(
      was ? 'A service may start on the embedded database again.' : 'There was no move.',
    );
  }
  const databaseUrl = url ?? session.terminal.env['DATABASE_URL'];
  if (!databaseUrl || !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw wrongUsage('Where to? Set DATABASE_URL to postgresql://…, or give that as the argument.');
  const report = (line: string): void => void session.terminal.say(line);
  await session.showDone(await offline(() => moveTo({ dataDir, databaseUrl, report })));
  await session.terminal.say(
    `The move is complete. Start the service with DATABASE_URL, and with SECRETS_KEY: where it was not set, it is what ` +
      `secrets.key of ${dataDir} holds.`,
  );
}
