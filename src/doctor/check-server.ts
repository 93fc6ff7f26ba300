import { ONLY_READS } from '../database/database-servers';
import type { PostgresDatabase } from '../database/postgres.database';
import { fail, type Finding, inBytes, ok, warn } from './finding';
import { type ServerFacts, serverFacts, type ServerSetting, serverSettings } from './server-facts.sql';

/** As `server_version_num`. */
const OLDEST = 150_000;
/** Milliseconds between two clocks beyond which readiness says so too. */
const MOST_SKEW_MS = 5_000;
/** Connections of one process: for work, for the probe of readiness, and for notices. */
const OF_A_PROCESS = 12;
/** Of the process that migrates, or of `ledger:verify`. */
const BESIDES = 3;

/** Milliseconds that Ponte itself sets for each connection; a shorter default cuts whoever loses that. */
const OWN_LIMITS_MS: Readonly<Record<string, number>> = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 10_000,
  transaction_timeout: 35_000,
};
/** A connection that waits for notices is silent for fifteen seconds at a time. */
const IDLE_SESSION_MS = 60_000;

const SWITCHES = ['fsync', 'full_page_writes', 'autovacuum'];
const CHOICES = [
  'synchronous_commit',
  'synchronous_standby_names',
  'default_transaction_isolation',
  'default_transaction_read_only',
];
const IDLE_SESSION = 'idle_session_timeout';

/** What of a PostgreSQL server endangers what Ponte promises. @param replicas processes that are to share it */
export async function checkServer(database: PostgresDatabase, replicas: number): Promise<Finding[]> {
  // Before anything else: it sees what a session is that nobody has set.
  const lost = await database.lostSettings();
  const servers = await database.surveyServers();
  const askedAt = Date.now();
  const facts = await serverFacts(database);
  // Half-way between question and answer.
  const skewMs = (askedAt + Date.now()) / 2 - facts.nowMs;
  const names = [...SWITCHES, ...CHOICES, ...Object.keys(OWN_LIMITS_MS), IDLE_SESSION];
  const settings = new Map((await serverSettings(database, names)).map((one) => [one.name, one]));
  return [
    version(facts),
    facts.encoding === 'UTF8'
      ? ok('encoding', 'UTF8')
      : fail('encoding', `the database is in ${facts.encoding}`, `make it anew with ENCODING 'UTF8'`),
    facts.hasIcu
      ? ok('letters', 'the server knows the letters of Unicode')
      : fail(
          'letters',
          'the server was built without ICU',
          'use a build with ICU, as all usual packages are',
        ),
    ...named(servers),
    writable(facts, settings),
    ...durability(settings, servers.length > 0),
    ...timeouts(settings, lost),
    connections(facts, replicas),
    clock(skewMs),
    ok('disk', `the database takes ${inBytes(Number(facts.bytes))}; see on its server how much is free`),
  ];
}

type Settings = ReadonlyMap<string, ServerSetting>;

function version({ version, versionText }: ServerFacts): Finding {
  if (version >= OLDEST) return ok('server', `PostgreSQL ${versionText}`);
  return fail(
    'server',
    `PostgreSQL ${versionText} is too old`,
    'move the database to PostgreSQL 15 or newer',
  );
}

function writable({ inRecovery, mayCreate }: ServerFacts, settings: Settings): Finding {
  const check = 'writable';
  if (inRecovery)
    return fail(check, 'the server is a standby', 'promote it, or name the primary in DATABASE_URL');
  if (settings.get('default_transaction_read_only')?.begins === 'on')
    return fail(check, 'default_transaction_read_only is on', 'set it off for this database and user');
  if (!mayCreate)
    return fail(
      check,
      'the user may make no tables',
      'let it: GRANT CREATE ON SCHEMA, or make it the owner of the database',
    );
  return ok(check, 'the server takes writes, and the user may make tables');
}

/** Of several servers, each one. */
function named(servers: readonly { name: string; refusal?: string }[]): Finding[] {
  const writable = servers.filter(({ refusal }) => refusal === undefined).length;
  return servers.map(({ name, refusal }) => {
    if (refusal === ONLY_READS) return ok('servers', `${name} is a standby`);
    if (refusal !== undefined)
      return warn(
        'servers',
        `${name} cannot be used: ${refusal}`,
        'see that it runs, or take it out of DATABASE_URL',
      );
    if (writable === 1) return ok('servers', `${name} takes the writes`);
    return fail('servers', `${name} takes writes, and so does another`, 'stop the one that was replaced');
  });
}

