import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Generous: a busy machine must not decide. A service that fails ends, which is noticed at once. */
const START_LIMIT_MS = 300_000;

/** No balancer sends requests here: nobody needs time to notice the end. */
const OWN = { HOST: '127.0.0.1', PORT: '0', LOG_FORMAT: 'json', SHUTDOWN_GRACE_SECONDS: '0' };

/** The real, built service in a process of its own, on a free port of 127.0.0.1. */
export class RunningService {
  private constructor(
    private readonly child: ChildProcess,
    /** Address without a trailing slash: `http://127.0.0.1:49152`. */
    readonly url: string,
    /** Milliseconds from spawn to listening. */
    readonly startedInMs: number,
  ) {}

  /**
   * Starts the service and waits until it listens.
   * @param main path of the built `main.js`
   * @param env its settings; of this process's environment only PATH reaches it
   * @param nodeOptions options of Node itself, such as `--cpu-prof`
   * @param onLine gets every line it prints, to whichever stream; absent: nobody reads on once it listens
   * @throws Error with the last lines it printed when it ends before it listens
   */
  static async start(
    main: string,
    env: Record<string, string>,
    nodeOptions: readonly string[] = [],
    onLine?: (line: string) => void,
  ): Promise<RunningService> {
    const started = performance.now();
    const child = spawn(process.execPath, [...nodeOptions, main], {
      env: { ...OWN, PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const url = await listeningAddress(child, onLine);
    return new RunningService(child, url, Math.round(performance.now() - started));
  }

  /** Of its process. */
  get pid(): number {
    return this.child.pid ?? NaN;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Asks it to finish what is in flight and waits for its end. @returns its exit code */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.running) {
      const exited = once(this.child, 'exit');
      this.child.kill(signal);
      await exited;
    }
    return this.child.exitCode;
  }
}

function listeningAddress(child: ChildProcess, onLine?: (line: string) => void): Promise<string> {
  const last: string[] = [];
  return new Promise((resolve, reject) => {
    const give = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      give(new Error(`the service did not listen within ${START_LIMIT_MS / 1000} s:\n${last.join('\n')}`));
    }, START_LIMIT_MS);
    child.once('exit', (code) =>
      give(new Error(`the service ended with ${code} before it listened:\n${last.join('\n')}`)),
    );
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      const lines = createInterface({ input: stream }).on('line', (line) => {
        onLine?.(line);
        last.push(line);
        if (last.length > 20) last.shift();
        const address = /"listening":"([^"]+)"/.exec(line)?.[1];
        if (!address) return;
        clearTimeout(timer);
        resolve(address);
        if (onLine) return;
        // Nobody reads on, but a full pipe would block the service.
        lines.close();
        stream.resume();
      });
    }
  });
}
