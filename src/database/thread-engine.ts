import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { CopyError } from './cluster-copy';
import { EMBEDDED_THREAD } from './embedded-thread-entry';
import type { EngineLine } from './engine-line';
import { DatabaseStartError, reasonOf } from './start-error';

/** What the thread is asked: messages of PostgreSQL's protocol, to copy the files, or to end. */
export type ToThread =
  { connection: number; messages: Uint8Array<ArrayBuffer> } | { copyTo: string } | 'close';

/**
 * What the thread says: that it is open, or why not; answers; how long copying took, or why it failed; why the engine cannot
 * go on; that it is closed.
 */
export type FromThread =
  | 'open'
  | { refused: string }
  | { connection: number; answers: Uint8Array<ArrayBuffer> }
  | { copiedInMs: number }
  | { notCopied: string }
  | { ended: string }
  | 'closed';

const START_AGAIN = 'start again: what was answered is stored';
const MAKE_SPACE = `make space and see that the disk can be written, then ${START_AGAIN}`;

/**
 * The embedded engine in a thread of its own, so that this one goes on reading sockets while the engine works. The process
 * ends when the thread does and nobody has closed it: no statement would ever be answered again.
 */
export class ThreadEngine implements EngineLine {
  private heard: (connection: number, answers: Uint8Array) => void = () => undefined;
  /** Why the thread ends, and what to do. */
  private reason = `its thread ended; ${START_AGAIN}`;
  private isClosed = false;
  private copying?: { resolve: (ms: number) => void; reject: (error: Error) => void };

  private constructor(
    private readonly thread: Worker,
    private readonly dataDir: string,
  ) {}

  /**
   * Starts the thread and waits until it has opened the directory, made if there is none. Call it with the directory locked.
   * @throws DatabaseStartError when the directory cannot be opened
   */
  static open(dataDir: string): Promise<ThreadEngine> {
    // It needs no setting, and is to know no secret.
    const thread = new Worker(EMBEDDED_THREAD, { env: {}, workerData: { dataDir } });
    const engine = new ThreadEngine(thread, dataDir);
    return new Promise((resolve, reject) => {
      let opened = false;
      thread.on('message', (message: FromThread) => {
        if (message === 'open') resolve(engine);
        else if (typeof message === 'object' && 'refused' in message)
          reject(new DatabaseStartError(message.refused));
        else engine.receive(message);
        opened ||= message === 'open';
      });
      thread.on('error', (error) => {
        if (opened) engine.reason = `its thread failed: ${reasonOf(error)}; ${START_AGAIN}`;
        else reject(error);
      });
      thread.on('exit', () => {
        if (opened) engine.ended();
        else
          reject(
            new DatabaseStartError(`the embedded database in ${dataDir} cannot be opened: ${engine.reason}`),
          );
      });
    });
  }

  ask(connection: number, messages: Uint8Array<ArrayBuffer>): void {
    this.send({ connection, messages }, [messages.buffer]);
  }

  onAnswer(heard: (connection: number, answers: Uint8Array) => void): void {
    this.heard = heard;
  }

  /**
   * Copies the files of the database while nothing else is done with it. Call it where no transaction is open, one call
   * after another.
   * @param folder a folder that is not there yet
   * @returns for how many milliseconds nothing else was done
   * @throws CopyError and no folder is left
   */
  copyTo(folder: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.copying = { resolve, reject };
      this.send({ copyTo: folder });
    });
  }

  async close(): Promise<void> {
    const exit = new Promise((resolve) => this.thread.once('exit', resolve));
    this.send('close');
    await exit;
  }

  private send(message: ToThread, transferred: ArrayBuffer[] = []): void {
    this.thread.postMessage(message, transferred);
  }

  private receive(message: Exclude<FromThread, 'open' | { refused: string }>): void {
    if (message === 'closed') this.isClosed = true;
    else if ('copiedInMs' in message) this.copying?.resolve(message.copiedInMs);
    else if ('notCopied' in message) this.copying?.reject(new CopyError(message.notCopied));
    else if ('ended' in message) this.reason = `${message.ended}; ${MAKE_SPACE}`;
    else this.heard(message.connection, message.answers);
  }

  private ended(): void {
    if (this.isClosed) return;
    writeSync(
      process.stderr.fd,
      `Ponte stops: the embedded database in ${this.dataDir} cannot go on: ${this.reason}\n`,
    );
    process.exit(1);
  }
}
