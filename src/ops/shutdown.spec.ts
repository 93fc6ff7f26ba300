import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(__dirname, '../..');

/** A server in a process of its own, and the lines it prints. */
class Child {
  private readonly lines: string[] = [];
  private readonly process: ChildProcess;
  private heard: () => void = () => undefined;
  readonly exited: Promise<unknown[]>;

  constructor(graceMs: number) {
    this.process = spawn(process.execPath, ['scripts/run-ts.cjs', 'test/support/slow-server.ts'], {
      cwd: ROOT,
      env: { ...process.env, GRACE_MS: String(graceMs) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.exited = once(this.process, 'exit');
    createInterface({ input: this.process.stdout! }).on('line', (line) => {
      this.lines.push(line);
      this.heard();
    });
  }

  /** Waits until so many lines start with the word, and returns them. */
  async said(word: string, times = 1): Promise<string[]> {
    for (;;) {
      const found = this.lines.filter((line) => line.startsWith(word));
      if (found.length >= times) return found;
      await new Promise<void>((resolve) => {
        this.heard = resolve;
      });
    }
  }

  async port(): Promise<number> {
    const [line] = await this.said('listening');
    return Number(/:(\d+)$/.exec(line ?? '')?.[1]);
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  release(): void {
    this.process.stdin?.write('go\n');
  }

  end(): void {
    this.process.kill('SIGKILL');
  }
}

interface Reply {
  status: number | undefined;
  connection: string | undefined;
  body: string;
}

function ask(port: number, path: string, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent, host: '127.0.0.1' }, (message: IncomingMessage) => {
      let body = '';
      message.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      message.on('end', () =>
        resolve({ status: message.statusCode, connection: message.headers.connection, body }),
      );
    }).on('error', reject);
  });
}

describe('shutting down', () => {
  let children: Child[];
  let agent: Agent;

  beforeEach(() => {
    children = [];
    agent = new Agent({ keepAlive: true });
  });
  afterEach(() => {
    agent.destroy();
    for (const child of children) child.end();
  });

  function start(graceMs = 0): Child {
    const child = new Child(graceMs);
    children.push(child);
    return child;
  }

  it('answers every keep-alive request in flight, closes the modules after them, and exits with 0', async () => {
    const child = start();
    const port = await child.port();
    await Promise.all(Array.from({ length: 4 }, () => ask(port, '/fast', agent)));
    const idle = new Agent({ keepAlive: true });
    await ask(port, '/fast', idle);
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent.resume(), 'close');
    const replies = Array.from({ length: 20 }, (_, index) => ask(port, `/slow?name=${index}`, agent));
    await child.said('holding', 20);

    child.signal('SIGTERM');
    // The connection on which nothing was sent is closed only once shutting down has begun.
    await closed;
    await expect(ask(port, '/fast', new Agent())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    child.release();

    const answered = await Promise.all(replies);
    expect(answered.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
      Array.from({ length: 20 }, (_, index) => ({ name: String(index), roomsOpen: true })),
    );
    expect(new Set(answered.map(({ connection }) => connection))).toEqual(new Set(['close']));
    await expect(child.exited).resolves.toEqual([0, null]);
    expect(await child.said('closed')).toHaveLength(1);
    idle.destroy();
  });

  describe('with time for others to notice', () => {
    const GRACE_MS = 3_000;

    it('serves everybody until it is over, and answers what came in then', async () => {
      const child = start(GRACE_MS);
      const port = await child.port();
      await ask(port, '/fast', agent);
      const signalled = performance.now();
      child.signal('SIGTERM');
      let begun = false;
      let served = 0;
      for (;;) {
        // A new caller each time, as a balancer that has not noticed yet sends them.
        const reply = await ask(port, '/fast', new Agent()).catch(
          (error: NodeJS.ErrnoException) => error.code,
        );
        if (typeof reply !== 'object') {
          // Reset: it was waiting to be let in at the moment when the port was closed.
          expect(['ECONNREFUSED', 'ECONNRESET']).toContain(reply);
          break;
        }
        expect(reply.status).toBe(200);
        begun ||= reply.connection === 'close';
        if (begun) served += 1;
      }
      expect(performance.now() - signalled).toBeGreaterThanOrEqual(GRACE_MS);
      expect(served).toBeGreaterThan(1);
      await expect(child.exited).resolves.toEqual([0, null]);
    });

    it('ends at once on a second signal, and waits for nobody when a person ends it', async () => {
      const [asked, atTerminal] = [start(GRACE_MS), start(3_600_000)];
      await asked.port();
      asked.signal('SIGTERM');
      asked.signal('SIGINT');
      await expect(asked.exited).resolves.toEqual([1, null]);
      await atTerminal.port();
      atTerminal.signal('SIGINT');
      await expect(atTerminal.exited).resolves.toEqual([0, null]);
    });
  });

  it('exits at once with 1 on a second signal', async () => {
    const child = start();
    const port = await child.port();
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent.resume(), 'close');
    const lost = ask(port, '/slow?name=lost', agent).catch((error: NodeJS.ErrnoException) => error.code);
    await child.said('holding');

    child.signal('SIGTERM');
    await closed;
    child.signal('SIGINT');

    await expect(child.exited).resolves.toEqual([1, null]);
    await expect(lost).resolves.toBe('ECONNRESET');
  });
});
