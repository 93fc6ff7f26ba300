import { Client } from 'pg';

/** How long after a connection broke the next is tried, at least, in milliseconds; at most twice that. */
const RECONNECT_MS = 500;

/**
 * Listens to a channel of a PostgreSQL server on a connection of its own. A connection that breaks is made again, for
 * as long as it takes.
 */
export class PostgresListener {
  private client: Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * @param channel an SQL identifier
   * @param heard called at each notification, and after each connecting: something may have been missed
   */
  constructor(
    private readonly connectionString: string,
    private readonly channel: string,
    private readonly heard: () => void,
  ) {
    void this.connect();
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnect);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.connectionString,
      application_name: 'ponte listener',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', this.heard);
    client.on('error', () => this.again(client));
    client.on('end', () => this.again(client));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.channel}`);
      this.heard();
    } catch {
      this.again(client);
    }
  }

  /** Once for each connection, however its end shows. */
  private again(broken: Client): void {
    if (this.closed || this.client !== broken) return;
    this.client = undefined;
    void broken.end().catch(() => undefined);
    this.reconnect = setTimeout(() => void this.connect(), RECONNECT_MS * (1 + Math.random()));
  }
}
