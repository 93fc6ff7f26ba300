import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { RunningService } from '../scripts/demo/running-service';
import { Settings } from '../src/config/settings';
import { openDatabase } from '../src/database/open-database';
import { verifyLedger } from '../src/finance/embedded/ledger/verify';
import { growCompany, type GrowingCompany } from './growing-company';

const ROOT = join(__dirname, '..');
/** Where databases are made; undefined: embedded. */
export const SERVER = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];
export const CONNECTIONS = 8;
const OPERATORS_KEY = 'operators-key-of-the-bench';
/** Requests of one operation, in one round, at one size. */
const REQUESTS = 80;

export interface Operation {
  name: string;
  /** Whether growing slower than the limit allows is a failure. */
  bounded: boolean;
  call: (books: MeasuredBooks) => Call;
  answered?: (books: MeasuredBooks, text: string) => void;
}

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

interface Reply {
  status: number;
  text: string;
}

/** One size of books: where they are, the service on them, and what was measured. */
export class MeasuredBooks {
  readonly latencies = new Map<string, number[]>();
  readonly elapsed = new Map<string, number>();
  /** Receivables nothing was received for yet. */
  readonly unpaid: string[] = [];
  deepPage = '';
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  private request = 0;

  private constructor(
    readonly size: number,
    readonly company: GrowingCompany,
    private readonly service: RunningService,
    private readonly key: string,
    private readonly clean: () => Promise<void>,
  ) {}

  static async open(size: number): Promise<MeasuredBooks> {
    const { environment, clean } = await makePlace();
    try {
      const company = await fill(environment, size);
      const service = await RunningService.start(join(ROOT, 'dist/src/main.js'), {
        CONFIG_DIR: join(ROOT, 'config'),
        ADMIN_API_KEY: OPERATORS_KEY,
        LOG_LEVEL: 'info',
        SHOPIFY_WEBHOOK_SECRET: 'not-used',
        ...environment,
      });
      return new MeasuredBooks(size, company, service, await makeKey(service, company), clean);
    } catch (error) {
      await clean();
      throw error;
    }
  }

  /** Any customer, another each time. */
  get customer(): string {
    const { customers } = this.company;
    return customers[this.request++ % customers.length] ?? '';
  }

  async send({ method, path, body }: Call): Promise<Reply> {
    const headers = {
      apitoken: this.key,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(path, this.service.url),
        { method, agent: this.agent, headers },
        (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (part: string) => (text += part));
          reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
        },
      );
      outgoing.on('error', reject).end(body);
    });
  }

  async measure(operation: Operation): Promise<void> {
    const latencies = this.latencies.get(operation.name) ?? [];
    this.latencies.set(operation.name, latencies);
    let left = REQUESTS;
    const started = performance.now();
    const connection = async (): Promise<void> => {
      while (left-- > 0) {
        const call = operation.call(this);
        const sent = performance.now();
        const reply = await this.send(call);
        latencies.push(performance.now() - sent);
        if (reply.status >= 300) throw new Error(`${operation.name} answered ${reply.status}: ${reply.text}`);
        operation.answered?.(this, reply.text);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    this.elapsed.set(operation.name, (this.elapsed.get(operation.name) ?? 0) + performance.now() - started);
  }

  forget(): void {
    this.latencies.clear();
    this.elapsed.clear();
  }

  quantile(name: string, part: number): number {
    const sorted = [...(this.latencies.get(name) ?? [])].sort((left, right) => left - right);
    return sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
  }

  perSecond(name: string): number {
    return ((this.latencies.get(name)?.length ?? 0) * 1000) / (this.elapsed.get(name) ?? NaN);
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.service.kill();
    await this.clean();
  }
}

/** An empty place for a database of its own: on the {@link SERVER}, else embedded. */
export async function makePlace(): Promise<{
  environment: Record<string, string>;
  clean: () => Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  if (!SERVER) {
    return { environment: { DATA_DIR: join(folder, 'data') }, clean: () => Promise.resolve(removeFolder()) };
  }
  const name = `ponte_bench_${randomBytes(6).toString('hex')}`;
  await onServer(SERVER, `create database ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return {
    environment: {
      DATABASE_URL: url.href,
      DATA_DIR: folder,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    },
    clean: async () => {
      removeFolder();
      await onServer(SERVER, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** @throws Error when a number of the books does not follow from their entries */
async function fill(environment: Record<string, string>, size: number): Promise<GrowingCompany> {
  const started = performance.now();
  const database = await openDatabase(new Settings(environment));
  try {
    const company = await growCompany(database, size);
    const { entries, schedules, difference } = await verifyLedger(database.prisma);
    if (difference)
      throw new Error(`the ${difference.what} ${difference.id} does not follow from its entries`);
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stdout.write(
      `The books are right: ${entries} entries, ${schedules} schedules, made and verified in ${seconds} s.\n`,
    );
    return company;
  } finally {
    await database.close();
  }
}

async function makeKey({ url }: RunningService, { organization }: GrowingCompany): Promise<string> {
  const reply = await fetch(`${url}/admin/organizations/${organization.slug}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', scopes: ['finance:read', 'finance:write'] }),
  });
  if (reply.status !== 201) throw new Error(`no key: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { key: string }).key;
}
