import type { Database } from '../../src/database/database';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import type { LoadOrder, LoadWebhook } from './load';

/** What is wrong with the books after a run; all empty or zero when they are right. */
export interface BooksReport {
  /** Acknowledged webhooks that are not stored. */
  lost: string[];
  /** Orders whose schedules or receipts are not exactly what they should be. */
  wrong: string[];
  /** Records beyond what the orders call for. */
  surplus: { deliveries: number; customers: number; schedules: number; receipts: bigint };
  /** Deliveries not done. */
  unsettled: number;
  /** The first number that does not follow from the entries. */
  difference: unknown;
}

interface OrderBooks {
  reference: string;
  schedules: number;
  valueMinor: bigint;
  openMinor: bigint;
  receivedMinor: bigint;
}

/** Holds the database against the orders that were acknowledged. */
export async function examine(
  { prisma }: Database,
  orders: readonly LoadOrder[],
  webhooks: readonly LoadWebhook[],
): Promise<BooksReport> {
  const stored = await prisma.delivery.findMany({ select: { dedupeKey: true, state: true } });
  const keys = stored.map(({ dedupeKey }) => dedupeKey);
  const books = await booksByOrder(prisma);
  const customers = await prisma.stakeholder.count();
  const schedules = await prisma.schedule.count();
  const [received] = await prisma.$queryRaw<{ minor: bigint }[]>`
    select coalesce(sum(amount_minor), 0)::bigint as minor from entry where kind = 'receipt'`;
  const instalments = orders.reduce((sum, order) => sum + order.instalments, 0);
  const total = orders.reduce((sum, order) => sum + order.totalMinor, 0n);
  return {
    lost: webhooks.filter(({ id }) => !keys.some((key) => key.includes(id))).map(({ id }) => id),
    wrong: orders.flatMap((order) => faultsOf(order, books.get(`shopify/order/${order.id}`))),
    surplus: {
      deliveries: stored.length - webhooks.length,
      customers: customers - new Set(orders.map(({ document }) => document)).size,
      schedules: schedules - instalments,
      receipts: (received?.minor ?? 0n) - total,
    },
    unsettled: stored.filter(({ state }) => state !== 'done').length,
    difference: (await verifyLedger(prisma)).difference,
  };
}

async function booksByOrder(prisma: Database['prisma']): Promise<Map<string, OrderBooks>> {
  const rows = await prisma.$queryRaw<OrderBooks[]>`
    select s.reference, count(*)::int as schedules, sum(s.value_minor)::bigint as "valueMinor",
           sum(s.open_minor)::bigint as "openMinor", coalesce(sum(r.minor), 0)::bigint as "receivedMinor"
    from schedule s
    left join lateral (
      select sum(e.amount_minor) as minor from entry e where e.credit_id = s.id and e.kind = 'receipt'
    ) r on true
    group by s.reference`;
  return new Map(rows.map((row) => [row.reference, row]));
}

function faultsOf(order: LoadOrder, books: OrderBooks | undefined): string[] {
  if (!books) return [`${order.number}: no schedules`];
  const { schedules, valueMinor, openMinor, receivedMinor } = books;
  const right =
    schedules === order.instalments &&
    valueMinor === order.totalMinor &&
    receivedMinor === order.totalMinor &&
    openMinor === 0n;
  return right
    ? []
    : [
        `${order.number}: ${schedules} schedules of ${valueMinor}, ${receivedMinor} received, ${openMinor} open`,
      ];
}

/** What a report must say when nothing was lost and nothing was done twice. */
export const IN_ORDER: BooksReport = {
  lost: [],
  wrong: [],
  surplus: { deliveries: 0, customers: 0, schedules: 0, receipts: 0n },
  unsettled: 0,
  difference: undefined,
};
