import { openTestDatabase } from '../../../../test/support/database';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import { RateLimiterRepository } from './rate-limiter.repository';

const LONG = 3_600_000;
let database: Database;
let pace: RateLimiterRepository;

beforeAll(async () => {
  database = await openTestDatabase();
  pace = new RateLimiterRepository(database);
});
afterAll(() => database.close());

/** When the next slot is, by the database's clock. */
async function nextAt(organizationId: string): Promise<number> {
  const { nextAt } = await database.prisma.financePace.findUniqueOrThrow({ where: { organizationId } });
  return nextAt.getTime();
}

it('gives the first slot at once, and each later one evenly after it', async () => {
  const organization = newId();
  // One in a quarter of an hour: the time that the test takes does not count.
  const waits = [];
  for (let index = 0; index < 4; index += 1) waits.push(await pace.take(organization, 1 / 900, LONG));
  expect(waits[0]).toBe(0);
  expect(waits.slice(1).map((wait) => Math.ceil(wait / 900_000))).toEqual([1, 2, 3]);
});

it('gives each slot to one taker when many take at once', async () => {
  const organization = newId();
  await pace.take(organization, 1 / 60, LONG);
  const waits = await Promise.all(Array.from({ length: 20 }, () => pace.take(organization, 1 / 60, LONG)));
  const minutes = waits.map((wait) => Math.ceil(wait / 60_000)).sort((left, right) => left - right);
  expect(minutes).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

it('takes no slot for who would not wait so long', async () => {
  const organization = newId();
  await pace.throttle(organization, LONG);
  const before = await nextAt(organization);
  const waits = await Promise.all(Array.from({ length: 10 }, () => pace.take(organization, 10, 1_000)));
  expect(Math.min(...waits)).toBeGreaterThan(1_000);
  expect(await nextAt(organization)).toBe(before);
});

it('holds everybody for as long as the service asked, and never shorter than it asked before', async () => {
  const organization = newId();
  await pace.throttle(organization, LONG);
  await pace.throttle(organization, 1_000);
  expect(await pace.take(organization, 10, 100)).toBeGreaterThan(LONG / 2);
});

it('holds no other organization', async () => {
  await pace.throttle(newId(), LONG);
  expect(await pace.take(newId(), 10, 100)).toBe(0);
});
