import type { ClientBase } from 'pg';
import type { EngineLine } from './engine-line';
import { EngineConnections } from './engine-stream';
import { StatementPool } from './statement-pool';

/**
 * The one connection to the embedded engine, which has one session: whoever wants it waits until those before have given
 * it back. Nothing is given up for its duration, because the engine does not forget what was asked of it.
 */
export class EmbeddedPool extends StatementPool {
  constructor(line: EngineLine) {
    const connections = new EngineConnections(line);
    super({
      stream: () => connections.connect(),
      // Said here, or the driver would read it from the environment, which may be about another database.
      ...{ host: 'embedded', port: 0, user: 'postgres', database: 'postgres', password: '', ssl: false },
      pipeline: true,
      max: 1,
      idleTimeoutMillis: 0,
    });
    // What it could break by ends the process.
    const ignored = (): void => undefined;
    this.on('error', ignored);
    this.on('connect', (client: ClientBase) => client.on('error', ignored));
  }

  /** Whoever waits for the connection gets it first: the driver's own pool would leave them waiting for ever. */
  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const ended = this.endAfterOthers();
    if (!callback) return ended;
    void ended.then(callback);
  }

  private async endAfterOthers(): Promise<void> {
    do {
      const last = await this.connect();
      last.release();
    } while (this.waitingCount > 0);
    await super.end();
  }
}
