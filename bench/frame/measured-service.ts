import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../../scripts/demo/running-service';
import type { Place } from './place';
import type { Watched } from './processes';

const ROOT = join(__dirname, '../..');
const OPERATORS_KEY = 'operators-key-of-the-bench';
const POLL_EVERY_MS = 20;

/** What every source of the bench signs with: of Shopify at `/hooks/main/shopify`. */
export const SECRET = 'bench-secret';

/** What Node is started with by `npm start` and in the image, as far as it concerns speed and memory. */
export const AS_SHIPPED: readonly string[] = ['--max-semi-space-size=16'];

export interface ServiceOptions {
  /** How reports call the process; absent: `ponte`. */
  name?: string;
  /** Beside those of the place; they win over the bench's own. */
  settings?: Readonly<Record<string, string>>;
  /** Options of Node itself, beside {@link AS_SHIPPED}: `--cpu-prof`, `--expose-gc`, … */
  nodeOptions?: readonly string[];
}

/** The built Ponte in a process of its own. */
export class MeasuredService {
  private constructor(
    readonly name: string,
    private readonly service: RunningService,
  ) {}

  static async start(place: Place, options: ServiceOptions = {}): Promise<MeasuredService> {
    const { name = 'ponte', settings = {}, nodeOptions = [] } = options;
    const environment = {
      CONFIG_DIR: join(ROOT, 'config'),
      ADMIN_API_KEY: OPERATORS_KEY,
      SHOPIFY_WEBHOOK_SECRET: SECRET,
      // As in production, where nobody reads a line for each request.
      FINANCE_RATE_LIMIT: '0',
      ADMIN_RATE_LIMIT: '0',
      ...place.environment,
      ...settings,
    };
    const allOptions = [...AS_SHIPPED, ...nodeOptions];
    const service = await RunningService.start(join(ROOT, 'dist/src/main.js'), environment, allOptions);
    return new MeasuredService(name, service);
  }

  /** Address without a trailing slash. */
  get url(): string {
    return this.service.url;
  }

  get watched(): Watched {
    return { name: this.name, pid: this.service.pid };
  }

  /** Milliseconds from spawn to listening. */
  get startedInMs(): number {
    return this.service.startedInMs;
  }

  /** A call of the operators' API: `/admin/organizations/main/deliveries?state=waiting`. */
  admin(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/json' };
    return fetch(`${this.url}${path}`, { ...init, headers });
  }

  /** @returns a key of the finance API and of the feed, of the organization `main` */
  async apiKey(): Promise<string> {
    const reply = await this.admin('/admin/organizations/main/keys', {
      method: 'POST',
      body: JSON.stringify({ name: 'bench', scopes: ['finance:read', 'finance:write', 'feed:read'] }),
    });
    if (reply.status !== 201) throw new Error(`no key: ${reply.status} ${await reply.text()}`);
    return ((await reply.json()) as { key: string }).key;
  }

  /** Waits until no delivery waits. */
  async settled(): Promise<void> {
    while (await this.anyWaiting()) await sleep(POLL_EVERY_MS);
  }

  /** Asks it to finish what is in flight and waits for its end. @returns its exit code */
  stop(): Promise<number | null> {
    return this.service.stop();
  }

  /** Ends it at once, as a crash would. */
  kill(): Promise<void> {
    return this.service.kill();
  }

  private async anyWaiting(): Promise<boolean> {
    const reply = await this.admin('/admin/organizations/main/deliveries?state=waiting&limit=1');
    if (!reply.ok) throw new Error(`the deliveries were answered ${reply.status}: ${await reply.text()}`);
    return ((await reply.json()) as { items: unknown[] }).items.length > 0;
  }
}
