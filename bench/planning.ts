/**
 * What one order costs in processor time between its bytes and its completion, without any database:
 * `npm run bench:planning`. With `-- --against DIRECTORY` another checkout of Ponte runs every other round in the
 * same process. Real-shaped payloads, each of its own; medians, in microseconds an order.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type * as completion from '../src/deliveries/completion';
import type { LiveSource } from '../src/deliveries/source-directory';
import type * as normalizing from '../src/deliveries/normalize-delivery';
import type { EffectRequest, EffectResult } from '../src/finance/api/effects/effect';
import type * as identifier from '../src/kernel/identifier';
import type * as loading from '../src/rules/load-rule';
import type * as lookup from '../src/rules/lookup-table';
import type * as registry from '../src/sources/registry';
import type * as planning from '../src/workflows/planner';
import type * as book from '../src/workflows/active-rules';
import { cpfNumber } from '../test/support/documents';

const ROOT = join(__dirname, '..');
const requireFrom = createRequire(__filename);
const BATCH = 125;
const WARM_UP = 40;
const STAGES = ['normalize', 'plan', 'walk', 'complete'] as const;

const ORGANIZATION = {
  id: '0190a000-0000-7000-8000-000000000001',
  slug: 'main',
  name: 'Main',
  timeZone: 'America/Sao_Paulo',
  currency: 'BRL',
};

interface Workload {
  provider: string;
  topic: string;
  /** Under `test/fixtures`. */
  file: string;
  /** What each order has of its own: its identifier and its customer's document. */
  own: readonly [id: string, document: string];
}

const WORKLOADS: readonly Workload[] = [
  {
    provider: 'shopify',
    topic: 'orders/paid',
    file: 'shopify/order-paid.json',
    own: ['6128439017794', '417.203.958-88'],
  },
  {
    provider: 'woocommerce',
    topic: 'order.updated',
    file: 'woocommerce/order-processing.json',
    own: ['5231', '308.651.274-17'],
  },
  {
    provider: 'standard-webhooks',
    topic: 'order.paid',
    file: 'standard-webhooks/order-paid.json',
    own: ['2026-00871', '41720395888'],
  },
];

/** As a shop writes it: without the spaces that make a fixture readable. */
function compact(json: string): string {
  return json.replace(/\n\s*/g, '').replaceAll('": ', '":');
}

function bodies({ file, own: [id, document] }: Workload): Buffer[] {
  const text = compact(readFileSync(join(ROOT, 'test/fixtures', file), 'utf8'));
  if (!text.includes(id) || !text.includes(document)) throw new Error(`${file} is no longer what it was`);
  return Array.from({ length: BATCH }, (_, index) =>
    Buffer.from(
      text.replaceAll(id, `7${String(index).padStart(12, '0')}`).replaceAll(document, cpfNumber(index)),
    ),
  );
}

/** The code between bytes and completion, of one checkout. */
class Pipeline {
  private readonly identifiers: typeof identifier = this.load('src/kernel/identifier');
  private readonly normalizing: typeof normalizing = this.load('src/deliveries/normalize-delivery');
  private readonly planning: typeof planning = this.load('src/workflows/planner');
  private readonly completion: typeof completion = this.load('src/deliveries/completion');
  private readonly planner: planning.Planner;

  constructor(private readonly root: string) {
    const { ActiveRules }: typeof book = this.load('src/workflows/active-rules');
    const { LookupTable }: typeof lookup = this.load('src/rules/lookup-table');
    const { loadRule }: typeof loading = this.load('src/rules/load-rule');
    const tables = new Map(
      [
        LookupTable.of('category', { 'online-sales': '1.1.01' }),
        LookupTable.of('gatewayAccount', { default: 'main' }),
        LookupTable.of('sales', { 'write-off-account': 'Baixas' }),
      ].map((table) => [table.name, table]),
    );
    const loaded = loadRule(readFileSync(join(ROOT, 'config/profiles/cash/order-paid.yaml'), 'utf8'), {
      tables: tables.keys(),
    });
    if ('problems' in loaded) throw new Error('the rule has problems');
    const rules = new ActiveRules();
    rules.replace(
      new Map([[ORGANIZATION.id, { rules: [loaded.rule], tables, documentKey: Buffer.alloc(32, 7) }]]),
    );
    this.planner = new this.planning.Planner(rules);
  }

