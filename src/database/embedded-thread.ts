import { parentPort, workerData } from 'node:worker_threads';
import { copyCluster } from './cluster-copy';
import { DataDirectory } from './data-directory';
import { EmbeddedEngine } from './embedded-engine';
import type { FromThread, ToThread } from './thread-engine';
import { DatabaseStartError, reasonOf, startErrorOf } from './start-error';

/*
 * The thread of the embedded engine: opens the data directory that it is given, answers what it is asked, in the order in
 * which it is asked, and closes the directory at the end. The directory is locked by whoever starts it.
 */

const { dataDir } = workerData as { dataDir: string };

function send(message: FromThread, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}

/** Ends this thread at once, whatever it is in the midst of; whoever started it then ends the process. */
function end(reason: string): never {
  send({ ended: reason });
  process.exit(1);
}

async function open(): Promise<EmbeddedEngine> {
  const directory = new DataDirectory(dataDir);
  await directory.prepare();
  return new EmbeddedEngine(await directory.open(end), end);
}

async function answer(engine: EmbeddedEngine, message: ToThread): Promise<void> {
  if (message === 'close') {
    await engine.close();
    send('closed');
    parentPort?.close();
    return;
  }
  if ('copyTo' in message) return copy(message.copyTo);
  const answers = await engine.answer(message.messages);
  send({ connection: message.connection, answers }, [answers.buffer]);
}

/** Between two messages the engine writes nothing, so the files stand still for as long as this takes. */
function copy(target: string): void {
  try {
    send({ copiedInMs: copyCluster(new DataDirectory(dataDir).cluster, target) });
  } catch (error) {
    send({ notCopied: reasonOf(error) });
  }
}

async function main(): Promise<void> {
  try {
    const engine = await open();
    // What fails here is nobody's to catch: it ends the thread, and with it the process.
    parentPort?.on('message', (message: ToThread) => void answer(engine, message));
    send('open');
  } catch (error) {
    const reason = startErrorOf(error, dataDir);
    if (!(reason instanceof DatabaseStartError)) throw error;
    send({ refused: reason.message });
    parentPort?.close();
  }
}

void main();
