import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROVIDERS } from '../../src/sources/registry';
import type { BenchContext } from '../context';
import type { MeasuredService } from '../frame/measured-service';
import { GENERATOR, ProcessWatch } from '../frame/processes';
import { median, percentile } from '../frame/statistics';
import { closedLoop, openLoop } from '../load/loops';
import { type MixedSource, mixedSources, type MixedWebhook, MixedWebhooks } from '../load/mixed-webhooks';
import type { Part, PartResult, ResultTable } from '../part';

/*
 * Whether each provider is answered within the time that it gives its webhooks. Signed samples of all providers come in turns, at
 * 60 % of what the service stores at best, measured just before, while the worker works on them. Then five times as many come,
 * which is more than it can store: how many are refused, and how soon. Times count from when a webhook was due.
 */

/** Where a provider does not say, or where nobody knows: as most of those that do. */
const NOT_SAID_MS = 5_000;

/** Milliseconds within which each provider wants an answer; the tightest that it documents. */
export const ANSWER_WITHIN_MS: Readonly<Record<string, number>> = {
  shopify: 5_000,
  woocommerce: 60_000,
  bigcommerce: NOT_SAID_MS,
  magento: NOT_SAID_MS,
  nuvemshop: 40_000,
  yampi: NOT_SAID_MS,
  vtex: 5_000,
  ecomplus: NOT_SAID_MS,
  'mercado-livre': 500,
  kiwify: NOT_SAID_MS,
  bling: 5_000,
  tiny: NOT_SAID_MS,
  hotmart: NOT_SAID_MS,
  ifood: 5_000,
  stripe: 10_000,
  pagbank: NOT_SAID_MS,
  asaas: NOT_SAID_MS,
  // Of further tries; the first may take 22 seconds.
  'mercado-pago': 5_000,
  pagarme: NOT_SAID_MS,
  omie: NOT_SAID_MS,
  'standard-webhooks': 15_000,
  'generic-hmac': NOT_SAID_MS,
  cloudevents: NOT_SAID_MS,
};

const TIGHTEST_MS = Math.min(...Object.values(ANSWER_WITHIN_MS));
const STEADY = 0.6;
const FLOOD = 5;
const CLIENTS = 32;
const STEADY_CONNECTIONS = 128;
const FLOOD_CONNECTIONS = 1_000;
const COME_BACK_AFTER_MS = 20;
const SATURATED = 503;

export const part: Part = {
  name: 'time-limits',
  title: 'Time limits: webhooks of all providers at 60 % of the best rate, then five times as many',
  order: 45,
  goals: [
    { figure: 'to an answer, p99.9', atMost: TIGHTEST_MS },
    { figure: 'providers answered later than they allow', atMost: 0 },
    { figure: 'not stored at the steady rate', atMost: 0 },
  ],
  run,
};

/** What became of one webhook. */
interface Answer {
  provider: string;
  status: number;
  milliseconds: number;
}

