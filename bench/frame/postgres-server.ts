import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate, SECRETS_KEY, type Place } from './place';
import { parentOf, type Watched } from './processes';

/** A PostgreSQL server on which databases are made for the occasion, and dropped. */
export class PostgresServer {
  private readonly prefix = `ponte_bench_${randomBytes(4).toString('hex')}`;
  private readonly folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  private template: Promise<string> | undefined;
  private made = 0;

  private constructor(
    /** The address of a database from which others are made. */
    readonly url: string,
    /** As the server reports it: `15.18`. */
    readonly version: string,
    /** All its processes; undefined when it does not run on this machine. */
    readonly watched: Watched | undefined,
    /** Settings that decide what a commit costs. */
    readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async connect(url: string): Promise<PostgresServer> {
    return withClient(url, async (client) => {
      const { rows } = await client.query<{ pid: number; version: string }>(
        `select pg_backend_pid() as pid, current_setting('server_version') as version`,
      );
      const { rows: settings } = await client.query<{ name: string; value: string }>(
        `select name, current_setting(name) as value from pg_settings
         where name in ('fsync', 'synchronous_commit', 'shared_buffers', 'max_connections', 'autovacuum', 'max_wal_size')
         order by name`,
      );
      const [{ pid, version } = { pid: NaN, version: '' }] = rows;
      return new PostgresServer(
        url,
        version,
        serverProcess(pid),
        Object.fromEntries(settings.map(({ name, value }) => [name, value])),
      );
    });
  }

  /** A database with Ponte's tables, empty and never analysed. */
  async place(): Promise<Place> {
    return this.copyOf(await (this.template ??= this.makeTemplate()));
  }

  /** A copy of a place that nobody is connected to. */
  async copy({ url }: Place): Promise<Place> {
    if (url === undefined) throw new Error('only a database on the server can be copied');
    return this.copyOf(new URL(url).pathname.slice(1));
  }

  /** Writes out what is dirty, so that no run pays for the one before. */
  async checkpoint(): Promise<void> {
    await this.run('checkpoint');
  }

  /** Drops whatever was made and not dropped. */
  async close(): Promise<void> {
    await withClient(this.url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select datname as name from pg_database where starts_with(datname, $1)`,
        [this.prefix],
      );
      for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
    });
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async copyOf(template: string): Promise<Place> {
    const name = `${this.prefix}_${(this.made += 1)}`;
    await this.run(`create database ${name} template ${template}`);
    const url = this.urlOf(name);
    return {
      url,
      environment: { DATABASE_URL: url, DATA_DIR: this.folder, SECRETS_KEY },
      drop: () => this.run(`drop database if exists ${name} with (force)`),
    };
  }

  private async makeTemplate(): Promise<string> {
    const name = `${this.prefix}_template`;
    await this.run(`create database ${name}`);
    await migrate({ DATABASE_URL: this.urlOf(name), DATA_DIR: this.folder, SECRETS_KEY });
    return name;
  }

  private urlOf(database: string): string {
    const url = new URL(this.url);
    url.pathname = `/${database}`;
    return url.href;
  }

  private run(sql: string): Promise<void> {
    return withClient(this.url, async (client) => void (await client.query(sql)));
  }
}

/** Connects for the time of some work. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The server that started a backend, if the backend is a process of this machine. */
function serverProcess(backend: number): Watched | undefined {
  try {
    if (!readFileSync(`/proc/${backend}/comm`, 'utf8').startsWith('postgres')) return undefined;
  } catch {
    return undefined;
  }
  const pid = parentOf(backend);
  return pid === undefined ? undefined : { name: 'PostgreSQL', pid, family: true };
}
