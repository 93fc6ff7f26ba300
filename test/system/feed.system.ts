import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/database';
import type { CloudEventView, FeedPageView } from '../../src/feed/feed.dto';
import { FeedModule } from '../../src/feed/feed.module';
import { openTestDatabase, openTestReplicas } from '../support/database';
import { FeedClient } from '../support/feed-client';
import { TEST_SERVER } from '../support/postgres-server';
import { Random } from '../support/random';
import { TestingApp } from '../support/testing-app';
import { type Example, EXAMPLES_OF_CONNECTORS, RunningConnector } from './feed/connectors';
import { IN_ORDER, judge } from './feed/verdict';
import { Entities, type Pace, write } from './feed/writers';

const SEED = Number(process.env['FEED_SEED'] ?? 20261121);
const CHANGES = Number(process.env['FEED_CHANGES'] ?? (TEST_SERVER ? 100_000 : 10_000));
const KILLS = Number(process.env['FEED_KILLS'] ?? 100);
const WRITERS = 16;
const POLLERS = 4;
const ENTITIES = 40;
/** The embedded database has one connection: whoever dawdles keeps it from everybody. */
const PACE: Pace = TEST_SERVER ? { dawdleMs: 25, longMs: 1_500 } : { dawdleMs: 1, longMs: 20 };

let databases: Database[];
let replicas: TestingApp[];

beforeAll(async () => {
  databases = TEST_SERVER ? await openTestReplicas(4) : [await openTestDatabase()];
  const env = { FINANCE_RATE_LIMIT: '0', LOG_LEVEL: 'error' };
  replicas = await Promise.all(
    databases.slice(0, 2).map((database) => TestingApp.open({ imports: [FeedModule], database, env })),
  );
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  for (const database of databases) await database.close();
});

const any = <T>(items: readonly T[], index: number): T => items[index % items.length]!;

/** Reads until `done` and to the end. */
async function poll(feed: FeedClient, random: Random, done: () => boolean): Promise<CloudEventView[]> {
  const items: CloudEventView[] = [];
  for (let after = ''; ;) {
    const finished = done();
    const page: FeedPageView = await feed.page({
      limit: random.between(1, 500),
      wait: finished ? 0 : random.between(0, 1),
      ...(after && { after }),
    });
    items.push(...page.items);
    after = page.cursor;
    if (finished && !page.more) return items;
  }
}

describe(`on ${TEST_SERVER ? 'PostgreSQL' : 'the embedded database'}`, () => {
  it(`${CHANGES} changes by ${WRITERS} writers come to each of ${POLLERS} pollers once, in order`, async () => {
    const organization = await replicas[0]!.makeOrganization();
    const feeds = await Promise.all(
      Array.from({ length: POLLERS }, (_, index) => FeedClient.of(any(replicas, index), organization)),
    );
    const entities = await Entities.make(databases[0]!, organization, ENTITIES);
    let written = false;
    const reading = feeds.map((feed, index) => poll(feed, new Random(SEED + index), () => written));
    const rolledBack = await Promise.all(
      Array.from({ length: WRITERS }, (_, index) =>
        write(any(databases, index), entities, new Random(SEED * 31 + index), PACE, CHANGES),
      ),
    ).finally(() => (written = true));
    const read = await Promise.all(reading);
    for (const items of read) expect(judge(items, entities.committed)).toEqual(IN_ORDER);
    const [first, ...others] = read.map((items) => items.map(({ id }) => id));
    for (const ids of others) expect(ids).toEqual(first);
    expect(first!.length).toBeGreaterThanOrEqual(CHANGES);
    const aborted = rolledBack.reduce((sum, count) => sum + count, 0);
    expect(aborted).toBeGreaterThan(0);
    process.stdout.write(
      `seed ${SEED}: ${first!.length} changes, ${aborted} transactions rolled back, ${POLLERS} pollers, lost 0, repeated 0\n`,
    );
  });

  it(`each example of a connector, killed ${KILLS} times, has every change once`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-connectors-'));
    try {
      await Promise.all(EXAMPLES_OF_CONNECTORS.map((example) => killedAgainAndAgain(example, folder)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function killedAgainAndAgain(example: Example, folder: string): Promise<void> {
  const feed = await FeedClient.of(replicas[0]!);
  const random = new Random(SEED);
  const entities = await Entities.make(databases[0]!, feed.organization, 5);
  const env = { PONTE_URL: await replicas[0]!.app.getUrl(), PONTE_KEY: feed.key };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const connector = RunningConnector.start(example, folder, env);
    const target = entities.total + random.between(1, 120);
    const writing = write(any(databases, kill), entities, random, { dawdleMs: 3, longMs: 50 }, target);
    await sleep(random.between(5, 150));
    await connector.kill();
    await writing;
  }
  const last = RunningConnector.start(example, folder, env);
  const kept = await example.kept(folder, entities.total).finally(() => last.kill());
  expect(judge(kept, entities.committed)).toEqual(IN_ORDER);
  process.stdout.write(`${example.name}: ${KILLS} kills, ${kept.length} changes, each once\n`);
}
