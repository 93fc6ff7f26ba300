import type { DemoOrder } from '../../scripts/demo/shop-orders';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { OPERATORS_KEY } from '../support/service';

/** The first two steps of both rules: the order's customer, who follows the shop, and its receivable. */
const RECEIVABLE = `
then:
  - id: customer
    do: customer.ensure
    with:
      name: \${order.customer.name}
      document: \${order.customer.document}
      email: \${order.customer.email}
      update: [name, email]
      asOf: \${order.updatedAt}
  - id: schedule
    do: creditSchedule.ensure
    key: \${order.key}
    with:
      customer: \${steps.customer.id}
      value: \${order.total}
      dueDate: \${order.createdAt.dateIn(org.timeZone)}
      description: Order \${order.number}
      category: \${tables.category["online-sales"]}
      instalments: \${order.total.instalments(order.instalments, order.createdAt.dateIn(org.timeZone))}`;

const CREATED = `rule: order-created
when: { event: order.created }${RECEIVABLE}
`;

const CANCELLED = `rule: order-cancelled
when: { event: order.cancelled }${RECEIVABLE}
  - id: account
    do: account.ensure
    with: { name: Baixas }
  - id: writeOff
    do: creditSchedule.writeOff
    key: \${order.key}/cancelled
    with:
      schedules: \${steps.schedule.all}
      account: \${steps.account.id}
      category: \${tables.category.refunds}
      date: \${order.cancelledAt.dateIn(org.timeZone)}
      description: Order \${order.number} was cancelled
`;

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('an order that is cancelled before it is paid, %s', (where, open) => {
  let harness: OrderHarness;
  let orders = 0;
  let order: DemoOrder;

  beforeAll(async () => {
    harness = await open();
    for (const [name, rule] of [
      ['order-created', CREATED],
      ['order-cancelled', CANCELLED],
    ] as const)
      await harness.service.http
        .put(`/admin/organizations/main/rules/${name}`)
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .type('application/yaml')
        .send(rule)
        .expect(200);
  });
  afterAll(() => harness.stop());

  beforeEach(() => {
    orders += 1;
    order = {
      ...{ id: 8_900_000_000_000 + orders, number: orders, total: '100.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(89_000 + orders), email: `lia${orders}@example.com`, instalments: 3 },
    };
  });
  afterEach(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });

  const unpaid = { financial_status: 'pending', total_outstanding: '100.00' };
  const created = (fields: object = {}) =>
    harness.shopify(
      order,
      { ...unpaid, updated_at: '2026-11-20T09:12:42-03:00', ...fields },
      'orders/create',
    );
  const cancelled = (fields: object = {}) =>
    harness.shopify(
      order,
      {
        ...unpaid,
        ...{ financial_status: 'voided', updated_at: '2026-11-21T10:00:00-03:00' },
        ...{ cancelled_at: '2026-11-21T10:00:00-03:00', ...fields },
      },
      'orders/cancelled',
    );

  /** What the books have of the order. */
  async function books() {
    const { prisma } = harness.books;
    const key = `shopify/order/${order.id}`;
    const schedules = await prisma.schedule.findMany({ where: { reference: key } });
    const entries = await prisma.entry.findMany({
      where: { OR: [{ reference: `${key}/cancelled` }, { identifier: `${key}/cancelled` }] },
      orderBy: [{ kind: 'asc' }, { amountMinor: 'asc' }],
    });
    const accounts = await prisma.account.findMany({ where: { name: 'Baixas' } });
    const balances = await readBalances(
      prisma,
      accounts.map(({ id }) => id),
    );
    return {
      open: schedules.map(({ openMinor }) => openMinor),
      entries: entries.map(({ kind, amountMinor, date }) => [
        kind,
        amountMinor,
        date.toISOString().slice(0, 10),
      ]),
      balances: [...balances.values()],
    };
  }

  const writtenOff = {
    open: [0n, 0n, 0n],
    entries: [
      ['receipt', 3_333n, '2026-11-21'],
      ['receipt', 3_333n, '2026-11-21'],
      ['receipt', 3_334n, '2026-11-21'],
      ['payment', 10_000n, '2026-11-21'],
    ],
    balances: [0n],
  };

  it('is written off once, and the account is where it was', async () => {
    await created();
    await cancelled();
    await cancelled({ note: 'again' });
    expect(await books()).toEqual(writtenOff);
    expect(await harness.attention(order)).toEqual([]);
  });

  it('comes to the same where the cancellation arrives first', async () => {
    await cancelled();
    await created();
    await created({ note: 'again' });
    expect(await books()).toEqual(writtenOff);
    expect(await harness.attention(order)).toEqual([]);
  });

  it('has its customer follow the shop, or a person is asked', async () => {
    await cancelled({
      email: 'new@example.com',
      customer: { id: order.id + 7, email: 'new@example.com', first_name: 'Lia', last_name: 'Reis' },
    });
    await created();
    const document = order.document.replace(/\D/g, '');
    const [customer] = await harness.books.prisma.stakeholder.findMany({ where: { document } });
    expect(customer).toMatchObject({ email: 'new@example.com' });
    expect(await harness.attention(order)).toEqual([]);
    const later = { updated_at: '2026-11-22T10:00:00-03:00', email: 'newest@example.com' };
    await cancelled({
      ...later,
      customer: { id: order.id + 7, email: 'newest@example.com', first_name: 'Lia', last_name: 'Reis' },
    });
    const [after] = await harness.books.prisma.stakeholder.findMany({ where: { document } });
    const follows = where.includes('own books');
    expect(after?.email).toBe(follows ? 'newest@example.com' : 'new@example.com');
    expect((await harness.attention(order)).map(({ code }) => code)).toEqual(
      follows ? [] : ['customer-not-updated'],
    );
  });
});
