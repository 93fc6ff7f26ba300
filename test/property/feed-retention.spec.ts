import { Logger } from '@nestjs/common';
import { organizationsOn } from '../support/organizations';
import fc from 'fast-check';
import { appendChanges } from '../../src/feed/changes/changes.repository';
import { type Cursor, writeCursor } from '../../src/feed/cursor';
import { FeedOrder } from '../../src/feed/feed-order.repository';
import { FeedRepository } from '../../src/feed/feed.repository';
import type { Database } from '../../src/database/database';
import { newId } from '../../src/kernel/identifier';
import { Company } from '../support/company';
import { openTestDatabase } from '../support/database';
import { propertySeed, slowPropertyRuns } from '../support/property-runs';
import { retentionOn } from '../support/retained';
import { SettableClock } from '../support/settable-clock';

const DAY_MS = 86_400_000;
const KEPT = 30;

type Step =
  | { readonly kind: 'append'; readonly changes: number }
  | { readonly kind: 'read'; readonly limit: number; readonly acknowledge: boolean }
  | { readonly kind: 'restart' }
  | { readonly kind: 'pass'; readonly days: number }
  | { readonly kind: 'remove' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), changes: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    ...{ kind: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 6 }) },
    acknowledge: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('restart' as const) }),
  fc.record({ kind: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('remove' as const) }),
);

beforeAll(() => Logger.overrideLogger(false));

describe('a feed whose old changes are removed', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  /** Lives through the steps with one connector, which acknowledges now and then and restarts from there. */
  async function live(
    steps: readonly Step[],
  ): Promise<{ appended: string[]; stored: string[]; left: number }> {
    const { organization } = await Company.found(database);
    const organizationId = organization.id;
    const clock = new SettableClock('2026-01-01T12:00:00Z');
    const { retention } = retentionOn(database, clock);
    const feed = new FeedRepository(database, clock);
    const order = new FeedOrder(database);
    await database.transaction((tx) =>
      organizationsOn(database).update(tx, organizationId, { retention: { feed: KEPT } }),
    );
    const appended: string[] = [];
    const stored = new Set<string>();
    let [kept, cursor]: [Cursor, Cursor] = [
      await feed.start(organizationId),
      await feed.start(organizationId),
    ];
    const acknowledge = async (): Promise<void> => {
      kept = cursor;
      const row = { cursor: writeCursor(cursor), updatedAt: clock.now() };
      await database.prisma.feedCursor.upsert({
        where: { organizationId_name: { organizationId, name: 'erp' } },
        create: { organizationId, name: 'erp', ...row },
        update: row,
      });
    };
    await acknowledge();
    const read = async (limit: number): Promise<boolean> => {
      const page = await feed.read({ organizationId, after: cursor, limit });
      for (const { subject } of page.changes) stored.add(subject);
      cursor = page.cursor;
      return page.more;
    };
    for (const one of steps) {
      if (one.kind === 'append') {
        const ids = Array.from({ length: one.changes }, newId);
        const changes = ids.map((recordId) => ({
          ...{ organizationId, type: 'attention.required' as const, recordId, data: {} },
        }));
        await database.transaction((tx) => appendChanges(tx, changes, clock.now()));
        await order.assignPositions();
        appended.push(...ids.map((id) => `attention/${id}`));
      } else if (one.kind === 'read') {
        await read(one.limit);
        if (one.acknowledge) await acknowledge();
      } else if (one.kind === 'restart') cursor = kept;
      else if (one.kind === 'pass')
        clock.set(new Date(clock.now().getTime() + one.days * DAY_MS).toISOString());
      else await retention.run();
    }
    cursor = kept;
    while (await read(5));
    await acknowledge();
    clock.set(new Date(clock.now().getTime() + (KEPT + 1) * DAY_MS).toISOString());
    await retention.run();
    const left = await database.prisma.feedBatch.count({ where: { organizationId } });
    return { appended, stored: [...stored], left };
  }

  it('gives a connector that acknowledges every change, in order, whenever what is removed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const { appended, stored, left } = await live(steps);
        expect(stored).toEqual(appended);
        // In the end nothing but what the cursor stands in is left: it does remove.
        expect(left).toBeLessThanOrEqual(1);
      }),
      { numRuns: slowPropertyRuns(60), ...propertySeed() },
    );
  });
});
