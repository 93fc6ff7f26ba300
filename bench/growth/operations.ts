/** What a read needs to know of the database it is asked of. */
export interface Landmarks {
  /** UUIDs of customers, from all over the list. */
  customers: readonly string[];
  /** A cursor of the feed nine tenths into it. */
  lateCursor: string;
  /** Business keys, from all over the list. */
  businessKeys: readonly string[];
  /** Instants a week apart, in the middle of what is stored. */
  week: { from: string; to: string };
}

/** One read that is measured at every size. */
export interface Operation {
  name: string;
  /** Whether the goal applies to it. */
  bounded: boolean;
  /** Why it is not. */
  why?: string;
  /** @param turn counts up, so that not always the same is asked for */
  path: (landmarks: Landmarks, turn: number) => string;
}

const ADMIN = '/admin/organizations/main';

function query(path: string, values: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(values).toString()}`;
}

function pick(list: readonly string[], turn: number): string {
  return list[turn % list.length] ?? '';
}

function days({ week }: Landmarks): { from: string; to: string } {
  return { from: week.from.slice(0, 10), to: week.to.slice(0, 10) };
}

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'receivables of a customer',
    bounded: true,
    path: ({ customers }, turn) => query(`/v1/customers/${pick(customers, turn)}/schedules`, { $top: '20' }),
  },
  {
    name: 'open receivables of a customer',
    bounded: true,
    path: ({ customers }, turn) =>
      query(`/v1/customers/${pick(customers, turn)}/schedules`, {
        $top: '20',
        $filter: 'isPaid eq false',
      }),
  },
  {
    name: 'payables, first page',
    bounded: true,
    path: () => query('/v1/schedules/debit', { $top: '50' }),
  },
  {
    name: 'overdue receivables, first page',
    bounded: true,
    path: () => query('/v1/schedules/credit/dued', { $top: '50' }),
  },
  {
    name: 'overdue receivables of a day',
    bounded: false,
    why: 'there are more of a day where there are more on the same days',
    path: (landmarks) =>
      query('/v1/schedules/credit/dued', { $top: '50', $filter: `date eq ${days(landmarks).from}` }),
  },
  {
    name: 'suppliers, first page',
    bounded: true,
    path: () => query('/v1/suppliers', { $top: '50' }),
  },
  { name: 'balances', bounded: true, path: () => '/v1/accounts/views/balance' },
  {
    name: 'feed, late page',
    bounded: true,
    path: ({ lateCursor }) => query('/feed', { after: lateCursor, limit: '100' }),
  },
  {
    name: 'feed, late page of one type',
    bounded: true,
    path: ({ lateCursor }) =>
      query('/feed', { after: lateCursor, limit: '100', types: 'receipt.registered' }),
  },
  { name: 'deliveries, newest', bounded: true, path: () => query(`${ADMIN}/deliveries`, { limit: '50' }) },
  ...['done', 'waiting', 'dead', 'discarded'].map((state): Operation => ({
    name: `deliveries ${state}`,
    bounded: true,
    path: () => query(`${ADMIN}/deliveries`, { state, limit: '50' }),
  })),
  {
    name: 'deliveries of a source',
    bounded: true,
    path: () => query(`${ADMIN}/deliveries`, { source: 'shopify', limit: '50' }),
  },
  {
    name: 'deliveries of a topic',
    bounded: true,
    path: () => query(`${ADMIN}/deliveries`, { topic: 'orders/paid', limit: '50' }),
  },
  {
    name: 'deliveries of a topic that never came',
    bounded: true,
    path: () => query(`${ADMIN}/deliveries`, { topic: 'orders/never', limit: '50' }),
  },
  {
    name: 'deliveries of a source and a topic that never came',
    bounded: true,
    path: () => query(`${ADMIN}/deliveries`, { source: 'shopify', topic: 'orders/never', limit: '50' }),
  },
  {
    name: 'deliveries of an order',
    bounded: true,
    path: ({ businessKeys }, turn) =>
      query(`${ADMIN}/deliveries`, { businessKey: pick(businessKeys, turn), limit: '50' }),
  },
  {
    name: 'deliveries of a span of time',
    bounded: true,
    path: ({ week }) => query(`${ADMIN}/deliveries`, { ...week, limit: '50' }),
  },
  { name: 'sources with their state', bounded: true, path: () => `${ADMIN}/sources` },
  { name: 'metrics', bounded: true, path: () => '/metrics' },
];
