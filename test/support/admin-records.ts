import { newId } from '../../src/kernel/identifier';
import { LookupTable } from '../../src/rules/lookup-table';
import { RulesRepository } from '../../src/rules/rules.repository';
import type { OperatorsClient } from './operators-client';

/** Makes a record of an organization. @returns what its path names it by */
type Maker = (client: OperatorsClient) => Promise<string>;

/** After any account was opened. */
const DAY = '2099-12-31';

/** A part of a payment, as it is deferred. */
const PART = {
  ...{ key: 'part', operation: 'receipt.allocate', amount: '5.00', notBefore: DAY },
  input: { schedules: 's', value: '5.00', date: DAY, account: 'main', identifier: 'part' },
};
const APPROVED_PLAN = { operation: 'payment.register', input: {}, amount: '1.00' };

/** A record of every kind that a path of the operators' API can name, by what stands before the name. */
export const RECORDS: Readonly<Record<string, Maker>> = {
  keys: (client) => client.make('/keys', { name: 'a till', scopes: ['feed:read'] }),
  banks: async (client) => client.make('/banks', { code: await freeBankCode(client), name: 'A bank' }),
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
  receivables: async (client) => {
    const stakeholderId = await make('customers', client);
    const wanted = { stakeholderId, value: 10, dueDate: DAY };
    return (await client.finance('post', '/schedules/credit', wanted)).body as string;
  },
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
  'deferred-effects': async (client) => {
    const [id, now] = [newId(), new Date()];
    await client.service.database.prisma.deferredEffect.create({
      data: {
        ...{ id, organizationId: client.id, key: id, operation: 'receipt.allocate', effect: PART },
        ...{
          dueAt: new Date(`${DAY}T00:00:00Z`),
          readyAt: now,
          createdAt: now,
          finishedAt: now,
          state: 'refused',
          reason: 'a test',
        },
        ...{ rule: 'a-rule', ruleVersion: 1, datesKnown: true, runId: newId(), step: 'receipt' },
        ...{ deliveryId: await make('deliveries', client), businessKey: id },
      },
    });
    return id;
  },
  approvals: async (client) => {
    const id = newId();
    await client.service.database.prisma.approval.create({
      data: {
        ...{
          id,
          organizationId: client.id,
          effectKey: id,
          plan: APPROVED_PLAN,
          rule: 'a-rule',
          ruleVersion: 1,
        },
        ...{ step: 'refund', deliveryId: await make('deliveries', client), requestedAt: new Date() },
      },
    });
    return id;
  },
  erasures: async (client) => {
    const id = newId();
    const now = new Date();
    await client.service.database.prisma.erasure.create({
      data: {
        ...{ id, organizationId: client.id, digest: new Uint8Array(32), requestedBy: id, discardDead: false },
        ...{ requestedAt: now, dueAt: now, finishedAt: now, state: 'done', step: 'finish' },
      },
    });
    return id;
  },
  /** Named as rules name it. */
  endpoints: async (client) => {
    const name = `erp-${newId()}`;
    const made = await client.send('post', '/notifications/endpoints', {
      name,
      url: 'https://erp.example/in',
    });
    expect(made.status).toBe(201);
    return name;
  },
  /** Named as operators name it. */
  subscriptions: async (client) => {
    const [name, endpoint] = [`s-${newId()}`, `erp-${newId()}`];
    const url = 'https://erp.example/in';
    expect((await client.send('post', '/notifications/endpoints', { name: endpoint, url })).status).toBe(201);
    const wanted = { name, endpoint, schedule: 'hourly' };
    expect((await client.send('post', '/notifications/subscriptions', wanted)).status).toBe(201);
    return name;
  },
  rules: async (client) => {
    const name = `rule-${newId()}`;
    const text = `rule: ${name}\nwhen: { event: order.paid }\nthen:\n  - { id: customer, do: customer.ensure, with: { name: Lia } }\n`;
    const { database } = client.service;
    await new RulesRepository(database).put(database.prisma, client.id, name, text);
    return name;
  },
  /** Of a delivery that is done again already. */
  repairs: async (client) => {
    const [id, day] = [newId(), new Date(0).toISOString()];
    const deliveries = [await make('deliveries', client)];
    const after = { plan: 'a plan', from: day, to: day, source: null, deliveries };
    await client.service.database.prisma.auditEntry.create({
      data: {
        ...{ id: newId(), organizationId: client.id, actor: id, action: 'repair.queue', subject: id },
        after,
      },
    });
    return id;
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

/** The organization's chart has banks of its own. */
async function freeBankCode({ id, service }: OperatorsClient): Promise<string> {
  const banks = await service.database.prisma.bank.findMany({ where: { organizationId: id } });
  const taken = new Set(banks.map(({ code }) => code));
  const codes = Array.from({ length: 1_000 }, (_, code) => String(code).padStart(3, '0'));
  return codes.find((code) => !taken.has(code)) ?? '';
}
