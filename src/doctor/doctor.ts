import { SettingError, Settings } from '../config/settings';
import { PostgresDatabase } from '../database/postgres.database';
import { reasonOf } from '../database/start-error';
import { isAway } from '../database/unavailable';
import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { VERSION } from '../kernel/version';
import { checkEmbedded } from './check-embedded';
import { checkServer } from './check-server';
import { checkFolder, checkNames, type Environment } from './check-settings';
import { checkTables } from './check-tables';
import { fail, type Finding, ok, warn } from './finding';
import { tryMailServer } from '../notifications/email/mail-client';

/** The oldest Node that Ponte runs on: major and minor version. */
const OLDEST_NODE = [20, 19] as const;

/**
 * Says what a start of this version would meet, and changes nothing.
 * @param env what Ponte is started with
 * @param replicas processes that are to share a PostgreSQL database
 */
export async function examine(env: Environment, replicas: number): Promise<Finding[]> {
  const found = [ponte(process.versions.node)];
  let settings: Settings;
  try {
    settings = new Settings(env);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return [...found, fail('settings', error.message, 'correct it: Ponte would not start')];
  }
  return [
    ...found,
    ...checkNames(env, settings),
    ...checkFolder(env, settings),
    ...(await checkMailServer(settings)),
    ...(settings.databaseUrl === undefined
      ? await checkEmbedded(settings)
      : await checkPostgres(settings.databaseUrl, settings, replicas)),
  ];
}

function ponte(node: string): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const what = `${VERSION} on Node ${node}`;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok('ponte', what);
  return fail('ponte', what, `run it with Node ${oldestMajor}.${oldestMinor} or newer`);
}

async function checkPostgres(databaseUrl: string, settings: Settings, replicas: number): Promise<Finding[]> {
  const database = PostgresDatabase.toRead(databaseUrl);
  try {
    return [...(await checkServer(database, replicas)), ...(await checkTables(database, settings))];
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    if (!isAway(error) && !isRefusal(cause)) throw error;
    return [
      fail(
        'database',
        `DATABASE_URL cannot be used: ${reasonOf(cause)}`,
        'see that the server runs, and the address',
      ),
    ];
  } finally {
    await database.close();
  }
}

/** Wrong password, no such user or database, no right to connect: SQLSTATE classes 28 and 3D, and 42501. */
function isRefusal(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(28...|3D000|42501)$/.test(code);
}

/** Whether the mail server can be reached and takes the password; nothing is sent. Where none is set, nothing is said. */
export async function checkMailServer({ mailServer }: Settings): Promise<Finding[]> {
  if (!mailServer) return [];
  const { host, port } = mailServer;
  const failure = await tryMailServer(mailServer);
  if (failure === undefined) return [ok('mail', `the mail server ${host}:${port} takes e-mails`)];
  const todo = 'see that it runs, and SMTP_URL; messages of subscriptions wait for it for three days';
  return [warn('mail', `e-mails cannot be handed over to ${host}:${port}: ${failure}`, todo)];
}
