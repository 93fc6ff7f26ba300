import { newId } from '../../src/kernel/identifier';
import { TestService } from '../support/service';
import { until } from '../support/until';

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

it('balances and counts are rolled up by the running service', async () => {
  const { prisma } = service.database;
  const { id: accountId, organizationId } = await prisma.account.findFirstOrThrow();
  const id = newId();
  await prisma.stakeholder.create({ data: { id, organizationId, kind: 'supplier', name: 'Ana' } });
  await prisma.accountBalanceDelta.create({ data: { accountId, deltaMinor: 5n } });
  await until(
    async () => (await prisma.accountBalance.count({ where: { accountId, balanceMinor: 5n } })) === 1,
  );
  await until(async () => (await prisma.recordCount.count({ where: { organizationId } })) === 1);
  expect(await prisma.accountBalance.findFirst()).toEqual({
    accountId,
    balanceMinor: 5n,
    announcedMinor: 5n,
  });
  const [row] = await prisma.$queryRaw<object[]>`select counted::text, count::int from record_count`;
  expect(row).toEqual({ counted: 'supplier', count: 1 });
});
