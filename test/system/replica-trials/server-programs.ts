import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '../../..');

/** PostgreSQL's installed programs, with a folder for what they make. */
export class ServerPrograms {
  private constructor(readonly folder: string) {}

  static async inNewFolder(): Promise<ServerPrograms> {
    const folder = await mkdtemp(join(tmpdir(), 'ponte-trial-server-'));
    await chmod(folder, 0o777); // PostgreSQL refuses to run as root: another user makes its files
    return new ServerPrograms(folder);
  }

  /** Runs one of them, as the user that may. @throws Error when none is installed, or it fails */
  async run(name: string, ...args: string[]): Promise<void> {
    const script = `source scripts/with-postgres.sh && as_server_user "$(postgres_bin)/${name}" "$@" >"$OUTPUT" 2>&1`;
    const output = join(this.folder, `${name}-${randomUUID()}.out`);
    await run('bash', ['-c', script, 'own-server', ...args], {
      cwd: ROOT,
      env: { ...process.env, OUTPUT: output },
    });
  }

  /** Makes the files of a server. @param data a folder below {@link folder} */
  async init(data: string): Promise<void> {
    await this.run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C');
  }

  /** Starts a server on a port of 127.0.0.1 and waits until it can be connected to. */
  async start(data: string, port: number, ...options: string[]): Promise<void> {
    const given = [
      `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${this.folder}`,
      ...options,
    ];
    await this.run('pg_ctl', '-D', data, '-l', `${data}.log`, '-w', '-o', given.join(' '), 'start');
  }

  async stopAtOnce(data: string): Promise<void> {
    await this.run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
  }

  async removeFolder(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const closed = once(server, 'close');
  server.close();
  await closed;
  return port;
}
