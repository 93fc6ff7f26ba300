import { Logger } from '@nestjs/common';
import { organizationsOn } from '../../test/support/organizations';
import { openTestReplicas } from '../../test/support/database';
import { retentionOn } from '../../test/support/retained';
import { SettableClock } from '../../test/support/settable-clock';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { IdempotencyRetention } from './idempotency.repository';
import { ROWS_A_BATCH } from './retention';

const NOW = '2026-11-21T12:00:00Z';
const ROWS = ROWS_A_BATCH * 6 + 1;

beforeAll(() => Logger.overrideLogger(false));

describe('what organizations keep for a time, between replicas', () => {
  const organizationId = newId();
  let replicas: Database[];

  beforeAll(async () => {
    replicas = await openTestReplicas(3);
    const [first] = replicas as [Database];
    const names = { slug: 'main', name: 'Main', timeZone: 'UTC', currency: 'BRL' };
    await first.prisma.organization.create({ data: { id: organizationId, ...names } });
    await first.transaction((tx) =>
      organizationsOn(first).update(tx, organizationId, { retention: { idempotency: 30 } }),
    );
  });
  afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

  beforeEach(async () => {
    await replicas[0]!.prisma.retentionProgress.deleteMany();
    await replicas[0]!.prisma.$executeRaw`
      insert into idempotency_record (organization_id, key, request, created_at)
      select ${organizationId}::uuid, 'key ' || lpad(n::text, 6, '0'), decode(repeat('00', 32), 'hex'), '2026-01-01Z'
      from generate_series(1, ${ROWS}::int) n`;
  });

  it('is removed once, however many come to it at once', async () => {
    const clock = new SettableClock(NOW);
    const removed = await Promise.all(replicas.map((replica) => retentionOn(replica, clock).retention.run()));
    // Whoever finds another at it leaves it, so that one of them goes to the end.
    for (let left = 1; left > 0;) left = await retentionOn(replicas[0]!, clock).retention.run();
    expect(await replicas[0]!.prisma.idempotencyRecord.count()).toBe(0);
    const [row] = await retentionOn(replicas[0]!, clock).progress.of(organizationId);
    expect(row?.removedEver).toBe(BigInt(ROWS));
    expect(removed.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(ROWS);
  });

  it('waits for nobody: a replica that is at it keeps no other from its work', async () => {
    const clock = new SettableClock(NOW);
    const { progress } = retentionOn(replicas[0]!, clock);
    await progress.begin(organizationId, 'idempotency');
    await replicas[0]!.transaction(async (tx) => {
      expect(await progress.take(tx, organizationId, 'idempotency')).toBeDefined();
      // Would wait for ever for the first one's row: this is within its transaction.
      expect(await retentionOn(replicas[1]!, clock).retention.run()).toBe(0);
    });
    expect(await retentionOn(replicas[1]!, clock).retention.run()).toBe(ROWS);
  });

  it('is left whole by one that ended before its commit, and done by the next', async () => {
    const clock = new SettableClock(NOW);
    const kind = new IdempotencyRetention();
    const days = (await organizationsOn(replicas[0]!).record(organizationId)).retention;
    const ended = replicas[0]!.transaction(async (tx) => {
      await kind.remove(tx, {
        ...{ organizationId, before: new Date(NOW), days, place: null, now: new Date(NOW), limit: 10 },
      });
      throw new Error('it ends here');
    });
    await expect(ended).rejects.toThrow('it ends here');
    expect(await replicas[1]!.prisma.idempotencyRecord.count()).toBe(ROWS);
    expect(await retentionOn(replicas[1]!, clock).retention.run()).toBe(ROWS);
  });
});
