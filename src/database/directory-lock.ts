import { open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { makeFolder } from '../config/make-folder';
import { newId } from '../kernel/identifier';
import { DatabaseStartError } from './start-error';

const CLAIM = /^([0-9a-f-]{36})\.(\d+)\.sock$/;
const UNANNOUNCED = /\.new$/;

/** Bytes that fit into a socket's address on every system (104 on macOS, 108 on Linux), less a margin. */
const LONGEST_SOCKET_PATH = 100;

/** Milliseconds to wait for a starter with a later claim to give way. */
const PATIENCE = 10_000;

/**
 * Lets one process at a time work in a directory, and is released when that process ends in whatever way.
 *
 * A claim is a listening Unix socket in the folder `lock`. The kernel alone says whether a claim is alive: a
 * connection to it succeeds, or is refused because nobody listens any more. That is so after `kill -9`, after
 * a reboot and between containers that share the directory, where process numbers mean nothing; and it leaves
 * nothing to clean up by hand.
 *
 * 1. A starter listens under a name of its own that nobody uses again, then makes the claim visible by renaming it.
 * 2. Then it checks every other claim. A dead one is removed. A live one that is older, or already has
 *    the directory, wins. A live one that is younger and still starting will see this claim and give way.
 *
 * Every starter announces before it checks, so of two starters at least one sees the other, and the order of claims
 * decides between them. The directory must be on a local disk: across a network file system another machine's
 * socket looks dead.
 */
export class DirectoryLock {
  private taken = false;
  private readonly waiting = new Set<Socket>();
  private readonly server: Server = createServer((socket) => this.answer(socket));

  private constructor(
    private readonly directory: string,
    private readonly folder: SocketFolder,
    private readonly id = newId(),
  ) {}

  /** @throws DatabaseStartError when another process works in the directory */
  static async acquire(directory: string): Promise<DirectoryLock> {
    const folder = await SocketFolder.open(join(directory, 'lock'));
    const lock = new DirectoryLock(directory, folder);
    try {
      await lock.announce();
      for (const name of await folder.list(CLAIM)) if (name !== lock.name) await lock.outlast(name);
      lock.take();
      for (const name of await folder.list(UNANNOUNCED)) await folder.remove(name);
      return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Gives the directory free. */
  async release(): Promise<void> {
    await this.folder.remove(this.name);
    for (const socket of this.waiting) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    await this.folder.close();
  }

  private get name(): string {
    return `${this.id}.${process.pid}.sock`;
  }

  /** Under the final name only once it listens: a claim that refuses a connection is dead, without exception. */
  private async announce(): Promise<void> {
    const draft = `${this.id}.new`;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) =>
        reject(new DatabaseStartError(`${this.directory} cannot be locked: ${error.code ?? error.message}`)),
      );
      this.server.listen(this.folder.path(draft), resolve);
    });
    this.server.unref();
    await this.folder.rename(draft, this.name).catch(() => {
      // The owner tidies up drafts, so somebody has the directory.
      throw this.inUse();
    });
  }

  private take(): void {
    this.taken = true;
    for (const socket of this.waiting) this.answer(socket);
    this.waiting.clear();
  }

  /** Says that the directory is taken, or keeps the question open until it is decided. */
  private answer(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (this.taken) socket.end('held');
    else this.waiting.add(socket);
  }

  /** Returns once the other claim is no more. @throws DatabaseStartError when it wins */
  private async outlast(name: string): Promise<void> {
    const [, id = '', pid = ''] = CLAIM.exec(name) ?? [];
    const socket = await this.reach(name, pid);
    if (!socket) return this.folder.remove(name);
    try {
      if (id < this.id || !(await givesWay(socket))) throw this.inUse(pid);
    } finally {
      socket.destroy();
    }
  }

  /** A connection to a live claim; nothing when the claim is dead. */
  private reach(name: string, pid: string): Promise<Socket | undefined> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.folder.path(name));
      socket.once('connect', () => resolve(socket));
      socket.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined);
        // It stopped listening just now, before it took this connection: asked again, it says so clearly.
        else if (error.code === 'ECONNRESET') resolve(this.reach(name, pid));
        // Not allowed, or too many at once: somebody is there.
        else reject(this.inUse(pid));
      });
    });
  }

  private inUse(pid?: string): DatabaseStartError {
    const who = pid ? `another process (${pid})` : 'another process';
    return new DatabaseStartError(`${this.directory} is in use by ${who}: stop it, or set another DATA_DIR`);
  }
}

/** Whether a younger claim withdraws and closes its socket; else it answers that it has the directory, or is silent. */
function givesWay(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('data', () => resolve(false));
    socket.once('close', () => resolve(true));
    socket.on('error', () => resolve(true));
    socket.setTimeout(PATIENCE, () => resolve(false));
  });
}

/** A folder of sockets, reached by a path that is short enough for one. */
class SocketFolder {
  private constructor(
    private readonly folder: string,
    private readonly reach: string,
    private readonly handle?: FileHandle,
  ) {}

  static async open(folder: string): Promise<SocketFolder> {
    makeFolder(folder);
    const room = LONGEST_SOCKET_PATH - `/${newId()}.${process.pid}.sock`.length;
    const reach = [folder, relative(process.cwd(), folder)].find(
      (path) => path && Buffer.byteLength(path) <= room,
    );
    if (reach) return new SocketFolder(folder, reach);
    if (process.platform !== 'linux')
      throw new DatabaseStartError(`the path ${folder} is too long for a socket: set a shorter DATA_DIR`);
    const handle = await open(folder);
    return new SocketFolder(folder, `/proc/self/fd/${handle.fd}`, handle);
  }

  path(name: string): string {
    return `${this.reach}/${name}`;
  }

  async list(pattern: RegExp): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => pattern.test(name));
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(join(this.folder, from), join(this.folder, to));
  }

  async remove(name: string): Promise<void> {
    await unlink(join(this.folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }
}
