import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { TestDatabasePlace } from '../../support/database';
import { until } from '../../support/until';
import { freePort, ServerPrograms } from '../replica-trials/server-programs';

/** Processes are killed here and no machine is: what they wrote is kept by the system. */
const NO_FSYNC = '-c fsync=off';

/**
 * A primary and its synchronous standby on free ports of 127.0.0.1: what the primary has committed and told, the standby has.
 * `DATABASE_URL` names both, the standby first.
 */
export class ServerPair implements TestDatabasePlace {
  readonly environment: Readonly<Record<string, string>>;

  private constructor(
    private readonly programs: ServerPrograms,
    private readonly primaryPort: number,
    readonly standbyPort: number,
    private readonly options: readonly string[],
  ) {
    this.environment = {
      DATABASE_URL: this.urlOf('postgres'),
      SECRETS_KEY: randomBytes(32).toString('base64'),
    };
  }

  /** Both at work, with the empty database `ponte`. @throws Error when no PostgreSQL is installed */
  static async start(): Promise<ServerPair> {
    const pair = await ServerPair.startEmpty(NO_FSYNC);
    await pair.onPrimary('CREATE DATABASE ponte');
    return pair;
  }

  /**
   * Both at work, without a database for Ponte. Nothing is left when it fails.
   * @param options those of `postgres`
   * @throws Error when no PostgreSQL is installed
   */
  static async startEmpty(...options: readonly string[]): Promise<ServerPair> {
    const programs = await ServerPrograms.inNewFolder();
    const pair = new ServerPair(programs, await freePort(), await freePort(), options);
    try {
      await pair.begin();
      return pair;
    } catch (error) {
      await pair.drop();
      throw error;
    }
  }

  private async begin(): Promise<void> {
    const { programs, primary, standby, primaryPort, standbyPort, options } = this;
    await programs.init(primary);
    await programs.start(primary, primaryPort, ...options);
    const copied = ['-D', standby, '-R', '-X', 'stream', '-c', 'fast'];
    await programs.run(
      'pg_basebackup',
      '-h',
      '127.0.0.1',
      '-p',
      `${primaryPort}`,
      '-U',
      'postgres',
      ...copied,
    );
    await programs.start(standby, standbyPort, ...options);
    await this.onServer(primaryPort, async (client) => {
      // Afterwards, so that the standby does not wait for another when it is the primary.
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await client.query('SELECT pg_reload_conf()');
      await until(async () => {
        const { rows } = await client.query(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
        return rows.length === 1;
      });
    });
  }

  /** Connection string of a user's database `ponte`, whichever of the two takes writes. */
  urlOf(user: string): string {
    return `${urlOf([this.standbyPort, this.primaryPort], user)}?target_session_attrs=read-write`;
  }

  /** Runs a statement as the superuser. */
  async onPrimary(statement: string): Promise<void> {
    await this.onServer(this.primaryPort, (client) => client.query(statement));
  }

  /** The same on the standby. */
  async onStandby(statement: string): Promise<void> {
    await this.onServer(this.standbyPort, (client) => client.query(statement));
  }

  /** Connection string of the same database. */
  get oldPrimaryFirst(): string {
    return urlOf([this.primaryPort, this.standbyPort]);
  }

  /** Kills every process of the primary at once. */
  async killPrimary(): Promise<void> {
    const [first = ''] = (await readFile(join(this.primary, 'postmaster.pid'), 'utf8')).split('\n');
    const postmaster = Number(first);
    process.kill(postmaster, 'SIGSTOP'); // so that it starts nobody meanwhile
    const { stdout } = await promisify(execFile)('ps', ['--ppid', String(postmaster), '-o', 'pid=']);
    for (const pid of [postmaster, ...stdout.trim().split(/\s+/).map(Number)]) kill(pid);
    await until(() => !isRunning(postmaster));
  }

  /** Makes the standby the primary, and waits until it is. */
  async promote(): Promise<void> {
    await this.programs.run('pg_ctl', '-D', this.standby, '-w', 'promote');
  }

  /** The old primary comes back and takes writes again, which nobody should send it. */
  async primaryReturns(): Promise<void> {
    await this.programs.start(this.primary, this.primaryPort, ...this.options);
  }

  async drop(): Promise<void> {
    for (const data of [this.primary, this.standby])
      await this.programs.stopAtOnce(data).catch(() => undefined);
    await this.programs.removeFolder();
  }

  private get primary(): string {
    return join(this.programs.folder, 'primary');
  }

  private get standby(): string {
    return join(this.programs.folder, 'standby');
  }

  private async onServer(port: number, work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = new Client({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres` });
    await client.connect();
    await work(client).finally(() => client.end());
  }
}

function urlOf(ports: readonly number[], user = 'postgres'): string {
  return `postgresql://${user}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/ponte`;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
