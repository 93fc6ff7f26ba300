import { join } from 'node:path';
import { RunningService } from '../../../scripts/demo/running-service';
import { Sender } from '../load';

const MAIN = join(__dirname, '../../../dist/src/main.js');
/** A reply later than this is none, in milliseconds. */
const REPLY_LIMIT_MS = 5_000;

/** What a replica says of itself. */
export interface HealthReply {
  /** Of HTTP; undefined: it did not answer in time. */
  httpStatus: number | undefined;
  status?: 'ok' | 'degraded' | 'unavailable';
  reasons?: readonly { source: string; reason: string }[];
}

/** One replica of the built service in a process of its own, with who sends webhooks to it. */
export class TrialReplica {
  readonly sender: Sender;
  acknowledged = 0;

  private constructor(
    /** What its connections to PostgreSQL are called. */
    readonly name: string,
    private readonly service: RunningService,
    secret: string,
  ) {
    this.sender = new Sender(secret, (count) => (this.acknowledged = count));
    this.sender.aim(service.url);
  }

  /** @param env its settings, with DATABASE_URL; its connections get the replica's name */
  static async start(name: string, env: Readonly<Record<string, string>>): Promise<TrialReplica> {
    // Not a URL to JavaScript where it names several servers.
    const url = env['DATABASE_URL'] ?? '';
    const named = `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`;
    const service = await RunningService.start(MAIN, { ...env, DATABASE_URL: named });
    return new TrialReplica(name, service, env['SHOPIFY_WEBHOOK_SECRET'] ?? '');
  }

  get url(): string {
    return this.service.url;
  }

  get running(): boolean {
    return this.service.running;
  }

  /** Stops it in the midst of whatever it does; it does not notice. */
  freeze(): void {
    process.kill(this.service.pid, 'SIGSTOP');
  }

  thaw(): void {
    if (this.running) process.kill(this.service.pid, 'SIGCONT');
  }

  async health(): Promise<HealthReply> {
    const reply = await this.get('/health/ready');
    if (!reply) return { httpStatus: undefined };
    return { ...(JSON.parse(reply.body) as Omit<HealthReply, 'httpStatus'>), httpStatus: reply.status };
  }

  /** Its metrics by name, those without labels; undefined: it did not answer in time. */
  async metrics(): Promise<ReadonlyMap<string, number> | undefined> {
    const reply = await this.get('/metrics');
    if (reply?.status !== 200) return undefined;
    const lines = [...reply.body.matchAll(/^(\w+) (\S+)$/gm)];
    return new Map(lines.map(([, name = '', value]) => [name, Number(value)]));
  }

  /** @returns undefined when no whole reply came in time */
  async get(
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: string } | undefined> {
    try {
      const signal = AbortSignal.timeout(REPLY_LIMIT_MS);
      const reply = await fetch(this.url + path, { headers, signal });
      return { status: reply.status, body: await reply.text() };
    } catch {
      return undefined;
    }
  }

  /** @returns its exit code */
  async stop(): Promise<number | null> {
    return this.service.stop();
  }

  /** Ends it at once; what is still to be sent goes to wherever the sender aims. */
  async kill(): Promise<void> {
    await this.service.kill();
  }

  /** Ends it, and who sends to it. */
  async remove(): Promise<void> {
    this.sender.giveUp();
    await this.kill();
  }
}
