import { AnsweredFailures } from '../../src/deliveries/switch-off/answered-failures';
import { SwitchOffCheck } from '../../src/deliveries/switch-off/switch-off-check';
import { openTestReplicas } from '../support/database';
import { SECRETS, TestService } from '../support/service';

let replicas: [TestService, TestService];
let numbered = 0;

beforeAll(async () => {
  const [first, second] = await openTestReplicas(2);
  if (!first || !second) throw new Error('two connections are needed');
  // One after the other: the second finds what the first has made of the configuration.
  const one = await TestService.start(first);
  replicas = [one, await TestService.start(second)];
});
afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

async function hook(replica: TestService, secret = SECRETS.woocommerce): Promise<number> {
  const body = `{"id": ${(numbered += 1)}}`;
  return (await replica.hook({ source: 'woocommerce', topic: 'order.updated', body, secret })).status;
}

async function failures(): Promise<unknown> {
  for (const replica of replicas) await replica.part(AnsweredFailures).flush();
  const source = (await replicas[0].admin('sources/woocommerce')) as {
    status: { switchOff: { state: string; failures: number } | null };
  };
  return source.status.switchOff && [source.status.switchOff.state, source.status.switchOff.failures];
}

async function raised(): Promise<string[]> {
  await Promise.all(replicas.map((replica) => replica.part(SwitchOffCheck).check()));
  const rows = await replicas[0].database.prisma.attention.findMany({ orderBy: { createdAt: 'asc' } });
  return rows.map(({ code, resolvedAt }) => `${code} ${resolvedAt ? 'resolved' : 'open'}`);
}

it('failures of two replicas are one row, which a webhook that either accepts ends', async () => {
  const [one, other] = replicas;
  expect(await hook(one, 'wrong')).toBe(401);
  expect(await hook(other, 'wrong')).toBe(401);
  expect(await failures()).toBeNull();
  await hook(one, 'wrong');
  expect(await failures()).toEqual(['near', 3]);
  expect(await raised()).toEqual(['source-near-switch-off open']);
  await hook(other, 'wrong');
  await hook(one, 'wrong');
  expect(await failures()).toEqual(['probable', 5]);
  const both = ['source-near-switch-off resolved', 'source-switched-off open'];
  expect(await raised()).toEqual(both);

  expect(await hook(other)).toBe(200);
  expect(await failures()).toBeNull();
  expect(await raised()).toEqual(['source-near-switch-off resolved', 'source-switched-off resolved']);
});

it('what one accepts between the failures of the other begins the row anew, before any is written', async () => {
  const [one, other] = replicas;
  await hook(one, 'wrong');
  await hook(one, 'wrong');
  await hook(one, 'wrong');
  expect(await hook(other)).toBe(200);
  await hook(one, 'wrong');
  await hook(one, 'wrong');
  expect(await failures()).toBeNull();
  await hook(one, 'wrong');
  expect(await failures()).toEqual(['near', 3]);
});
