/**
 * How long whoever is gone (a process that is stopped, a host that vanished) may keep others waiting over a connection
 * of the service. Its locks live as long as its session, which the server ends by these; what they come to together
 * stands in ARCHITECTURE.md, "Locks of a dead replica".
 */

/** Milliseconds: the longest a statement waits for a lock before it fails. */
const LOCK_MS = 10_000;
/** Milliseconds: the longest a statement runs before the server ends it. */
const STATEMENT_MS = 15_000;
/** Milliseconds: how long a session may be silent in the midst of a transaction before the server ends it. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** Milliseconds: how long a result may wait for a client that does not read before the server ends the connection. */
const UNSENT_MS = 15_000;
/** Milliseconds: how long a whole transaction may take on PostgreSQL 17 and later; a bit more than `Database.transaction` lets it. */
const TRANSACTION_MS = 35_000;
/** Milliseconds: how long a migration may be silent in its transaction. Nothing else of it is limited. */
const IDLE_IN_MIGRATION_MS = 60_000;

/**
 * Milliseconds without a byte of the server, while it owes an answer, after which a connection is given up. Longer than
 * a statement may run: a server that can be heard has answered by then, with an error if need be.
 */
export const ANSWER_MS = 20_000;

/** Milliseconds: the longest a connection is waited for, made anew or taken from the pool. */
export const CONNECT_MS = 10_000;

/** Milliseconds of silence after which the kernel asks whether the other side is still there, from this side too. */
export const KEEPALIVE_MS = 10_000;

/** How the server finds out about a client that vanished; it has no effect over a Unix socket. */
const KEEPALIVES = `
  SET tcp_keepalives_idle = ${KEEPALIVE_MS / 1_000}; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = ${UNSENT_MS};`;

/** What a session of the service must keep from one statement to the next, as `pg_settings` shows it. */
export const KEPT_SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  lock_timeout: String(LOCK_MS),
  statement_timeout: String(STATEMENT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
};

/**
 * What a session of the service is set to. By statements and not as it starts: poolers pass these through and refuse
 * the others. Prisma writes instants without an offset and reads them as UTC, whatever the server's time zone is;
 * compiling a query takes PostgreSQL longer than any of ours runs.
 */
export const WORKING_SESSION = `
  SET TIME ZONE 'UTC'; SET jit = off; ${KEEPALIVES}
  SET lock_timeout = ${LOCK_MS}; SET statement_timeout = ${STATEMENT_MS};
  SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
  SELECT set_config('transaction_timeout', '${TRANSACTION_MS}', false)
   WHERE current_setting('transaction_timeout', true) IS NOT NULL`;

/** What a migration's session is set to: it may wait and work for as long as it takes. */
export const MIGRATING_SESSION = `
  SET TIME ZONE 'UTC'; SET jit = off; ${KEEPALIVES}
  SET lock_timeout = 0; SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = ${IDLE_IN_MIGRATION_MS};
  SELECT set_config('transaction_timeout', '0', false) WHERE current_setting('transaction_timeout', true) IS NOT NULL`;

/** What a session is set to that only reads. */
export const READING_SESSION = `${WORKING_SESSION}; SET default_transaction_read_only = on`;
