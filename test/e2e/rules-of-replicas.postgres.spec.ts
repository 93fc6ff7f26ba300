import { shopifyOrder } from '../../scripts/demo/shop-orders';
import type { Database } from '../../src/database/database';
import { ConfigFolder } from '../support/config-folder';
import { openTestReplicas } from '../support/database';
import { cpfNumber } from '../support/documents';
import { OPERATORS_KEY, TestService } from '../support/service';

const ROUNDS = 5;

/** As many tables as a file each, which a starting replica puts in one transaction. */
const TABLES = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { by: 'the folder' }]));

describe('rules and tables of two replicas on one PostgreSQL', () => {
  const folders: ConfigFolder[] = [];
  let replicas: TestService[];
  /** For a replica of each round. */
  let starting: Database[];

  beforeAll(async () => {
    const [one, other, ...rest] = await openTestReplicas(2 + ROUNDS);
    replicas = [await TestService.start(one), await TestService.start(other)];
    starting = rest;
  });

  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    for (const folder of folders) folder.remove();
  });

  function replica(index: number): TestService {
    const found = replicas[index % replicas.length];
    if (!found) throw new Error('no replica runs');
    return found;
  }

  async function put(index: number, path: string, body: string): Promise<number> {
    const reply = await replica(index)
      .http.put(`/admin/organizations/main/${path}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .set('content-type', 'application/json')
      .send(body);
    return reply.status;
  }

  function rule(name: string, title: string): string {
    const step = { id: 'customer', do: 'customer.ensure', with: { name: title } };
    return JSON.stringify({ rule: name, when: { event: 'order.created' }, then: [step] });
  }

  it('are put through both at once, while the folder speaks, without a gap or a failure', async () => {
    const names = ['order-created', 'order-paid', 'z'];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const folder = new ConfigFolder(
        Object.fromEntries(Object.entries(TABLES).map(([name]) => [name, { by: `folder ${round}` }])),
      );
      folders.push(folder);
      const puts = Array.from({ length: 24 }, (_, index) => {
        const name = names[index % names.length] ?? '';
        const table = Object.keys(TABLES)[index % 4] ?? '';
        return index % 2 === 0
          ? put(index >> 1, `rules/${name}`, rule(name, `round ${round} put ${index}`))
          : put(index >> 1, `tables/${table}`, JSON.stringify({ entries: { by: `${round} ${index}` } }));
      });
      const third = TestService.start(starting[round - 1], { CONFIG_DIR: folder.path, ROLE: 'api' });
      expect(await Promise.all(puts)).toEqual(puts.map(() => 200));
      await (await third).stop();
    }
    const { prisma } = replica(0).database;
    const versions = await prisma.ruleVersion.findMany({ orderBy: [{ name: 'asc' }, { version: 'asc' }] });
    for (const name of names) {
      const numbers = versions.filter((row) => row.name === name).map(({ version }) => version);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      const entries = await prisma.auditEntry.findMany({ where: { action: 'rule.put', subject: name } });
      expect(entries).toHaveLength(4 * ROUNDS);
    }
  });

  it('are in force for an order that the other replica receives right after', async () => {
    const { prisma } = replica(0).database;
    const order = {
      id: 8_900_000_000_001,
      number: 1,
      total: '10.00',
      name: 'Nina Alves',
      document: cpfNumber(89_001),
      email: 'nina@example.com',
      instalments: 1,
    };
    for (let index = 0; index < 6; index += 1) {
      const title = `Buyer ${index}`;
      expect(await put(index, 'rules/order-created', rule('order-created', title))).toBe(200);
      const body = shopifyOrder({ ...order, id: order.id + index * 100 }, false);
      const hook = await replica(index + 1).hook({ source: 'shopify', topic: 'orders/create', body });
      await replica(index + 1).settle();
      const { delivery } = hook.body as { delivery: string };
      const run = await prisma.run.findFirstOrThrow({
        where: { deliveryId: delivery, rule: 'order-created' },
      });
      const { output } = await prisma.effect.findFirstOrThrow({ where: { runId: run.id } });
      const { id } = output as { id: string };
      expect(await prisma.stakeholder.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: title });
    }
  });
});
