/**
 * How long a backtest takes, how much memory, and how long others wait meanwhile: `npm run bench:backtest`, with
 * `-- --deliveries 2000` for fewer. The built service with the rules of `config/` stores that many signed webhooks of
 * three sources and books them with the rules for refunds and fees disabled. The rules are then enabled, and all rules are
 * tried on everything, five times. On a PostgreSQL server with `TEST_DATABASE_URL` or `DATABASE_URL`, else embedded.
 *
 * Ends with code 1 when a run takes more than {@link MOST_SECONDS} or {@link MOST_MEGABYTES}.
 */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RunningService } from '../scripts/demo/running-service';
import { type BenchDelivery, benchDeliveries, headersOf, SECRETS } from './backtest/deliveries';
import { cpuSeconds, megabytes, type Watched } from './frame/processes';
import { makePlace } from './measured-books';

const ROOT = join(__dirname, '..');
const OPERATORS_KEY = 'operators-key-of-the-bench';
const CONNECTIONS = 16;
const RUNS = 5;
const MOST_SECONDS = 20;
/** More than before the run. */
const MOST_MEGABYTES = 200;
const LATER_RULES = ['order-refunded', 'payment-fee'];
const PERIOD = { from: '2020-01-01', to: '2099-12-31', limit: 200 };

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Measurement {
  seconds: number;
  /** Seconds of processor time, which other work on the machine does not lengthen. */
  processor: number;
  /** Mebibytes more than before, at the peak. */
  more: number;
  /** Milliseconds that the slowest other answer took. */
  slowest: number;
}

/** The service that is measured. */
class Measured {
  private readonly watched: Watched;

  constructor(private readonly service: RunningService) {
    this.watched = { name: 'ponte', pid: service.pid };
  }

  async operate(path: string, body: object = {}): Promise<unknown> {
    const reply = await fetch(`${this.service.url}/admin/organizations/main/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  }

  async takeAll(deliveries: Iterable<BenchDelivery>): Promise<number> {
    const work = deliveries[Symbol.iterator]();
    let taken = 0;
    const sendNext = async (): Promise<void> => {
      for (let next = work.next(); !next.done; next = work.next())
        await this.send(next.value, String((taken += 1)));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
    return taken;
  }

  async settled(): Promise<void> {
    const headers = { authorization: `Bearer ${OPERATORS_KEY}` };
    const url = `${this.service.url}/admin/organizations/main/deliveries?state=waiting&limit=1`;
    for (;;) {
      const { items } = (await (await fetch(url, { headers })).json()) as { items: unknown[] };
      if (items.length === 0) return;
      await sleep(200);
    }
  }

  /** Runs something and samples memory and the health answer meanwhile. */
  async measure(run: () => Promise<unknown>): Promise<Measurement> {
    const before = megabytes(this.watched);
    let [peak, slowest, isOver] = [before, 0, false];
    const sampling = (async () => {
      while (!isOver) {
        const asked = performance.now();
        await this.live();
        slowest = Math.max(slowest, performance.now() - asked);
        peak = Math.max(peak, megabytes(this.watched));
        await sleep(10);
      }
    })();
    const [since, cpu] = [performance.now(), cpuSeconds(this.watched)];
    await run();
    const seconds = (performance.now() - since) / 1_000;
    const processor = cpuSeconds(this.watched) - cpu;
    isOver = true;
    await sampling;
    return { seconds, processor, more: peak - before, slowest };
  }

  /** On a connection of its own: one that is kept may be closed by the service just when it is used again. */
  private live(): Promise<void> {
    return new Promise((resolve, reject) => {
      const asked = get(`${this.service.url}/health/live`, { agent: false }, (reply) => {
        reply.on('end', resolve).resume();
      });
      asked.on('error', reject);
    });
  }

  private async send(delivery: BenchDelivery, id: string): Promise<void> {
    for (;;) {
      const reply = await fetch(`${this.service.url}/hooks/main/${delivery.source}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headersOf(delivery, `bench-${id}`) },
        body: new Uint8Array(delivery.body),
      });
      const text = await reply.text();
      if (reply.ok) return;
      if (reply.status !== 503) throw new Error(`a webhook was answered ${reply.status}: ${text}`);
      await sleep(200);
    }
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { deliveries: { type: 'string', default: '10000' } } });
  const place = await makePlace();
  const environment = {
    ...place.environment,
    CONFIG_DIR: join(ROOT, 'config'),
    ADMIN_API_KEY: OPERATORS_KEY,
    SHOPIFY_WEBHOOK_SECRET: SECRETS.shopify,
    WOOCOMMERCE_WEBHOOK_SECRET: SECRETS.woocommerce,
    STANDARD_WEBHOOKS_SECRET: SECRETS.standard,
  };
  const service = await RunningService.start(join(ROOT, 'dist/src/main.js'), environment, [], (line) => {
    // A batch that fails, and an end.
    if (/"level":"?(40|50|60|warn|error|fatal)/.test(line)) say(line);
  });
  try {
    const measured = new Measured(service);
    for (const rule of LATER_RULES) await measured.operate(`rules/${rule}/disable`);
    const taken = await measured.takeAll(benchDeliveries(Number(values.deliveries)));
    await measured.settled();
    for (const rule of LATER_RULES) await measured.operate(`rules/${rule}/enable`);
    say(`${taken} deliveries are stored and worked on`);
    await report(measured);
  } finally {
    await service.kill();
    await place.clean();
  }
}

async function report(measured: Measured): Promise<void> {
  for (let run = 1; run <= RUNS; run += 1) {
    let answer: unknown;
    const { seconds, processor, more, slowest } = await measured.measure(async () => {
      answer = await measured.operate('backtest', PERIOD);
    });
    const { deliveries, totals } = answer as { deliveries: object; totals: object[] };
    say(
      `backtest ${run}: ${seconds.toFixed(2)} s (${processor.toFixed(2)} s of processor time), ${more.toFixed(0)} MB more, slowest other answer ${slowest.toFixed(0)} ms`,
    );
    if (run === 1) say(JSON.stringify({ deliveries, totals }));
    if (seconds > MOST_SECONDS || more > MOST_MEGABYTES) process.exitCode = 1;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
