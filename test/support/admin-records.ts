import { newId } from '../../src/kernel/identifier';
import { LookupTable } from '../../src/rules/lookup-table';
import { RulesRepository } from '../../src/rules/rules.repository';
import type { OperatorsClient } from './operators-client';

/** Makes a record of an organization. @returns what its path names it by */
type Maker = (client: OperatorsClient) => Promise<string>;

/** After any account was opened. */
const DAY = '2099-12-31';

/** A record of every kind that a path of the operators' API can name, by what stands before the name. */
export const RECORDS: Readonly<Record<string, Maker>> = {
  keys: (client) => client.make('/keys', { name: 'a till', scopes: ['feed:read'] }),
  banks: (client) => client.make('/banks', { code: digits(3), name: 'A bank' }),
  'category-groups': (client) => client.make('/category-groups', { referenceCode: newId(), name: 'A group' }),
  categories: async (client) =>
    client.make('/categories', {
      referenceCode: newId(),
      name: 'A category',
      type: 'out',
      groupId: await make('category-groups', client),
    }),
  'cost-centers': (client) => client.make('/cost-centers', { description: 'A cost center' }),
  suppliers: (client) => client.make('/suppliers', { name: 'A supplier' }),
  customers: async (client) =>
    (await client.finance('post', '/customers', { name: 'A customer' })).body as string,
  accounts: async (client) =>
    (await client.finance('post', '/accounts', { name: 'An account' })).body as string,
  debit: async (client) =>
    client.make('/schedules/debit', {
      stakeholderId: await make('suppliers', client),
      value: '10.00',
      dueDate: DAY,
    }),
  /** Marked as found on the bank's statement, so that the mark can be taken away. */
  entries: async (client) => {
    const id = await client.make(`/schedules/debit/${await make('debit', client)}/payments`, {
      accountId: await make('accounts', client),
      value: '10.00',
      date: DAY,
    });
    expect((await client.send('put', `/entries/${id}/reconciliation`)).status).toBe(204);
    return id;
  },
  sources: async (client) => {
    const slug = `shop-${newId()}`;
    await client.make('/sources', { slug, provider: 'shopify', secrets: ['a secret'] });
    return slug;
  },
  deliveries: (client) => delivery(client, 'done'),
  'dead-letters': (client) => delivery(client, 'dead'),
  attention: async (client) => {
    const id = newId();
    await client.service.database.prisma.attention.create({
      data: {
        ...{ id, organizationId: client.id, deliveryId: await make('deliveries', client) },
        ...{
          businessKey: id,
          code: 'amount-differs',
          detail: 'a test',
          amountMinor: 100,
          createdAt: new Date(),
        },
      },
    });
    return id;
  },
  effects: async (client) => {
    const id = newId();
    const now = new Date();
    await client.service.database.prisma.financeCall.create({
      data: {
        id,
        organizationId: client.id,
        effectKey: id,
        part: 1,
        operation: 'schedules.createCredit',
        request: { path: '/schedules/credit', body: {} },
        state: 'unknown',
        attempts: 1,
        needsReviewAt: now,
        createdAt: now,
        updatedAt: now,
      },
    });
    return id;
  },
  rules: async (client) => {
    const name = `rule-${newId()}`;
    const text = `rule: ${name}\nwhen: { event: order.paid }\nthen:\n  - { id: customer, do: customer.ensure, with: { name: Lia } }\n`;
    const { database } = client.service;
    await new RulesRepository(database).put(database.prisma, client.id, name, text);
    return name;
  },
  tables: async (client) => {
    const name = `table_${newId().replaceAll('-', '_')}`;
    const { database } = client.service;
    const table = new LookupTable(name, new Map([['a', 'b']]));
    await new RulesRepository(database).putTable(database.prisma, client.id, table);
    return name;
  },
};

/** @throws Error when nobody has said how a record of the kind is made */
export function make(kind: string, client: OperatorsClient): Promise<string> {
  const maker = RECORDS[kind];
  if (!maker) throw new Error(`test/support/admin-records.ts does not say how to make one of ${kind}`);
  return maker(client);
}

async function delivery(client: OperatorsClient, state: 'done' | 'dead'): Promise<string> {
  const id = newId();
  const now = new Date();
  const { prisma } = client.service.database;
  const slug = await make('sources', client);
  const source = await prisma.source.findFirstOrThrow({ where: { organizationId: client.id, slug } });
  await prisma.delivery.create({
    data: {
      id,
      organizationId: client.id,
      sourceId: source.id,
      topic: 'shop/update',
      dedupeKey: id,
      lane: id,
      attributes: {},
      receivedAt: now,
      readyAt: now,
      state,
      finishedAt: now,
      ...(state === 'dead' && { reason: 'a person must look at it' }),
    },
  });
  await prisma.deliveryBody.create({
    data: { id, organizationId: client.id, body: new TextEncoder().encode('{"id":1}') },
  });
  return id;
}

function digits(count: number): string {
  return String(Math.floor(Math.random() * 10 ** count)).padStart(count, '0');
}
