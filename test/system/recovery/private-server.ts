import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql';

/** A PostgreSQL server of this test alone, of the installed programs, which archives its write-ahead log. */
export class PrivateServer {
  private readonly running = new Set<string>();

  private constructor(
    /** Everything of it is in here. */
    readonly folder: string,
    private readonly bin: string,
    readonly port: number,
  ) {}

  /** @throws Error where no PostgreSQL is installed */
  static async start(): Promise<PrivateServer> {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-recovery-'));
    const server = new PrivateServer(folder, await programs(), await freePort());
    mkdirSync(join(folder, 'wal'));
    if (isRoot()) await run('chown', ['-R', 'postgres', folder]);
    chmodSync(folder, 0o755);
    const data = join(folder, 'data');
    await server.program('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C');
    await server.serve(data, server.port, [
      ...['-c', 'archive_mode=on', '-c', 'fsync=off'],
      ...['-c', `archive_command='cp %p ${join(folder, 'wal')}/%f'`],
    ]);
    return server;
  }

  url(database: string, port = this.port): string {
    return `postgresql://postgres@127.0.0.1:${port}/${database}`;
  }

  /** Runs one of PostgreSQL's programs, as the user that a server may run as. */
  async program(name: string, ...args: string[]): Promise<string> {
    const command = [join(this.bin, name), ...args];
    const [first = '', ...rest] = isRoot() ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    const { stdout } = await run(first, rest, { cwd: '/' });
    return stdout;
  }

  /** Runs statements, one after another. */
  async sql(database: string, ...statements: string[]): Promise<void> {
    const client = new Client({ connectionString: this.url(database) });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  /**
   * Starts a second server from a base backup and the archived log, as it was at a restore point.
   * @returns its port
   */
  async recover(base: string, restorePoint: string): Promise<number> {
    const data = join(this.folder, 'recovered');
    cpSync(base, data, { recursive: true });
    const settings = [
      `restore_command = 'cp ${join(this.folder, 'wal')}/%f %p'`,
      `recovery_target_name = '${restorePoint}'`,
      `recovery_target_action = 'promote'`,
    ];
    writeFileSync(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    writeFileSync(join(data, 'recovery.signal'), '');
    if (isRoot()) await run('chown', ['-R', 'postgres', data]);
    chmodSync(data, 0o700);
    const port = await freePort();
    await this.serve(data, port, ['-c', 'archive_mode=off', '-c', 'fsync=off']);
    const client = new Client({ connectionString: this.url('postgres', port) });
    await client.connect();
    for (let recovering = true; recovering;) {
      const { rows } = await client.query<{ recovering: boolean }>(
        'SELECT pg_is_in_recovery() AS recovering',
      );
      recovering = rows[0]?.recovering ?? true;
    }
    await client.end();
    return port;
  }

  async stop(): Promise<void> {
    for (const data of this.running)
      await this.program('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async serve(data: string, port: number, options: readonly string[]): Promise<void> {
    const own = [
      '-p',
      `${port}`,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${this.folder}`,
    ];
    const log = join(this.folder, `log-${randomBytes(4).toString('hex')}`);
    await this.program('pg_ctl', '-D', data, '-l', log, '-w', 'start', '-o', [...own, ...options].join(' '));
    this.running.add(data);
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The folder with the programs of the newest server that is installed. */
async function programs(): Promise<string> {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (found !== undefined) return found;
  const { stdout } = await run('pg_config', ['--bindir']).catch(() => {
    throw new Error('this test starts a PostgreSQL server of its own, and none is installed');
  });
  return stdout.trim();
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