  source(provider: string): LiveSource {
    const { findProvider }: typeof registry = this.load('src/sources/registry');
    const found = findProvider(provider);
    if (!found) throw new Error(`there is no provider ${provider}`);
    return {
      id: 'source',
      slug: 'shop',
      organization: ORGANIZATION,
      provider: found,
      secrets: [],
      secretsUnread: false,
      providerUnknown: false,
      settings: {},
      credentials: {},
      paused: false,
      context: {
        source: 'shop',
        timeZone: ORGANIZATION.timeZone,
        currency: ORGANIZATION.currency,
        settings: {},
      },
    };
  }

  /** @returns the processor time of each stage over the whole batch, in microseconds */
  async work(source: LiveSource, topic: string, batch: readonly Buffer[]): Promise<number[]> {
    const spent: number[] = [];
    const timed = async <T>(stage: () => T): Promise<Awaited<T>> => {
      const { user, system } = process.cpuUsage();
      const result = await stage();
      const after = process.cpuUsage();
      spent.push(after.user + after.system - user - system);
      return result;
    };
    const receivedAt = new Date();
    const normalized = await timed(() =>
      batch.map((body) =>
        this.normalizing.normalizeDelivery(
          {
            id: this.identifiers.newId(),
            sourceId: source.id,
            topic,
            attributes: {},
            body: new Uint8Array(body),
            receivedAt,
          },
          source,
        ),
      ),
    );
    const planned = await timed(() =>
      Promise.all(normalized.map(({ work }) => Promise.all(work.map((item) => this.planner.plan(item))))),
    );
    await timed(() => this.walk(planned.flat().flatMap(({ runs }) => runs)));
    const completed = await timed(() =>
      normalized.map((item, index) =>
        this.completion.completionOf(item, (planned[index] ?? []).map(this.planning.outcomeOf)),
      ),
    );
    if (completed.some(({ outcome }) => outcome !== 'applied')) throw new Error('an order was not applied');
    return spent;
  }

  /** Wave after wave, as the engine does it, with new records for all that is asked for. */
  private walk(runs: readonly planning.PlannedEvent['runs'][number][]): void {
    for (let open = runs; open.length > 0; open = open.filter((run) => !run.finished)) {
      const requests = open.map((run) => run.next());
      const results = requests.map((request) => this.applied(request));
      open.forEach((run, index) => run.record(results[index] as EffectResult));
    }
  }

  private applied({ effect }: EffectRequest): EffectResult {
    const count = effect.operation === 'credit-schedule.create' ? (effect.input.instalments?.length ?? 1) : 1;
    const all = Array.from({ length: count }, () => this.identifiers.newId());
    return { state: 'applied', output: { id: all[0], all }, attention: [] };
  }

  private load<T>(path: string): T {
    return requireFrom(join(this.root, path)) as T;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** One median a stage, in microseconds an order. */
async function measure(
  pipelines: readonly Pipeline[],
  { provider, topic }: Workload,
  batch: readonly Buffer[],
  rounds: number,
): Promise<number[][]> {
  const spent = pipelines.map((pipeline) => ({
    pipeline,
    source: pipeline.source(provider),
    rounds: [] as number[][],
  }));
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const own of spent) {
      const stages = await own.pipeline.work(own.source, topic, batch);
      if (round >= 0) own.rounds.push(stages);
    }
  }
  return spent.map((own) =>
    STAGES.map((_, stage) => median(own.rounds.map((stages) => (stages[stage] ?? 0) / batch.length))),
  );
}

function row(cells: readonly string[]): void {
  const [name = '', ...others] = cells;
  process.stdout.write(`${name.padEnd(34)}${others.map((cell) => cell.padStart(12)).join('')}\n`);
}

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '100' },
    only: { type: 'string' },
  },
});
const names = ['this', ...(options.against === undefined ? [] : ['against'])];
const pipelines = [ROOT, ...(options.against === undefined ? [] : [resolve(options.against)])].map(
  (root) => new Pipeline(root),
);
async function main(): Promise<void> {
  row(['µs an order', ...STAGES, 'all']);
  for (const workload of WORKLOADS.filter(({ provider }) => provider === (options.only ?? provider))) {
    const batch = bodies(workload);
    const results = await measure(pipelines, workload, batch, Number(options.rounds));
    results.forEach((stages, index) => {
      const whole = stages.reduce((sum, stage) => sum + stage, 0);
      const name = `${workload.provider}, ${batch[0]?.length} bytes${names[1] ? `, ${names[index]}` : ''}`;
      row([name, ...[...stages, whole].map((value) => value.toFixed(1))]);
    });
  }
}

void main();
