import { Client } from 'pg';
import { type DatabaseServer, readDatabaseAddress } from '../config/database-address';
import { reasonOf } from './start-error';

/** Milliseconds in which a server must have said whether it takes writes. */
const ASK_MS = 3_000;
/** Milliseconds after which the servers are asked again, when none took writes. */
const PAUSE_MS = 500;
/** Why a standby is not used. */
export const ONLY_READS = 'only reads';
/** SQLSTATE of `read_only_sql_transaction`. */
export const READ_ONLY = '25006';

/** The servers of `DATABASE_URL` answer, or not, and none takes writes: a standby is not promoted yet, or nobody is there. */
export class NoWritableServer extends Error {
  override readonly name = 'NoWritableServer';
  readonly code = READ_ONLY;
}

/** What a server says of itself. */
interface Answer {
  readonly server: DatabaseServer;
  /** Why it cannot be used. */
  readonly refusal?: string;
  /** The timeline it writes: each promotion begins a higher one. 0: it does not say. */
  readonly timeline: number;
}

/**
 * The PostgreSQL servers that `DATABASE_URL` names, of which at most one takes writes. It is found by asking all of them
 * at once, and remembered until a connection to it breaks. Where one server is named, nobody is asked.
 */
export class DatabaseServers {
  /** Connection string that names one server; which one is meant says {@link choose}. */
  readonly connectionString: string;
  private readonly servers: readonly DatabaseServer[];
  private chosen: DatabaseServer | undefined;
  private lastChosen: DatabaseServer | undefined;
  private searching: Promise<DatabaseServer> | undefined;
  /** The highest timeline seen: whoever writes an older one was replaced, and what is written there is lost. */
  private timeline = 0;

  /**
   * @param report called with one line when another server than before takes the writes
   * @throws DatabaseAddressError
   */
  constructor(
    databaseUrl: string,
    private readonly report: (line: string) => void = () => undefined,
  ) {
    const { connectionString, servers } = readDatabaseAddress(databaseUrl);
    this.connectionString = connectionString;
    this.servers = servers;
  }

  /** Whether one is to be chosen of several. */
  get several(): boolean {
    return this.servers.length > 0;
  }

  /**
   * The server that takes writes, of several.
   * @throws NoWritableServer with what each said
   */
  choose(): Promise<DatabaseServer> {
    if (this.chosen) return Promise.resolve(this.chosen);
    this.searching ??= this.search();
    return this.searching;
  }

  /** Asks all of them. @returns each with why it takes no writes; without: it does. None where one server is named */
  async survey(): Promise<{ name: string; refusal?: string }[]> {
    const answers = await Promise.all(this.servers.map((server) => this.ask(server)));
    return answers.map(({ server, refusal }) =>
      refusal === undefined ? { name: nameOf(server) } : { name: nameOf(server), refusal },
    );
  }

  /** A connection to a server broke, or it took no write: before the next connection all are asked again. */
  doubt(server: DatabaseServer): void {
    if (this.chosen === server) this.chosen = undefined;
  }

  private async search(): Promise<DatabaseServer> {
    const answers = await Promise.all(this.servers.map((server) => this.ask(server)));
    const newest = Math.max(this.timeline, ...answers.map(({ timeline }) => timeline));
    const found = answers.find(
      ({ refusal, timeline }) => refusal === undefined && (timeline === newest || timeline === 0),
    );
    if (!found) {
      setTimeout(() => (this.searching = undefined), PAUSE_MS).unref();
      throw new NoWritableServer(
        `no server of DATABASE_URL takes writes: ${answers.map((answer) => sentence(answer)).join('; ')}`,
      );
    }
    this.searching = undefined;
    this.timeline = newest;
    this.chosen = found.server;
    if (this.lastChosen && this.lastChosen !== found.server)
      this.report(`${nameOf(found.server)} takes the writes now, and no longer ${nameOf(this.lastChosen)}`);
    this.lastChosen = found.server;
    return found.server;
  }

  private async ask(server: DatabaseServer): Promise<Answer> {
    const client = new Client({
      connectionString: this.connectionString,
      application_name: 'ponte search',
      connectionTimeoutMillis: ASK_MS,
    });
    Object.assign(client, server);
    client.on('error', () => undefined);
    const late = setTimeout(() => client.connection.stream.destroy(), ASK_MS).unref();
    try {
      await client.connect();
      const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
      if (rows[0]?.transaction_read_only !== 'off') return { server, refusal: ONLY_READS, timeline: 0 };
      return { server, timeline: await timelineOf(client) };
    } catch (error) {
      return { server, refusal: reasonOf(error), timeline: 0 };
    } finally {
      clearTimeout(late);
      client.end().catch(() => undefined);
    }
  }
}

/** @returns 0 where a server has no names of its log, as some that are offered as a service */
async function timelineOf(client: Client): Promise<number> {
  try {
    const { rows } = await client.query<{ file: string }>(
      'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file',
    );
    return Number.parseInt(rows[0]?.file.slice(0, 8) ?? '0', 16) || 0;
  } catch {
    return 0;
  }
}

function sentence({ server, refusal = 'was replaced by another that is not there' }: Answer): string {
  return `${nameOf(server)} ${refusal}`;
}

function nameOf({ host, port }: DatabaseServer): string {
  return port === undefined ? host : `${host}:${port}`;
}
