import type { EmbeddedEngine } from './embedded-engine';
import type { EngineLine } from './engine-line';

/** An engine in the thread that asks it: for databases in memory, of tests and tools, that nobody else waits for. */
export class LocalEngine implements EngineLine {
  private heard: (connection: number, answers: Uint8Array) => void = () => undefined;

  constructor(private readonly engine: EmbeddedEngine) {}

  ask(connection: number, messages: Uint8Array<ArrayBuffer>): void {
    // Later, as from anywhere else: the driver is not ready for an answer while it asks.
    setImmediate(() => {
      void this.engine.answer(messages).then((answers) => this.heard(connection, answers));
    });
  }

  onAnswer(heard: (connection: number, answers: Uint8Array) => void): void {
    this.heard = heard;
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
