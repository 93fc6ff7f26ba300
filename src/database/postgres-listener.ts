import { connectionConfig } from './connection-pool';
import { WORKING_SESSION } from './connection-limits';
import type { DatabaseServers } from './database-servers';
import type { OpenConnections } from './open-connections';
import { WatchedClient } from './watched-client';

/** How long after a connection broke the next is tried, at least, in milliseconds; at most twice that. */
const RECONNECT_MS = 500;

/** Milliseconds between two proofs that the connection still stands: nothing may come over it for days. */
const PROOF_EVERY_MS = 15_000;
const PROOF = { text: 'SELECT 1', answerWithinMs: 5_000 };

/**
 * Listens to a channel of a PostgreSQL server on a connection of its own. A connection that breaks is made again, for
 * as long as it takes.
 */
export class PostgresListener {
  private client: WatchedClient | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private readonly proofs: NodeJS.Timeout;
  private closed = false;

  /**
   * @param channel an SQL identifier
   * @param heard called at each notification, and after each connecting: something may have been missed
   */
  constructor(
    private readonly servers: DatabaseServers,
    private readonly channel: string,
    private readonly heard: () => void,
    private readonly connections: OpenConnections,
  ) {
    this.proofs = setInterval(() => this.prove(), PROOF_EVERY_MS).unref();
    void this.connect();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnect);
    clearInterval(this.proofs);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new WatchedClient(this.connections, {
      ...connectionConfig(this.servers),
      application_name: 'ponte listener',
    });
    this.client = client;
    client.on('notification', this.heard);
    client.on('error', () => this.again(client));
    client.on('end', () => this.again(client));
    try {
      await client.connect();
      await client.begin(WORKING_SESSION);
      await client.query(`LISTEN ${this.channel}`);
      this.heard();
    } catch {
      this.again(client);
    }
  }

  /** A connection that is silent by then is given up by its client, and made again. */
  private prove(): void {
    if (this.client?.pendingSince === undefined) void this.client?.query(PROOF).catch(() => undefined);
  }

  /** Once for each connection, however its end shows. */
  private again(broken: WatchedClient): void {
    if (this.closed || this.client !== broken) return;
    this.client = undefined;
    void broken.end().catch(() => undefined);
    this.reconnect = setTimeout(() => void this.connect(), RECONNECT_MS * (1 + Math.random()));
  }
}
