import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DirectoryLock } from '../src/database/directory-lock';
import { DatabaseStartError } from '../src/database/start-error';

const ROOT = join(__dirname, '..');

/** Milliseconds; processes are started, and the machine may be busy. */
const PATIENCE = 120_000;

describe('DirectoryLock', () => {
  let directory: string;
  let children: ChildProcess[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ponte-lock-'));
    children = [];
  });

  afterEach(async () => {
    await Promise.all(children.map((child) => end(child)));
    await rm(directory, { recursive: true });
  });

  /** A process that tries to lock the directory. @returns what it says about that */
  async function start(): Promise<{ child: ChildProcess; says: string }> {
    const file = join(ROOT, 'test', 'support', 'hold-directory.ts');
    const child = spawn(process.execPath, [join(ROOT, 'scripts', 'run-ts.cjs'), file, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return { child, says: line };
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  it(
    'refuses a second process in one line that names the directory and the process',
    async () => {
      const holder = await start();
      expect(holder.says).toBe('held');
      const second = await start();
      expect(second.says).toBe(
        `${directory} is in use by another process (${holder.child.pid}): stop it, or set another DATA_DIR`,
      );
    },
    PATIENCE,
  );

  it(
    'is free as soon as its holder has been killed',
    async () => {
      for (let round = 0; round < 3; round++) {
        const { child, says } = await start();
        expect(says).toBe('held');
        await end(child);
      }
      const lock = await DirectoryLock.acquire(directory);
      await lock.release();
      expect(await readdir(join(directory, 'lock'))).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'stays with a holder that is stopped and answers nothing',
    async () => {
      const { child } = await start();
      child.kill('SIGSTOP');
      await expect(DirectoryLock.acquire(directory)).rejects.toThrow('in use by another process');
    },
    PATIENCE,
  );

  it(
    'goes to exactly one of several processes that start at once over the remains of a killed one',
    async () => {
      await end((await start()).child);
      const starters = await Promise.all(Array.from({ length: 6 }, () => start()));
      expect(starters.filter(({ says }) => says === 'held')).toHaveLength(1);
      for (const { says } of starters) expect(says).toMatch(/^held$|is in use by another process/);
    },
    PATIENCE,
  );

  it(
    'goes to exactly one of many starters, however their steps fall',
    async () => {
      for (let round = 0; round < 200; round++) {
        const starters = await Promise.allSettled(
          Array.from({ length: 12 }, () => DirectoryLock.acquire(directory)),
        );
        const holders = starters.filter((starter) => starter.status === 'fulfilled');
        expect(holders).toHaveLength(1);
        for (const starter of starters)
          if (starter.status === 'rejected') expect(starter.reason).toBeInstanceOf(DatabaseStartError);
        await holders[0]?.value.release();
      }
      expect(await readdir(join(directory, 'lock'))).toEqual([]);
    },
    PATIENCE,
  );

  it('works below a path that is too long for a socket', async () => {
    const deep = join(directory, 'd'.repeat(120));
    const lock = await DirectoryLock.acquire(deep);
    await expect(DirectoryLock.acquire(deep)).rejects.toThrow('in use');
    await lock.release();
    await (await DirectoryLock.acquire(deep)).release();
  });

  describe('towards a claim that sorts after its own', () => {
    const name = 'ffffffff-ffff-7fff-bfff-ffffffffffff.1.sock';
    let other: Server;

    async function claim(decide: Parameters<typeof createServer>[1]): Promise<void> {
      await mkdir(join(directory, 'lock'));
      other = createServer({}, decide);
      other.listen(join(directory, 'lock', name));
      await once(other, 'listening');
    }

    afterEach(async () => {
      other.close();
      await once(other, 'close');
    });

    it('gives way once that one holds the directory', async () => {
      await claim((socket) => socket.end('held'));
      await expect(DirectoryLock.acquire(directory)).rejects.toThrow('in use by another process (1)');
    });

    it('holds the directory once that one has given way', async () => {
      await claim((socket) => socket.destroy());
      await (await DirectoryLock.acquire(directory)).release();
    });
  });
});