async function run(context: BenchContext): Promise<PartResult> {
  const keys = await startKeys();
  try {
    const service = await context.startService(await context.freshDatabase(), {
      settings: { PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' },
    });
    const sources = mixedSources(PROVIDERS, keys.url);
    for (const source of sources) await makeSource(service, source);
    const webhooks = new MixedWebhooks(service.url, sources);
    const best = await bestRate(context, service, webhooks);
    context.say(`best: ${best.toFixed(0)}/s`);
    const watch = ProcessWatch.start([
      service.watched,
      GENERATOR,
      ...(context.postgres.watched ? [context.postgres.watched] : []),
    ]);
    const rate = best * STEADY;
    const steady = await answersAt(service, webhooks, {
      ...{ rate, seconds: context.short ? 8 : 30, connections: STEADY_CONNECTIONS },
    });
    const flooded = await answersAt(service, webhooks, {
      ...{ rate: rate * FLOOD, seconds: context.short ? 3 : 10, connections: FLOOD_CONNECTIONS },
    });
    const processes = watch.stop();
    return report({ best, rate, steady, flooded, processes });
  } finally {
    keys.stop();
  }
}

/** Stands for the hosts where providers publish the keys that they sign with. */
async function startKeys(): Promise<{ url: string; stop: () => void }> {
  const published = Object.assign(
    {},
    ...PROVIDERS.map(({ publicKeys }) => publicKeys?.ofSigner() ?? {}),
  ) as Record<string, string>;
  const server = createServer((request, response) => {
    const key = published[request.url ?? ''];
    response.statusCode = key === undefined ? 404 : 200;
    response.end(key);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() };
}

async function makeSource(service: MeasuredService, source: MixedSource): Promise<void> {
  const { provider, slug, settings, secret } = source;
  const body = JSON.stringify({ slug, provider: provider.id, settings, secrets: [secret] });
  const reply = await service.admin('/admin/organizations/main/sources', { method: 'POST', body });
  if (reply.status !== 201)
    throw new Error(`the source of ${provider.id} was answered ${reply.status}: ${await reply.text()}`);
}

/** Closed loops after a warm-up; webhooks stored a second. They are made beforehand, as all others. */
async function bestRate(
  context: BenchContext,
  service: MeasuredService,
  webhooks: MixedWebhooks,
): Promise<number> {
  const rates: number[] = [];
  const seconds = context.short ? 2 : 5;
  let expected = 1_000 * seconds;
  for (let round = 0; round <= context.rounds; round += 1) {
    const ready = prepared(webhooks, expected);
    let sent = 0;
    let stored = 0;
    let saturated = false;
    const { seconds: took } = await closedLoop({
      ...{ url: service.url, connections: CLIENTS, seconds },
      next: () => ready[sent++]?.request,
      onReply: ({ status }) => {
        saturated = status === SATURATED;
        if (isStored(status)) stored += 1;
        else if (!saturated) throw new Error(`a webhook was answered ${status}`);
      },
      may: () => (saturated ? sleep(COME_BACK_AFTER_MS) : undefined),
    });
    if (round > 0) rates.push(stored / took);
    expected = Math.ceil((stored / took) * seconds * 2);
  }
  return median(rates);
}

function prepared(webhooks: MixedWebhooks, count: number): MixedWebhook[] {
  return Array.from({ length: count }, () => webhooks.next());
}

async function answersAt(
  service: MeasuredService,
  webhooks: MixedWebhooks,
  load: { rate: number; seconds: number; connections: number },
): Promise<Answer[]> {
  const ready = prepared(webhooks, Math.round(load.rate * load.seconds));
  const answers: Answer[] = [];
  let sent = 0;
  await openLoop({
    ...load,
    url: service.url,
    next: () => ready[sent++]?.request,
    onAnswer: (index, status, milliseconds) => {
      answers.push({ provider: ready[index]?.source.provider.id ?? '', status, milliseconds });
    },
  });
  return answers;
}

function isStored(status: number): boolean {
  return status === 200 || status === 202;
}

interface Measured {
  best: number;
  /** Webhooks a second. */
  rate: number;
  steady: readonly Answer[];
  flooded: readonly Answer[];
  processes: PartResult['processes'];
}

function report({ best, rate, steady, flooded, processes }: Measured): PartResult {
  const times = (answers: readonly Answer[]): number[] => answers.map(({ milliseconds }) => milliseconds);
  const late = PROVIDERS.filter(({ id }) => slowestOf(steady, id) > (ANSWER_WITHIN_MS[id] ?? NOT_SAID_MS));
  const refused = times(flooded.filter(({ status }) => status === SATURATED));
  const stored = times(flooded.filter(({ status }) => isStored(status)));
  const at = (answers: readonly number[], share: number, name: string) => ({
    ...{ name, unit: 'ms', value: answers.length > 0 ? percentile(answers, share) : NaN },
  });
  return {
    figures: [
      { name: `best rate, ${CLIENTS} clients`, unit: '/s', value: best },
      { name: 'steady rate', unit: '/s', value: rate },
      at(times(steady), 0.5, 'to an answer, p50'),
      at(times(steady), 0.99, 'to an answer, p99'),
      at(times(steady), 0.999, 'to an answer, p99.9'),
      at(times(steady), 1, 'to an answer, longest'),
      { name: 'providers answered later than they allow', unit: '', value: late.length },
      {
        name: 'not stored at the steady rate',
        unit: '',
        value: steady.filter(({ status }) => !isStored(status)).length,
      },
      { name: 'five times as many: refused with 503', unit: '×', value: refused.length / flooded.length },
      at(refused, 0.5, 'five times as many: to 503, p50'),
      at(refused, 0.99, 'five times as many: to 503, p99'),
      at(stored, 0.5, 'five times as many: to success, p50'),
      at(stored, 0.99, 'five times as many: to success, p99'),
      {
        name: 'five times as many: neither stored nor 503',
        unit: '',
        value: flooded.length - refused.length - stored.length,
      },
    ],
    ...(processes && { processes }),
    tables: [tableOf(steady)],
    notes: [
      `A provider's p99.9 is about its slowest answer: each sends a twenty-third of the webhooks. Limits of ${NOT_SAID_MS / 1000} s are in part assumed, where the provider does not say any.`,
    ],
  };
}

function slowestOf(answers: readonly Answer[], provider: string): number {
  return Math.max(0, ...answers.filter((one) => one.provider === provider).map((one) => one.milliseconds));
}

function tableOf(steady: readonly Answer[]): ResultTable {
  return {
    title: 'Webhooks at the steady rate, by provider',
    columns: ['provider', 'webhooks', 'p50 ms', 'p99 ms', 'p99.9 ms', 'longest ms', 'limit ms'],
    rows: PROVIDERS.map(({ id }) => {
      const own = steady.filter(({ provider }) => provider === id).map(({ milliseconds }) => milliseconds);
      const shares = [0.5, 0.99, 0.999, 1].map((share) => percentile(own, share));
      return [id, own.length, ...shares, ANSWER_WITHIN_MS[id] ?? NOT_SAID_MS];
    }),
  };
}
