import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { TestDatabasePlace } from '../../support/database';

const run = promisify(execFile);
const ROOT = join(__dirname, '../../..');

/** A PostgreSQL server that a trial may stop: started from the installed programs, on a free port of 127.0.0.1. */
export class OwnServer implements TestDatabasePlace {
  readonly environment: Readonly<Record<string, string>>;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {
    this.environment = {
      DATABASE_URL: this.urlOf('ponte'),
      SECRETS_KEY: randomBytes(32).toString('base64'),
    };
  }

  /** @throws Error when no PostgreSQL is installed */
  static async start(): Promise<OwnServer> {
    const folder = await mkdtemp(join(tmpdir(), 'ponte-trial-server-'));
    await chmod(folder, 0o777); // PostgreSQL refuses to run as root: another user makes its files
    const server = new OwnServer(folder, await freePort());
    await server.program(
      'initdb',
      '-D',
      server.data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
    );
    await server.startAgain();
    const client = new Client({ connectionString: server.urlOf('postgres') });
    await client.connect();
    await client.query('CREATE DATABASE ponte');
    await client.end();
    return server;
  }

  /** Ends it at once: connections break, and what was not committed is gone. */
  async stopAtOnce(): Promise<void> {
    await this.program('pg_ctl', '-D', this.data, '-m', 'immediate', '-w', 'stop');
  }

  async startAgain(): Promise<void> {
    const options = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${this.folder}`;
    await this.program(
      'pg_ctl',
      '-D',
      this.data,
      '-l',
      join(this.folder, 'log'),
      '-w',
      '-o',
      options,
      'start',
    );
  }

  async drop(): Promise<void> {
    await this.stopAtOnce();
    await rm(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  /** Connection string of one of its databases. */
  urlOf(database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs one of PostgreSQL's programs, as the user that may. */
  private async program(name: string, ...args: string[]): Promise<void> {
    const script = `source scripts/with-postgres.sh && as_server_user "$(postgres_bin)/${name}" "$@" >"$OUTPUT" 2>&1`;
    const output = join(this.folder, `${name}.out`);
    await run('bash', ['-c', script, 'own-server', ...args], {
      cwd: ROOT,
      env: { ...process.env, OUTPUT: output },
    });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const closed = once(server, 'close');
  server.close();
  await closed;
  return port;
}
