import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../../../scripts/demo/running-service';
import { testDatabasePlace, type TestDatabasePlace } from '../../support/database';
import { exchange, type Reply } from './exchange';

const ROOT = join(__dirname, '../../..');
const SERVICE = join(ROOT, 'dist/src/main.js');

export const OPERATORS_KEY = 'operators-key-of-the-adversary-suite';

/** Secrets by the slug of the source. */
export const SECRETS = {
  shopify: 'adversary-shopify-secret',
  woocommerce: 'adversary woo secret',
  standard: `whsec_${Buffer.alloc(24, 11).toString('base64')}`,
} as const;

export type SourceSlug = keyof typeof SECRETS;
export const SOURCES = Object.keys(SECRETS) as SourceSlug[];
export const PROVIDERS: Readonly<Record<SourceSlug, string>> = {
  shopify: 'shopify',
  woocommerce: 'woocommerce',
  standard: 'standard-webhooks',
};

/** The organization that is attacked, and one that has nothing to do with it. */
/** In the log, with the reason of a failure. */
const DEADLOCK = /40P01|deadlock detected/;
export const ATTACKED = 'main';
export const BYSTANDER = 'bystander';

/** One line of the service's log, or of what it prints besides. */
export interface LogLine {
  level: string;
  /** Whether it says that the database ended one of two transactions that waited for each other. */
  isDeadlock: boolean;
  msg: string;
  line: string;
}

/** The built service in a process of its own, with two organizations, each with a source of every provider. */
export class Target {
  readonly log: LogLine[] = [];

  private constructor(
    private readonly place: TestDatabasePlace,
    private readonly folder: string,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly nodeOptions: readonly string[],
  ) {}

  private service!: RunningService;

  /** @param environment settings other than those of every run */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    nodeOptions: readonly string[] = [],
  ): Promise<Target> {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-adversary-'));
    writeConfiguration(folder);
    const target = new Target(await testDatabasePlace(), folder, environment, nodeOptions);
    try {
      await target.startAgain();
    } catch (error) {
      await target.remove();
      throw error;
    }
    return target;
  }

  /** After it ended. @param nodeOptions other than those of the first start */
  async startAgain(nodeOptions: readonly string[] = this.nodeOptions): Promise<void> {
    const env = {
      CONFIG_DIR: this.folder,
      ADMIN_API_KEY: OPERATORS_KEY,
      SECRETS_KEY: Buffer.alloc(32, 12).toString('base64'),
      FINANCE_RATE_LIMIT: '0',
      WATCH_EVERY: '0',
      LOG_LEVEL: 'info',
      SHOPIFY_WEBHOOK_SECRET: SECRETS.shopify,
      WOOCOMMERCE_WEBHOOK_SECRET: SECRETS.woocommerce,
      STANDARD_WEBHOOKS_SECRET: SECRETS.standard,
      ...this.place.environment,
      ...this.environment,
    };
    this.service = await RunningService.start(SERVICE, env, nodeOptions, (line) => this.read(line));
  }

  get url(): string {
    return this.service.url;
  }

  get pid(): number {
    return this.service.pid;
  }

  /** Not where it could not be started. */
  get running(): boolean {
    return (this.service as RunningService | undefined)?.running === true;
  }

  /** Where its database is, by the environment's names. */
  get environmentOfDatabase(): Readonly<Record<string, string>> {
    return this.place.environment;
  }

  /** An operators' call below `/admin/organizations`, repeated while it is asked to come back. */
  async admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    for (;;) {
      const reply = await exchange(this.url, {
        method,
        path: `/admin/organizations${path}`,
        headers: { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (reply.status >= 200 && reply.status < 300)
        return (reply.text === '' ? undefined : JSON.parse(reply.text)) as T;
      if (!isPutOff(reply))
        throw new Error(`${method} ${path}: ${reply.status} ${reply.text || reply.error}`);
      await sleep(Math.min(2, Number(reply.headers['retry-after'])) * 1000);
    }
  }

  /**
   * Lines that say that something broke which no input may break. Two batches about the same customers may deadlock: the
   * server ends one of them, and it is worked on again at once.
   */
  brokenLines(): string[] {
    return this.log
      .filter(
        ({ level, msg, isDeadlock }) =>
          /^(error|fatal)$/.test(level) || (/could not be worked on/.test(msg) && !isDeadlock),
      )
      .map(({ line }) => line);
  }

  /**
   * Asks it to end.
   * @returns its exit code; undefined when it was still there after `withinMs`, and is killed
   */
  async stop(withinMs = 60_000): Promise<number | null | undefined> {
    const patience = new AbortController();
    const late = sleep(withinMs, undefined, { signal: patience.signal }).catch(() => undefined);
    const code = await Promise.race([this.service.stop(), late]);
    patience.abort();
    await this.service.kill();
    return code;
  }

  /** Ends it if it runs, and removes what it worked on. */
  async remove(): Promise<void> {
    if (this.running) await this.service.kill();
    await this.place.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private read(line: string): void {
    if (/"msg":"request"/.test(line)) return;
    const { level, msg } = parsed(line);
    this.log.push({ level, msg, isDeadlock: DEADLOCK.test(line), line: line.slice(0, 2_000) });
    if (this.log.length > 10_000) this.log.shift();
  }
}

/** Whether a sender is asked to come back, and when. */
export function isPutOff({ status, headers }: Reply): boolean {
  return (status === 429 || status === 503) && /^\d+$/.test(headers['retry-after'] ?? '');
}

function parsed(line: string): { level: string; msg: string } {
  try {
    const { level = 'error', msg = '' } = JSON.parse(line) as { level?: string; msg?: string };
    return { level, msg };
  } catch {
    // Not of the log: a trace, or Node's own last words.
    return { level: 'error', msg: line };
  }
}

function writeConfiguration(folder: string): void {
  for (const part of ['rules', 'tables', 'chart'])
    cpSync(join(ROOT, 'config', part), join(folder, part), { recursive: true });
  const slugs = [ATTACKED, BYSTANDER];
  const organizations = slugs.map((slug) => ({
    slug,
    name: slug,
    timeZone: 'America/Sao_Paulo',
    currency: 'BRL',
    chart: 'brazil',
  }));
  const variables: Readonly<Record<SourceSlug, string>> = {
    shopify: 'SHOPIFY_WEBHOOK_SECRET',
    woocommerce: 'WOOCOMMERCE_WEBHOOK_SECRET',
    standard: 'STANDARD_WEBHOOKS_SECRET',
  };
  const sources = slugs.flatMap((organization) =>
    SOURCES.map((slug) => ({
      organization,
      slug,
      provider: PROVIDERS[slug],
      secrets: [{ env: variables[slug] }],
    })),
  );
  mkdirSync(folder, { recursive: true });
  // JSON is YAML, too.
  for (const [name, document] of Object.entries({ organizations: { organizations }, sources: { sources } }))
    writeFileSync(join(folder, `${name}.yaml`), JSON.stringify(document));
}