function durability(settings: Settings, hasStandby: boolean): Finding[] {
  const check = 'durability';
  const value = (name: string): string => settings.get(name)?.begins ?? '';
  const commit = value('synchronous_commit');
  const standbys = value('synchronous_standby_names');
  const isolation = value('default_transaction_isolation');
  const risks: readonly (Finding | false)[] = [
    ...['fsync', 'full_page_writes'].map(
      (name) =>
        value(name) === 'off' &&
        fail(check, `${name} is off: a crash of the machine can ruin the database`, `set ${name} = on`),
    ),
    commit === 'off' &&
      fail(
        check,
        'synchronous_commit is off: a crash loses webhooks that were acknowledged',
        'set synchronous_commit = on',
      ),
    hasStandby &&
      standbys === '' &&
      warn(
        check,
        'no standby is synchronous: a failover loses what it lacks of acknowledged webhooks',
        'set synchronous_standby_names',
      ),
    commit === 'local' &&
      standbys !== '' &&
      warn(
        check,
        'synchronous_commit is local: a failover loses webhooks that were acknowledged',
        'set synchronous_commit = on',
      ),
    isolation !== 'read committed' &&
      fail(
        check,
        `default_transaction_isolation is ${isolation}`,
        'set it to read committed for this database and user',
      ),
    value('autovacuum') === 'off' &&
      warn(check, 'autovacuum is off: tables grow and queries become slow', 'set autovacuum = on'),
  ];
  const findings = risks.filter((risk) => risk !== false);
  return findings.length > 0 ? findings : [ok(check, 'what is committed is on the disk')];
}

function timeouts(settings: Settings, lost: readonly string[]): Finding[] {
  const check = 'time-outs';
  const idleMs = milliseconds(settings.get(IDLE_SESSION));
  const risks: readonly (Finding | false)[] = [
    lost.length > 0 &&
      fail(
        check,
        `connections lose what Ponte sets (${lost.join(', ')})`,
        'set the pooler in between to session mode',
      ),
    ...Object.entries(OWN_LIMITS_MS).map(([name, ownMs]) => {
      const ms = milliseconds(settings.get(name));
      const what = `${name} is ${ms} ms by default, shorter than the ${ownMs} ms that Ponte sets for its own connections`;
      const todo = `set ${name} = 0 for this database and user; others are still limited by it`;
      return ms !== 0 && ms < ownMs && warn(check, what, todo);
    }),
    idleMs > 0 &&
      idleMs < IDLE_SESSION_MS &&
      warn(
        check,
        `${IDLE_SESSION} is ${idleMs} ms: idle connections are ended again and again`,
        `set ${IDLE_SESSION} = 0`,
      ),
  ];
  const findings = risks.filter((risk) => risk !== false);
  return findings.length > 0 ? findings : [ok(check, 'none cuts the work short')];
}

function milliseconds(setting: ServerSetting | undefined): number {
  const factor = setting?.unit === 's' ? 1_000 : 1;
  return Number(setting?.begins ?? 0) * factor;
}

function connections(facts: ServerFacts, replicas: number): Finding {
  const check = 'connections';
  const needed = replicas * OF_A_PROCESS + BESIDES;
  const free = facts.maxConnections - facts.reservedConnections;
  const most = Math.min(free, facts.limit ?? Infinity);
  const what = `${replicas} processes need up to ${needed} of the ${most} that the server gives`;
  if (needed > most) return fail(check, what, 'raise max_connections or the limit, or run fewer processes');
  if (needed + facts.othersConnected > free)
    return warn(
      check,
      `${what}, and ${facts.othersConnected} are taken by others`,
      'raise max_connections, or let the others use fewer',
    );
  return ok(check, what);
}

function clock(skewMs: number): Finding {
  const seconds = Math.round(Math.abs(skewMs) / 100) / 10;
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return ok('clock', "agrees with the database's");
  const what = `this machine's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`;
  return warn('clock', what, 'let both machines set their clocks by NTP');
}
