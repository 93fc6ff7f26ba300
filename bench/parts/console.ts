import type { BenchContext } from '../context';
import { addDecisions } from '../console/decisions';
import { type ConsoleLandmarks, consoleLandmarks } from '../console/landmarks';
import { CONSOLE_REQUESTS, type ConsoleRequest } from '../console/requests';
import { withClient } from '../frame/postgres-server';
import { median } from '../frame/statistics';
import { GrownPonte } from '../growth/grown-ponte';
import { drawPattern, patternConfiguration } from '../growth/pattern';
import type { Figure, Part, PartResult } from '../part';

const SMALL = 10_000;
const LARGE = { short: 100_000, long: 1_000_000 };
/** Of a list: the first page, then as many after it. */
const FOLLOWING = 3;
const ROUNDS = { short: 3, long: 7 };
/** Milliseconds, and how often the small time, that a page may take. */
const [MOST_MS, MOST_TIMES] = [300, 3];

/** A database of one size with a service on it. */
interface Sized {
  readonly grown: GrownPonte;
  readonly landmarks: ConsoleLandmarks;
}

/** What one request took, in milliseconds. */
interface Taken {
  readonly first: number[];
  readonly following: number[];
}

/**
 * Every list and page of the console on a small and on a large database, right after each other, round by round, so that
 * whatever else the machine does hits both alike.
 */
export const part: Part = {
  name: 'console',
  title: 'The console on a million deliveries',
  order: 55,
  goals: [
    { figure: 'slowest page that does not grow with a day', atMost: MOST_MS },
    { figure: 'such pages that are slow', atMost: 0 },
  ],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const configuration = patternConfiguration();
  const sized: Sized[] = [];
  try {
    const pattern = await context.freshDatabase();
    const settings = { CONFIG_DIR: configuration.folder, WATCH_EVERY: '0', COMPARE_EVERY: '0' };
    const service = await context.startService(pattern, { settings });
    const deliveries = await withClient(pattern.url, (client) => drawPattern(service, client));
    await service.stop();
    for (const size of [SMALL, context.short ? LARGE.short : LARGE.long]) {
      const copies = Math.max(1, Math.round(size / deliveries));
      const say = (line: string): void => context.say(`${size} deliveries: ${line}`);
      const growth = { ...pattern, settings, copies, size: copies * deliveries, say };
      const grown = await GrownPonte.grow(context, growth);
      await withClient(grown.url, (client) => addDecisions(client, growth.size));
      sized.push({ grown, landmarks: await consoleLandmarks(grown.url) });
    }
    return report(sized, await measure(context, sized));
  } finally {
    for (const { grown } of sized) await grown.drop();
    configuration.remove();
  }
}

/** @returns what each request took at each size; the first round, which is for caches and compilers, is left out */
async function measure(context: BenchContext, sized: readonly Sized[]): Promise<Map<string, Taken[]>> {
  const taken = new Map<string, Taken[]>();
  const rounds = context.short ? ROUNDS.short : ROUNDS.long;
  for (let round = 0; round <= rounds; round += 1) {
    await context.postgres.checkpoint();
    for (const request of CONSOLE_REQUESTS) {
      const times = taken.get(request.name) ?? sized.map(() => ({ first: [], following: [] }));
      taken.set(request.name, times);
      for (const index of round % 2 === 0 ? sized.keys() : [...sized.keys()].reverse()) {
        const [at, into] = [sized[index], times[index]];
        if (at && into) await askAll(at, request, round === 0 ? { first: [], following: [] } : into);
      }
    }
    context.say(`round ${round} of ${rounds}`);
  }
  return taken;
}

async function askAll({ grown, landmarks }: Sized, request: ConsoleRequest, into: Taken): Promise<void> {
  const path = request.path(landmarks);
  const body = request.body?.(landmarks);
  const first = await ask(grown, request.name, path, body);
  into.first.push(first.milliseconds);
  const nextPath = request.next?.(landmarks) ?? path;
  let after = first.after;
  for (let page = 0; page < FOLLOWING && after !== null; page += 1) {
    const next = await ask(
      grown,
      request.name,
      `${nextPath}${nextPath.includes('?') ? '&' : '?'}after=${encodeURIComponent(after)}`,
    );
    into.following.push(next.milliseconds);
    after = next.after;
  }
}

/** @returns how long it took, and where the next page begins */
async function ask(
  grown: GrownPonte,
  name: string,
  path: string,
  body?: object,
): Promise<{ milliseconds: number; after: string | null }> {
  const started = performance.now();
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const reply = await grown.admin(path, init);
  const text = await reply.text();
  const milliseconds = performance.now() - started;
  if (!reply.ok) throw new Error(`${name} (${path}) was answered ${reply.status}: ${text}`);
  const { after } = JSON.parse(text) as { after?: string | null };
  return { milliseconds, after: typeof after === 'string' ? after : null };
}

function report(sized: readonly Sized[], taken: ReadonlyMap<string, Taken[]>): PartResult {
  const rows = CONSOLE_REQUESTS.map(({ name, grows }) => {
    const [small, large] = taken.get(name) ?? [];
    const parts = (['first', 'following'] as const).map((which) => {
      const [before, after] = [median(small?.[which] ?? []), median(large?.[which] ?? [])];
      return { before, after, ratio: after / before };
    });
    return { name, grows, parts };
  });
  const held = rows.filter(({ grows }) => grows === undefined);
  const slow = held.filter(({ parts }) =>
    parts.some(({ after, ratio }) => after > MOST_MS || ratio > MOST_TIMES),
  );
  const longest = held
    .flatMap(({ parts }) => parts.map(({ after }) => after))
    .filter((value) => !Number.isNaN(value));
  const figures: Figure[] = [
    { name: 'slowest page that does not grow with a day', value: Math.max(...longest), unit: 'ms' },
    { name: 'such pages that are slow', value: slow.length, unit: '' },
  ];
  const [low, high] = sized.map(({ grown }) => grown.size);
  const shown = (value: number): string => (Number.isNaN(value) ? '' : value.toPrecision(3));
  return {
    figures,
    tables: [
      {
        title: 'Milliseconds of a first page, and of one that follows it, by the number of stored deliveries',
        columns: [
          'page',
          `${low}`,
          `${high}`,
          'ratio',
          `following, ${low}`,
          `following, ${high}`,
          'ratio',
          '',
        ],
        rows: rows.map(({ name, grows, parts }) => [
          name,
          ...parts.flatMap(({ before, after, ratio }) => [shown(before), shown(after), shown(ratio)]),
          grows === undefined ? (slow.some((one) => one.name === name) ? 'slow' : '') : 'grows',
        ]),
      },
    ],
    notes: [
      `Slow is what takes more than ${MOST_MS} ms, or more than ${MOST_TIMES} times as long as on the small database.`,
      'All deliveries came within 20 days, so that a day has a hundred times as many on the large database. Change detection and comparisons are off.',
      ...rows.flatMap(({ name, grows }) => (grows === undefined ? [] : [`${name}: ${grows}.`])),
    ],
  };
}
