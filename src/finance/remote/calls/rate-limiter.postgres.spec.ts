import { openTestReplicas } from '../../../../test/support/database';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import { RateLimiterRepository } from './rate-limiter.repository';

let replicas: Database[];
beforeAll(async () => (replicas = await openTestReplicas(4)));
afterAll(() => Promise.all(replicas.map((database) => database.close())));

it('no two replicas get the same slot, also where none had been taken before', async () => {
  const organization = newId();
  const paces = replicas.map((database) => new RateLimiterRepository(database));
  const waits = await Promise.all(
    Array.from({ length: 100 }, (_, index) => paces[index % 4]!.take(organization, 1 / 60, 10_000_000)),
  );
  const minutes = waits.map((wait) => Math.ceil(wait / 60_000)).sort((left, right) => left - right);
  expect(minutes).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
