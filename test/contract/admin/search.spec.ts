import type { FoundView, SearchView } from '../../../src/admin/search/search.dto';
import { newId } from '../../../src/kernel/identifier';
import { cpfNumber } from '../../support/documents';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { OrderHarness } from '../../support/order-harness';

const CPF = cpfNumber(77_001);
const EMPTY = { businessKey: null, delivery: null, customer: null, schedule: null, source: null, at: null };

describe.each([
  ["on Ponte's own books", true, () => OrderHarness.embedded()],
  ['before a remote finance service', false, () => OrderHarness.remote()],
] as const)('POST …/search %s', (_where, isEmbedded, open) => {
  let harness: OrderHarness;
  let other: OperatorsClient;
  let delivery: string;

  beforeAll(async () => {
    harness = await open();
    other = await OperatorsClient.of(harness.service);
    await harness.standard('order.paid', {
      ...{
        id: 'A-1001',
        number: '7788',
        total: '100.00',
        createdAt: '2026-03-09T09:00:00-03:00',
        instalments: 1,
      },
      customer: { id: 'c1', name: 'Lia Campos', document: CPF, email: 'lia@example.com' },
      payment: { id: 'p1', gateway: 'pagarme', method: 'pix', paidAt: '2026-03-10T09:30:00-03:00' },
    });
    delivery = (await harness.lastDelivery()).id;
  });
  afterAll(() => harness.stop());

  async function find(text: string): Promise<SearchView> {
    const reply = await harness.service.operate('post', 'search', { text });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    // What is looked for in one organization is not there for another.
    const theirs = await other.send('post', '/search', { text });
    expect(theirs.body).toEqual({ items: [], complete: true });
    return reply.body as SearchView;
  }

  const order = (): FoundView => ({
    ...EMPTY,
    ...{ kind: 'order', title: 'order 7788', businessKey: 'standard/order/A-1001', delivery },
    ...{ source: 'standard', at: expect.any(String) as string },
  });

  const kinds = ({ items }: SearchView): string[] => items.map(({ kind }) => kind);

  it.each([
    'A-1001',
    ' A-1001 ',
    '#A-1001',
    'standard/order/A-1001',
    'standard/order/A-1001/payment/p1',
    'receipt/standard/order/A-1001/payment/p1',
  ])('finds an order by %j', async (text) => {
    const found = await find(text);
    expect(found.complete).toBe(true);
    expect(found.items[0]).toEqual(order());
    expect(kinds(found)).toEqual(isEmbedded ? ['order', 'schedule'] : ['order']);
  });

  it.each(['7788', '#7788'])('finds it by its number where that is another one: %s', async (text) => {
    const found = await find(text);
    expect(found.items[0]).toEqual(order());
    expect(kinds(found)).toEqual(isEmbedded ? ['order', 'schedule'] : ['order']);
  });

  it('finds an order of three instalments by a number with a letter, a slash and a space', async () => {
    await harness.standard('order.paid', {
      ...{ id: 'B-1', number: '#SP/7 789', total: '100.00', createdAt: '2026-03-09T09:00:00-03:00' },
      ...{ instalments: 3, customer: { id: 'c2', name: 'Rui Castro', document: cpfNumber(7_789) } },
      payment: { id: 'p1', gateway: 'pagarme', method: 'pix', paidAt: '2026-03-10T09:30:00-03:00' },
    });
    for (const text of ['SP/7 789', '#SP/7 789']) {
      const { items } = await find(text);
      expect(items[0]).toMatchObject({ kind: 'order', businessKey: 'standard/order/B-1' });
      expect(items).toHaveLength(isEmbedded ? 4 : 1);
    }
    expect((await find('sp/7 789')).items).toEqual([]);
  });

  it.each([
    ['7790', 'C-1'],
    ['#7791', 'C-2'],
  ])(
    'finds one of an earlier version by its number as far as receivables have it: %s',
    async (number, id) => {
      const { prisma } = harness.service.database;
      await harness.standard('order.paid', {
        ...{ id, number, total: '100.00', createdAt: '2026-03-09T09:00:00-03:00' },
        ...{ instalments: 3, customer: { id: 'c3', name: 'Ana Braga', document: cpfNumber(7_790) } },
        payment: { id: 'p1', gateway: 'pagarme', method: 'pix', paidAt: '2026-03-10T09:30:00-03:00' },
      });
      await prisma.moneyFacts.updateMany({ where: { key: `standard/order/${id}` }, data: { number: null } });
      const found = kinds(await find(number.replace('#', '')));
      expect(found).toEqual(isEmbedded ? ['order', 'schedule', 'schedule', 'schedule'] : []);
    },
  );

  it.each([
    ['bare', CPF],
    ['with punctuation', CPF.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')],
  ])('finds a customer by their document, %s, with their order', async (_how, text) => {
    const { items, complete } = await find(text);
    expect([items[0]?.kind, complete]).toEqual(['customer', true]);
    expect(items[0]?.title).toBe(isEmbedded ? 'Lia Campos' : 'a customer in the finance service');
    expect(items).toContainEqual(order());
    const [customer] = await harness.customers('Lia Campos');
    expect(items[0]?.customer).toBe(customer?.id);
    // And by their identifier.
    if (isEmbedded) expect((await find(customer!.id)).items[0]).toEqual(items[0]);
  });

  it('finds a customer by their e-mail address, in any letter case', async () => {
    const { items } = await find('LIA@example.com');
    expect(kinds({ items, complete: true })).toEqual(isEmbedded ? ['customer', 'order', 'schedule'] : []);
    expect((await find('ia@example.com')).items).toEqual([]);
  });

  it('finds a delivery by its identifier, in any letter case', async () => {
    expect((await find(delivery.toUpperCase())).items).toMatchObject([
      {
        kind: 'delivery',
        title: 'order.paid',
        businessKey: 'standard/order/A-1001',
        delivery,
        source: 'standard',
      },
    ]);
  });

  it('finds a schedule by its identifier, and by that of a receipt', async () => {
    const { id } = await harness.books.prisma.schedule.findFirstOrThrow({
      where: { reference: 'standard/order/A-1001' },
    });
    const { items } = await find(id);
    expect(items[0]).toMatchObject({
      kind: 'schedule',
      schedule: id,
      customer: expect.any(String) as string,
    });
    if (!isEmbedded) return;
    expect(items.slice(1)).toEqual([order()]);
    const receipt = await harness.books.prisma.entry.findFirstOrThrow({
      where: { creditId: id, kind: 'receipt' },
    });
    expect((await find(receipt.id)).items).toEqual(items);
  });

  it('finds an order that waits to be understood', async () => {
    const { prisma } = harness.service.database;
    const source = await prisma.source.findFirstOrThrow({ where: { slug: 'standard' } });
    const id = newId();
    const [receivedAt, readyAt] = [new Date(), new Date('2099-01-01T00:00:00Z')];
    await prisma.delivery.create({
      data: {
        ...{
          id,
          organizationId: source.organizationId,
          sourceId: source.id,
          topic: 'order.paid',
          dedupeKey: id,
        },
        ...{ lane: `${source.id}/order/W-1`, attributes: {}, receivedAt, readyAt },
      },
    });
    expect((await find('W-1')).items).toMatchObject([
      { kind: 'order', delivery: id, businessKey: 'standard/order/W-1' },
    ]);
    await prisma.delivery.delete({ where: { id } });
  });

  it.each([
    'nobody',
    newId(),
    cpfNumber(5),
    '11.222.333/0001-81',
    "'; drop table delivery; --",
    '%',
    '_',
    '\\',
    '/',
    '#',
    'ção',
  ])('finds nothing by %j', async (text) => {
    expect(await find(text)).toEqual({ items: [], complete: true });
  });

  it.each([
    [{}, '422 validation-failed /text'],
    [{ text: '' }, '422 validation-failed /text'],
    [{ text: '  ' }, '422 validation-failed /text'],
    [{ text: 'x'.repeat(201) }, '422 validation-failed /text'],
    [{ text: 1001 }, '422 validation-failed /text'],
    [{ text: 'a\u0000b' }, '422 validation-failed /text'],
    [{ text: 'x', kind: 'order' }, '422 validation-failed /kind'],
  ])('refuses %j', async (body, refusal) => {
    expect(refusalOf(await harness.service.operate('post', 'search', body))).toBe(refusal);
  });

  it('leaves nothing in the audit log', async () => {
    const count = () => harness.service.database.prisma.auditEntry.count();
    const before = await count();
    await find(CPF);
    expect(await count()).toBe(before);
  });

  if (!isEmbedded) return;

  it('shows twenty at most, and says that there are more', async () => {
    const { prisma } = harness.books;
    const schedule = await prisma.schedule.findFirstOrThrow({
      where: { reference: 'standard/order/A-1001' },
    });
    for (let count = 0; count < 19; count += 1) {
      const id = newId();
      await prisma.schedule.create({ data: { ...schedule, id, groupId: id, reference: `by-hand/${count}` } });
    }
    const { items, complete } = await find('lia@example.com');
    expect([items.length, complete]).toEqual([20, false]);
  });
});
