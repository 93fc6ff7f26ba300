import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { type ProfileName, putProfile } from '../support/profiles';

const CREATED_AT = '2026-11-20T10:00:00-03:00';
/** Reference codes: 1.2.99 and 2.1.05 are those of the source alone. */
const CATEGORY = {
  ...{ 'online-sales': '1.1.01', 'standard/online-sales': '1.2.99', 'payment-fees': '2.1.04' },
  ...{ refunds: '2.1.06', 'standard/refunds': '2.1.05', 'cancelled-sales': '2.1.06' },
};

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('the sales of one source, %s', (_where, open) => {
  let harness: OrderHarness;
  let orders = 0;
  let organizationId: string;
  /** The account of the source, and that of the others. */
  let outlet: string;
  let main: string;
  let costCenter: string;

  beforeAll(async () => {
    harness = await open();
    outlet = await harness.openAccount('Outlet');
    const where = { name: 'Conta principal' };
    const { account, costCenter: centers } = harness.books.prisma;
    ({ organizationId, id: main } = await account.findFirstOrThrow({ where }));
    ({ id: costCenter } = await centers.findFirstOrThrow({ where: { organizationId } }));
  });
  afterAll(() => harness.stop());

  async function balances(): Promise<bigint[]> {
    const held = await readBalances(harness.books.prisma, [outlet, main]);
    return [outlet, main].map((id) => held.get(id) ?? 0n);
  }

  /** Identifiers, which a remote finance service asks for. */
  async function categories(): Promise<Record<keyof typeof CATEGORY, string>> {
    const known = await harness.books.prisma.category.findMany({ where: { organizationId } });
    const idOf = (code: string) => known.find(({ referenceCode }) => referenceCode === code)?.id;
    const named = Object.entries(CATEGORY).map(([key, code]) => [key, idOf(code)]);
    return Object.fromEntries(named) as Record<keyof typeof CATEGORY, string>;
  }

  it.each<[ProfileName, string]>([
    ['cash', '2026-11-20'],
    ['accrual', '2026-11-30'],
  ])('are on their own account, category, cost center and due date: %s', async (profile, dueDate) => {
    await putProfile(harness.service, profile);
    const { prisma } = harness.books;
    const category = await categories();
    await harness.table('category', category);
    // What the table says of the source goes first, so that its gateways are not those of the other shops.
    await harness.table('gatewayAccount', { pix: main, default: main, 'standard/default': outlet });
    const sales = { 'first-due-days': '0', 'card-days': '30', 'write-off-account': 'Baixas' };
    const own = { 'standard/first-due-days': '10', 'standard/cost-center': costCenter };
    await harness.table('sales', { ...sales, ...own });
    orders += 1;
    const id = `o-${profile}-${orders}`;
    const [ofOutlet = 0n, ofMain = 0n] = await balances();
    const asked = await harness.service.database.prisma.attention.count();

    const customer = { id: 'c1', name: 'Lia Campos', document: cpfNumber(93_001) };
    const payment = { id: 'p1', gateway: 'pix', method: 'pix', paidAt: '2026-11-20T10:05:00-03:00' };
    const order = { id, number: id, total: '100.00', createdAt: CREATED_AT, customer };
    await harness.standard('order.paid', { ...order, payment });
    await harness.shopify({
      ...{ id: 8_980_000_000_000 + orders, number: orders, total: '70.00', name: 'Lia Campos' },
      ...{ document: cpfNumber(93_001), email: 'lia@example.com', instalments: 1 },
    });

    const [afterOutlet = 0n, afterMain = 0n] = await balances();
    expect(afterOutlet - ofOutlet).toBe(10_000n);
    expect(await prisma.schedule.findMany({ where: { reference: `standard/order/${id}` } })).toMatchObject([
      {
        dueDate: new Date(dueDate),
        openMinor: 0n,
        categoryId: category['standard/online-sales'],
        costCenterId: costCenter,
      },
    ]);
    const ofShop = {
      reference: { startsWith: 'shopify/order/' },
      categoryId: category['online-sales'],
      costCenterId: null,
    };
    expect(await prisma.schedule.count({ where: ofShop })).toBe(orders);

    const refund = { id: 'r1', value: '30.00', gateway: 'pix', refundedAt: '2026-11-22T12:00:00Z' };
    await harness.standard('order.refunded', { ...order, paidAt: payment.paidAt, refunds: [refund] });
    expect(await balances()).toEqual([ofOutlet + 7_000n, afterMain]);
    const refunded = { kind: 'payment', reference: { contains: `${id}/refund` } } as const;
    expect(await prisma.entry.findMany({ where: refunded })).toMatchObject([
      { categoryId: category['standard/refunds'], costCenterId: costCenter },
    ]);
    expect(await harness.service.database.prisma.attention.count()).toBe(asked);
    expect(afterMain - ofMain).toBe(7_000n);
    expect((await verifyLedger(prisma)).difference).toBeUndefined();
  });
});
