import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestDatabasePlace } from '../../support/database';
import { freePort, ServerPrograms } from './server-programs';

/** A PostgreSQL server that a trial may stop: started from the installed programs, on a free port of 127.0.0.1. */
export class OwnServer implements TestDatabasePlace {
  readonly environment: Readonly<Record<string, string>>;

  private constructor(
    private readonly programs: ServerPrograms,
    private readonly port: number,
  ) {
    this.environment = {
      DATABASE_URL: this.urlOf('ponte'),
      SECRETS_KEY: randomBytes(32).toString('base64'),
    };
  }

  /** @throws Error when no PostgreSQL is installed */
  static async start(): Promise<OwnServer> {
    const server = new OwnServer(await ServerPrograms.inNewFolder(), await freePort());
    await server.programs.init(server.data);
    await server.startAgain();
    const client = new Client({ connectionString: server.urlOf('postgres') });
    await client.connect();
    await client.query('CREATE DATABASE ponte');
    await client.end();
    return server;
  }

  /** Ends it at once: connections break, and what was not committed is gone. */
  async stopAtOnce(): Promise<void> {
    await this.programs.stopAtOnce(this.data);
  }

  async startAgain(): Promise<void> {
    await this.programs.start(this.data, this.port);
  }

  async drop(): Promise<void> {
    await this.stopAtOnce();
    await this.programs.removeFolder();
  }

  private get data(): string {
    return join(this.programs.folder, 'data');
  }

  /** Connection string of one of its databases. */
  urlOf(database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}`;
  }
}
